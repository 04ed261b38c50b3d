// Reads regular expressions in the syntax of the reference server's platform (java.util.regex) into a
// tree. Back references, possessive quantifiers and atomic groups need backtracking and are refused.

import { EngineError } from '../../errors';
import {
  caseInsensitive,
  charSet,
  complement,
  DIGIT,
  HORIZONTAL_SPACE,
  intersection,
  property,
  range,
  SPACE,
  union,
  UNICODE_DIGIT,
  UNICODE_SPACE,
  UNICODE_WORD,
  VERTICAL_SPACE,
  WORD,
  type CharSet,
} from './char-set';
import { anyChar, changed, lineAssertion, type Flags } from './flags';
import type { AssertionKind, ParsedRegex, RegexNode } from './tree';

/** Deeper nesting is refused; the parser calls itself per level. */
const MAX_DEPTH = 200;

/**
 * @param flags letters of inline flags that hold from the start: `i`, `m`, `s`, `u`, `x`, `d`, `U`
 * @throws EngineError PatternSyntaxException, with the place in the pattern
 */
export function parseRegex(pattern: string, flags: Iterable<string>): ParsedRegex {
  return new RegexParser(pattern).parse(new Set(flags));
}

class RegexParser {
  #position = 0;
  #depth = 0;
  #groups = 0;

  constructor(private readonly pattern: string) {}

  parse(flags: Flags): ParsedRegex {
    const root = this.#choice(flags);
    if (this.#position < this.pattern.length) throw this.#error("Unmatched closing ')'");
    return { root, groupCount: this.#groups };
  }

  #error(reason: string): EngineError {
    const text = `${reason} near index ${this.#position}\n${this.pattern}`;
    return new EngineError('PatternSyntaxException', text);
  }

  get #next(): string | undefined {
    return this.pattern[this.#position];
  }

  #take(text: string): boolean {
    if (!this.pattern.startsWith(text, this.#position)) return false;
    this.#position += text.length;
    return true;
  }

  #codePoint(): number {
    const codePoint = this.pattern.codePointAt(this.#position);
    if (codePoint === undefined) throw this.#error('Unexpected end of the pattern');
    this.#position += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  #choice(flags: Flags): RegexNode {
    if (++this.#depth > MAX_DEPTH) throw this.#error('Pattern is nested too deeply');
    const options: RegexNode[] = [];
    let current = flags;
    do {
      const parts: RegexNode[] = [];
      while (this.#next !== undefined && this.#next !== '|' && this.#next !== ')') {
        const inline = this.#inlineFlags(current);
        if (inline !== null) current = inline;
        else parts.push(this.#quantified(current));
      }
      options.push({ kind: 'sequence', parts });
    } while (this.#take('|'));
    this.#depth--;
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  /** `(?i)` and the like, which hold up to the end of the group. */
  #inlineFlags(flags: Flags): Flags | null {
    const match = /^\(\?([imsuxdU]*)(?:-([imsuxdU]+))?\)/.exec(
      this.pattern.slice(this.#position, this.#position + 24),
    );
    if (match === null) return null;
    this.#position += match[0].length;
    return changed(flags, match[1], match[2]);
  }

  #quantified(flags: Flags): RegexNode {
    if (flags.has('x') && this.#skipComment()) return { kind: 'empty' };
    let node = this.#atom(flags);
    for (;;) {
      const bounds = this.#quantifier();
      if (bounds === null) return node;
      const [min, max] = bounds;
      if (this.#next === '+') throw this.#error('Possessive quantifiers are not supported');
      node = { kind: 'repeat', body: node, min, max, greedy: !this.#take('?') };
    }
  }

  #skipComment(): boolean {
    const match = /^(?:\s+|#[^\n]*)/.exec(this.pattern.slice(this.#position));
    if (match === null) return false;
    this.#position += match[0].length;
    return true;
  }

  #quantifier(): readonly [number, number] | null {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    if (this.#next !== '{') return null;
    const match = /^\{(\d{1,9})(,(\d{1,9})?)?\}/.exec(
      this.pattern.slice(this.#position, this.#position + 24),
    );
    if (match === null) throw this.#error('Illegal repetition');
    this.#position += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === undefined ? Infinity : Number(match[3]);
    if (max < min) throw this.#error('Illegal repetition range');
    return [min, max];
  }

  #atom(flags: Flags): RegexNode {
    const char = this.#next!;
    switch (char) {
      case '(':
        return this.#group(flags);
      case '[':
        this.#position++;
        return { kind: 'char', set: this.#withCase(this.#class(flags), flags) };
      case '.':
        this.#position++;
        return { kind: 'char', set: anyChar(flags) };
      case '^':
        this.#position++;
        return assertion(lineAssertion(flags, 'lineStart', 'unixLineStart', 'textStart'));
      case '$':
        this.#position++;
        return assertion(lineAssertion(flags, 'lineEnd', 'unixLineEnd', 'lastLineEnd'));
      case '*':
      case '+':
      case '?':
        throw this.#error(`Dangling meta character '${char}'`);
      case '\\':
        this.#position++;
        return this.#escape(flags);
      default: {
        const codePoint = this.#codePoint();
        return { kind: 'char', set: this.#withCase(range(codePoint, codePoint), flags) };
      }
    }
  }

  #withCase(set: CharSet, flags: Flags): CharSet {
    return flags.has('i') ? caseInsensitive(set, flags.has('u') || flags.has('U')) : set;
  }

  #group(flags: Flags): RegexNode {
    this.#position++;
    if (!this.#take('?')) return this.#capture(flags);
    if (/^<[A-Za-z]/.test(this.pattern.slice(this.#position, this.#position + 2))) {
      const name = /^<[A-Za-z][A-Za-z0-9]*>/.exec(this.pattern.slice(this.#position));
      if (name === null) throw this.#error('named capturing group is missing trailing ">"');
      this.#position += name[0].length;
      return this.#capture(flags);
    }
    for (const [opening, ahead, negative] of LOOKS) {
      if (!this.#take(opening)) continue;
      return { kind: 'look', body: this.#body(flags), ahead, negative };
    }
    if (this.#take('>')) throw this.#error('Atomic groups are not supported');
    const scoped = /^([imsuxdU]*)(?:-([imsuxdU]+))?:/.exec(this.pattern.slice(this.#position));
    if (scoped === null) throw this.#error('Unknown inline modifier');
    this.#position += scoped[0].length;
    return this.#body(changed(flags, scoped[1], scoped[2]));
  }

  #capture(flags: Flags): RegexNode {
    const index = ++this.#groups;
    return { kind: 'group', body: this.#body(flags), index };
  }

  #body(flags: Flags): RegexNode {
    const body = this.#choice(flags);
    if (!this.#take(')')) throw this.#error('Unclosed group');
    return body;
  }

  #escape(flags: Flags): RegexNode {
    const char = this.#next;
    if (char === 'Q') return this.#quoted(flags);
    const kind = char === undefined ? undefined : ASSERTIONS.get(char);
    if (kind !== undefined) {
      this.#position++;
      return assertion(kind);
    }
    if (char === 'R') {
      this.#position++;
      const crlf: RegexNode = {
        kind: 'sequence',
        parts: [13, 10].map((unit) => ({ kind: 'char', set: range(unit, unit) })),
      };
      return { kind: 'choice', options: [crlf, { kind: 'char', set: VERTICAL_SPACE }] };
    }
    if (char !== undefined && /[1-9k]/.test(char)) {
      throw this.#error('Back references are not supported');
    }
    return { kind: 'char', set: this.#withCase(this.#escapedSet(flags), flags) };
  }

  #quoted(flags: Flags): RegexNode {
    const start = this.#position + 1;
    const end = this.pattern.indexOf('\\E', start);
    const text = this.pattern.slice(start, end < 0 ? undefined : end);
    this.#position = end < 0 ? this.pattern.length : end + 2;
    const parts = [...text].map((char): RegexNode => {
      const codePoint = char.codePointAt(0)!;
      return { kind: 'char', set: this.#withCase(range(codePoint, codePoint), flags) };
    });
    return { kind: 'sequence', parts };
  }

  /** The set behind a backslash: `\d`, `\p{L}`, `\u0041`, `\.`. */
  #escapedSet(flags: Flags): CharSet {
    const unicode = flags.has('U');
    const char = String.fromCodePoint(this.#codePoint());
    const lower = char.toLowerCase();
    const named =
      lower === 'd'
        ? unicode
          ? UNICODE_DIGIT
          : DIGIT
        : lower === 'w'
          ? unicode
            ? UNICODE_WORD
            : WORD
          : lower === 's'
            ? unicode
              ? UNICODE_SPACE
              : SPACE
            : lower === 'h'
              ? HORIZONTAL_SPACE
              : lower === 'v'
                ? VERTICAL_SPACE
                : lower === 'p'
                  ? this.#property()
                  : null;
    if (named !== null) return char === lower ? named : complement(named);
    const codePoint = this.#escapedCodePoint(char);
    return range(codePoint, codePoint);
  }

  #property(): CharSet {
    const match = /^(?:\{([^}]*)\}|(.))/su.exec(this.pattern.slice(this.#position));
    if (match === null) throw this.#error('Unclosed character family');
    const name = match[1] ?? match[2]!;
    const set = property(name);
    if (set === null) throw this.#error(`Unknown character property name {${name}}`);
    this.#position += match[0].length;
    return set;
  }

  /** The character that an escape such as `\n`, `\x41`, `\u0041`, `\.` stands for. */
  #escapedCodePoint(char: string): number {
    const control = CONTROLS.get(char);
    if (control !== undefined) return control;
    if (char === 'x' || char === 'u' || char === '0') {
      const rest = this.pattern.slice(this.#position, this.#position + 12);
      const match = NUMBERS[char].exec(rest);
      const digits = match?.[1] ?? match?.[2];
      const value = parseInt(digits ?? '', char === '0' ? 8 : 16);
      if (match === null || !(value <= 0x10ffff)) throw this.#error('Illegal escape sequence');
      this.#position += match[0].length;
      return value;
    }
    if (char === 'c') return this.#codePoint() ^ 64;
    if (/[A-Za-z]/.test(char)) throw this.#error('Illegal/unsupported escape sequence');
    return char.codePointAt(0)!;
  }

  /** A class after its `[`: items, nested classes, `&&`. */
  #class(flags: Flags): CharSet {
    if (++this.#depth > MAX_DEPTH) throw this.#error('Pattern is nested too deeply');
    const isNegative = this.#take('^');
    const operands: CharSet[] = [];
    let items: CharSet[] = [];
    for (let isFirst = true; ; isFirst = false) {
      if (this.#next === undefined) throw this.#error('Unclosed character class');
      if (!isFirst && this.#take(']')) break;
      if (this.#take('&&')) {
        operands.push(union(items));
        items = [];
      } else if (this.#take('[')) {
        items.push(this.#class(flags));
      } else {
        items.push(this.#classItem(flags));
      }
    }
    if (items.length > 0 || operands.length === 0) operands.push(union(items));
    this.#depth--;
    const set = intersection(operands);
    return isNegative ? complement(set) : set;
  }

  #classItem(flags: Flags): CharSet {
    if (this.#take('\\Q')) {
      const end = this.pattern.indexOf('\\E', this.#position);
      const text = this.pattern.slice(this.#position, end < 0 ? undefined : end);
      this.#position = end < 0 ? this.pattern.length : end + 2;
      const points = new Set([...text].map((char) => char.codePointAt(0)!));
      return charSet((codePoint) => points.has(codePoint));
    }
    const from = this.#classPoint();
    if (from === null) {
      this.#position++;
      return this.#escapedSet(flags);
    }
    const behind = this.pattern.slice(this.#position, this.#position + 2);
    if (behind[0] !== '-' || behind[1] === undefined || behind[1] === ']' || behind[1] === '[') {
      return range(from, from);
    }
    this.#position++;
    const to = this.#classPoint();
    if (to === null || to < from) throw this.#error('Illegal character range');
    return range(from, to);
  }

  /** One character of a class; null before an escape that stands for a set. */
  #classPoint(): number | null {
    if (this.#next !== '\\') return this.#codePoint();
    if (/[dDwWsShHvVpP]/.test(this.pattern[this.#position + 1] ?? '')) return null;
    this.#position++;
    return this.#escapedCodePoint(String.fromCodePoint(this.#codePoint()));
  }
}

const LOOKS: readonly (readonly [string, boolean, boolean])[] = [
  ['<=', false, false],
  ['<!', false, true],
  ['=', true, false],
  ['!', true, true],
];

const ASSERTIONS: ReadonlyMap<string, AssertionKind> = new Map([
  ['A', 'textStart'],
  ['z', 'textEnd'],
  ['Z', 'lastLineEnd'],
  ['b', 'boundary'],
  ['B', 'notBoundary'],
]);

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['f', 12],
  ['a', 7],
  ['e', 27],
]);

const NUMBERS = {
  x: /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/,
  u: /^([0-9a-fA-F]{4})/,
  '0': /^([0-3]?[0-7]{1,2})/,
} as const;

function assertion(kind: AssertionKind): RegexNode {
  return { kind: 'assertion', assertion: kind };
}
