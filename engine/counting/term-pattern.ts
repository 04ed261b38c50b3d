// The `regex` of a terms facet: Java syntax and flags on a linear-time engine, so that no pattern can
// stall a search. What that engine would understand differently from Java is rewritten or refused.

import { RE2JS } from 're2js';
import { EngineError, illegalArgument } from '../errors';
import { escapeMembers, propertyMembers } from './pattern-classes';

/** A pattern in the linear-time engine's own syntax, with its flags. Plain data. */
export interface TermPattern {
  readonly source: string;
  readonly flags: number;
  /** Terms are compared in their canonical composition, as the pattern is written. */
  readonly canonical: boolean;
}

/** What Java's flags mean at one place of a pattern. */
interface JavaFlags {
  ignoreCase: boolean;
  unicodeCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  unixLines: boolean;
  literal: boolean;
  comments: boolean;
  unicodeClasses: boolean;
}

const LINE_TERMINATORS = '\\n\\r\\x{85}\\x{2028}\\x{2029}';

/**
 * Checks and translates a Java pattern.
 *
 * @param flags names joined by `|`, any case; null: none
 * @throws EngineError PatternSyntaxException, or for a flag ElasticsearchIllegalArgumentException
 */
export function parseTermPattern(pattern: string, flags: string | null): TermPattern {
  const names = (flags ?? '').split('|').map((name) => name.toUpperCase());
  const java = parseFlags(names);
  const bits =
    (java.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (java.multiline ? RE2JS.MULTILINE : 0) |
    (java.dotAll ? RE2JS.DOTALL : 0);
  if (java.literal) java.comments = false;
  const canonical = names.includes('CANON_EQ');
  const given = canonical ? pattern.normalize('NFC') : pattern;
  const text = java.literal ? RE2JS.quote(given) : given;
  assertSmall(given);
  const translated = { source: new Translator(text, java).translate(), flags: bits, canonical };
  compileTermPattern(translated);
  return translated;
}

/** Counted repetitions are written out: about so many instructions a pattern may become. */
const MAX_INSTRUCTIONS = 50_000;

/** @throws EngineError PatternSyntaxException */
function assertSmall(pattern: string): void {
  let repetitions = 0;
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    repetitions += Math.max(Number(least), Number(most ?? 0));
  }
  if (repetitions * pattern.length > MAX_INSTRUCTIONS) {
    throw syntaxError(
      `repetitions of a pattern of [${pattern.length}] characters make it too large`,
    );
  }
}

/** Whether a term matches as a whole. */
export function compileTermPattern(pattern: TermPattern): (term: string) => boolean {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern.source, pattern.flags);
  } catch (error) {
    throw syntaxError(error instanceof Error ? error.message : String(error));
  }
  return pattern.canonical
    ? (term) => compiled.matches(term.normalize('NFC'))
    : (term) => compiled.matches(term);
}

function parseFlags(names: readonly string[]): JavaFlags {
  const flags: JavaFlags = {
    ignoreCase: false,
    unicodeCase: false,
    multiline: false,
    dotAll: false,
    unixLines: false,
    literal: false,
    comments: false,
    unicodeClasses: false,
  };
  for (const name of names) {
    if (name === '' || name === 'CANON_EQ') continue;
    if (name === 'CASE_INSENSITIVE') flags.ignoreCase = true;
    else if (name === 'MULTILINE') flags.multiline = true;
    else if (name === 'DOTALL') flags.dotAll = true;
    else if (name === 'UNICODE_CASE') flags.unicodeCase = true;
    else if (name === 'UNIX_LINES') flags.unixLines = true;
    else if (name === 'LITERAL') flags.literal = true;
    else if (name === 'COMMENTS') flags.comments = true;
    else if (name === 'UNICODE_CHAR_CLASS') flags.unicodeClasses = flags.unicodeCase = true;
    else throw illegalArgument(`Unknown regex flag [${name}]`);
  }
  return flags;
}

function syntaxError(message: string): EngineError {
  return new EngineError('PatternSyntaxException', message);
}

/** Flags that a pattern may switch, `(?i)` or `(?i-s:...)`, and those of them that the engine knows, too. */
const INLINE_FLAGS: ReadonlyMap<string, keyof JavaFlags> = new Map([
  ['i', 'ignoreCase'],
  ['u', 'unicodeCase'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
  ['d', 'unixLines'],
  ['x', 'comments'],
  ['U', 'unicodeClasses'],
]);
const SHARED_FLAGS: ReadonlySet<string> = new Set(['i', 'm', 's']);

/** Rewrites one Java pattern, in one pass from left to right. */
class Translator {
  private at = 0;
  private out = '';
  /** Flags outside the groups that are open. */
  private readonly outer: JavaFlags[] = [];

  constructor(
    private readonly text: string,
    private flags: JavaFlags,
  ) {}

  translate(): string {
    while (this.at < this.text.length) this.item();
    return this.out;
  }

  private item(): void {
    const char = this.take();
    switch (char) {
      case '\\':
        this.escape(false);
        break;
      case '[':
        this.characterClass();
        break;
      case '(':
        this.openGroup();
        break;
      case ')':
        this.flags = this.outer.pop() ?? this.flags;
        this.out += char;
        break;
      case '.':
        this.out += this.flags.dotAll || this.flags.unixLines ? '.' : `[^${LINE_TERMINATORS}]`;
        break;
      case '*':
      case '+':
      case '?':
      case '}':
        this.out += char;
        if (this.text[this.at] === '+')
          throw syntaxError('possessive quantifiers are not supported');
        break;
      case '#':
        if (!this.flags.comments) this.literal(char);
        else while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++;
        break;
      default:
        if (!this.flags.comments || !/\s/.test(char)) this.literal(char);
    }
  }

  /** After `(`. Flags hold up to the end of the group they are switched in. */
  private openGroup(): void {
    const inline = /^\?([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/.exec(
      this.text.slice(this.at, this.at + 20),
    );
    if (inline === null) {
      this.outer.push(this.flags);
      this.out += '(';
      return;
    }
    const [whole, on = '', off = '', end] = inline;
    this.at += whole.length;
    if (end === ':') this.outer.push(this.flags);
    const flags = { ...this.flags };
    for (const letter of on + off) {
      const flag = INLINE_FLAGS.get(letter);
      if (flag === undefined)
        throw syntaxError(`Unknown inline modifier near index ${this.at - 1}`);
    }
    for (const letter of on) flags[INLINE_FLAGS.get(letter)!] = true;
    if (on.includes('U')) flags.unicodeCase = true;
    for (const letter of off) flags[INLINE_FLAGS.get(letter)!] = false;
    this.flags = flags;
    const shared = (letters: string) =>
      [...letters].filter((each) => SHARED_FLAGS.has(each)).join('');
    const switches = shared(on) + (shared(off) === '' ? '' : `-${shared(off)}`);
    if (end === ':') this.out += `(?${switches}:`;
    else if (switches !== '') this.out += `(?${switches})`;
  }

  /** A character outside classes. Without UNICODE_CASE only ASCII letters fold. */
  private literal(char: string): void {
    const exact = this.flags.ignoreCase && !this.flags.unicodeCase && char.codePointAt(0)! > 0x7f;
    this.out += exact ? `(?-i:${char})` : char;
  }

  /** After a backslash. */
  private escape(inClass: boolean): void {
    const char = this.take();
    switch (char) {
      case '':
        throw syntaxError('Unexpected internal error near index ' + this.at);
      case 'Q':
        this.quoted(inClass);
        break;
      case 's':
      case 'S':
      case 'd':
      case 'D':
      case 'w':
      case 'W':
        this.predefinedClass(char, inClass);
        break;
      case 'e':
        this.out += '\\x1B';
        break;
      case 'u':
        this.unicodeEscape();
        break;
      case 'p':
      case 'P':
        this.property(char, inClass);
        break;
      case 'v':
      case 'h':
      case 'H':
      case 'V':
      case 'R':
      case 'X':
        throw syntaxError(`\\${char} is not supported`);
      default:
        this.out += '\\' + char;
    }
  }

  private predefinedClass(letter: string, inClass: boolean): void {
    const name = letter.toLowerCase();
    const members = escapeMembers(name, this.flags.unicodeClasses);
    if (members === undefined) this.out += `\\${letter}`;
    else this.listed(`\\${letter}`, members, letter !== name, inClass);
  }

  /** A class by its members. */
  private listed(shown: string, members: string, isNegated: boolean, inClass: boolean): void {
    if (!inClass) this.out += isNegated ? `[^${members}]` : `[${members}]`;
    else if (!isNegated) this.out += members;
    else throw syntaxError(`${shown} inside a character class is not supported`);
  }

  private quoted(inClass: boolean): void {
    const end = this.text.indexOf('\\E', this.at);
    const body = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 2;
    for (const char of body) {
      if (/[\w]/.test(char) || char.codePointAt(0)! > 0x7f) {
        if (inClass) this.out += char;
        else this.literal(char);
      } else this.out += char < ' ' ? `\\x{${char.codePointAt(0)!.toString(16)}}` : '\\' + char;
    }
  }

  private unicodeEscape(): void {
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw syntaxError(`Illegal Unicode escape sequence near index ${this.at}`);
    }
    this.at += 4;
    this.out += `\\x{${digits}}`;
  }

  private property(letter: string, inClass: boolean): void {
    if (this.text[this.at] !== '{') {
      this.out += `\\${letter}${this.take()}`;
      return;
    }
    const end = this.text.indexOf('}', this.at);
    if (end < 0) throw syntaxError(`Unclosed character family near index ${this.text.length - 1}`);
    const name = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    const members = propertyMembers(name, this.flags.unicodeClasses);
    if (members === undefined) {
      this.out += `\\${letter}{${name.startsWith('Is') ? name.slice(2) : name}}`;
    } else this.listed(`\\${letter}{${name}}`, members, letter === 'P', inClass);
  }

  /** After `[`. Java's unions and intersections of classes have no counterpart. */
  private characterClass(): void {
    const start = this.at - 1;
    this.out += '[';
    if (this.text[this.at] === '^') this.out += this.take();
    let isFirst = true;
    for (;;) {
      const char = this.take();
      if (char === '')
        throw syntaxError(`Unclosed character class near index ${this.text.length - 1}`);
      if (char === ']' && !isFirst) break;
      if (char === '[')
        throw syntaxError(`nested character class near index ${start} is not supported`);
      if (char === '&' && this.text[this.at] === '&') {
        throw syntaxError(`intersection of character classes near index ${start} is not supported`);
      }
      if (char === '\\') this.escape(true);
      else if (char === ']') this.out += '\\]';
      else if (!this.flags.comments || !/\s/.test(char)) this.out += char;
      isFirst = false;
    }
    this.out += ']';
  }

  /** The next code point, or '' at the end. */
  private take(): string {
    const point = this.text.codePointAt(this.at);
    if (point === undefined) return '';
    const char = String.fromCodePoint(point);
    this.at += char.length;
    return char;
  }
}
