// A pull scanner over JSON text: one token at a time, nothing built. Documents, requests and stored
// sources all pass through it, so it is a hot path: character codes only, no regular expressions, and
// names and strings without escapes are plain slices, cut only when somebody asks for them.
//
// It reads the reference server's dialect: member names without quotes,
// comments of both kinds, and anything at all after the first value. Everything else is strict JSON.

import { unescapeJson } from './unescape';
import { JsonSyntaxError } from './syntax-error';

/** What `next()` found. */
export const JsonToken = {
  End: 0,
  ObjectStart: 1,
  ObjectEnd: 2,
  ArrayStart: 3,
  ArrayEnd: 4,
  Name: 5,
  String: 6,
  Number: 7,
  True: 8,
  False: 9,
  Null: 10,
} as const;
export type JsonToken = (typeof JsonToken)[keyof typeof JsonToken];

/** Levels of objects and arrays accepted unless the caller says otherwise. */
export const DEFAULT_MAX_DEPTH = 250;

/** What the grammar allows next. */
const enum Expect {
  /** The top value. */
  Top,
  /** The first member or element, or the closing mark. */
  First,
  /** A comma or the closing mark. */
  Rest,
  /** A colon and a value. */
  Colon,
  /** Nothing: the top value is complete. */
  Nothing,
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SLASH = 0x2f;
const STAR = 0x2a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** 1 for the ASCII characters of an unquoted name. */
const NAME_CHARACTER = new Uint8Array(128);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$@#*-+') {
  NAME_CHARACTER[c.charCodeAt(0)] = 1;
}
const NAME_BEYOND_ASCII = /[\p{L}\p{N}\p{M}\p{Pc}\p{Sc}\p{Cs}]/u;

/**
 * Reads one JSON value from `source`.
 *
 * After `next()`: `token`, `start`/`end` (UTF-16 offsets of the token, quotes included), `depth` (open
 * objects and arrays, counting the one just begun and not the one just ended) and `text`.
 */
export class JsonScanner {
  token: JsonToken = JsonToken.End;
  start = 0;
  end = 0;
  depth = 0;

  private readonly source: string;
  private readonly length: number;
  private readonly maxDepth: number;
  /** Offset of the next character to look at. */
  private at = 0;
  private expect: Expect = Expect.Top;
  /** True while the innermost open container is an object. */
  private inObject = false;
  private readonly containers: boolean[] = [];
  private escaped = false;
  private quoted = false;
  private decoded: string | null = null;

  /** @param maxDepth containers deeper than this are a syntax error. */
  constructor(source: string, maxDepth: number = DEFAULT_MAX_DEPTH) {
    this.source = source;
    this.length = source.length;
    this.maxDepth = maxDepth;
    if (source.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  /** The decoded name or string, the spelling of a number; for other tokens their own characters. */
  get text(): string {
    if (this.decoded !== null) return this.decoded;
    const text = this.quoted
      ? this.escaped
        ? unescapeJson(this.source, this.start + 1, this.end - 1)
        : this.source.slice(this.start + 1, this.end - 1)
      : this.source.slice(this.start, this.end);
    this.decoded = text;
    return text;
  }

  /**
   * Moves to the next token. After the top value, and for blank text, this is `End`, as often as asked.
   *
   * @throws JsonSyntaxError
   */
  next(): JsonToken {
    this.decoded = null;
    this.quoted = false;
    let code = this.significant();
    switch (this.expect) {
      case Expect.Rest:
        if (code === COMMA) {
          this.at++;
          code = this.significant();
          return (this.token = this.inObject ? this.name(code) : this.value(code));
        }
        if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return (this.token = this.close(code));
        if (code < 0) throw this.endOfInput();
        throw this.unexpected(
          code,
          `was expecting comma to separate ${this.containerName()} entries`,
        );
      case Expect.Colon:
        if (code !== COLON) {
          if (code < 0) throw this.endWithinEntries();
          throw this.unexpected(code, 'was expecting a colon to separate field name and value');
        }
        this.at++;
        return (this.token = this.value(this.significant()));
      case Expect.First:
        if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return (this.token = this.close(code));
        if (code < 0) throw this.endOfInput();
        return (this.token = this.inObject ? this.name(code) : this.value(code));
      case Expect.Top:
        if (code < 0) return this.finish();
        return (this.token = this.value(code));
      case Expect.Nothing:
        return this.finish();
    }
  }

  /** After `ObjectStart` or `ArrayStart`: moves to the matching end token. Otherwise does nothing. */
  skipChildren(): void {
    if (this.token !== JsonToken.ObjectStart && this.token !== JsonToken.ArrayStart) return;
    const depth = this.depth - 1;
    while (this.depth > depth) this.next();
  }

  /** A syntax error at the current token, for callers that expected something else. */
  error(message: string): JsonSyntaxError {
    return new JsonSyntaxError(message + this.location(this.start));
  }

  private finish(): JsonToken {
    this.start = this.end = this.at;
    return (this.token = JsonToken.End);
  }

  /** The next character that is neither blank nor comment, without consuming it; -1 at the end. */
  private significant(): number {
    if (this.expect === Expect.Nothing) return -1;
    const { source, length } = this;
    let at = this.at;
    while (at < length) {
      const code = source.charCodeAt(at);
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
        at++;
      } else if (code === SLASH) {
        at = this.comment(at);
      } else {
        this.at = at;
        return code;
      }
    }
    this.at = at;
    return -1;
  }

  /** The offset after the comment that begins at `at`. */
  private comment(at: number): number {
    const { source } = this;
    const kind = source.charCodeAt(at + 1);
    if (kind === STAR) {
      const end = source.indexOf('*/', at + 2);
      if (end < 0) {
        throw new JsonSyntaxError(`Unexpected end-of-input in a comment${this.location(at)}`);
      }
      return end + 2;
    }
    if (kind === SLASH) {
      const end = source.indexOf('\n', at + 2);
      return end < 0 ? this.length : end + 1;
    }
    this.at = at + 1;
    if (this.at >= this.length) throw this.endOfInput();
    throw this.unexpected(kind, "was expecting either '*' or '/' for a comment");
  }

  private open(object: boolean): JsonToken {
    if (this.depth >= this.maxDepth) {
      throw new JsonSyntaxError(`nesting deeper than [${this.maxDepth}]${this.location(this.at)}`);
    }
    this.containers.push(this.inObject);
    this.inObject = object;
    this.depth++;
    this.expect = Expect.First;
    this.start = this.at;
    this.end = ++this.at;
    return object ? JsonToken.ObjectStart : JsonToken.ArrayStart;
  }

  private close(code: number): JsonToken {
    if ((code === CLOSE_BRACE) !== this.inObject) {
      const [expected, kind] = this.inObject ? ['}', 'OBJECT'] : [']', 'ARRAY'];
      const found = String.fromCharCode(code);
      throw new JsonSyntaxError(
        `Unexpected close marker '${found}': expected '${expected}' (for ${kind})${this.location(this.at)}`,
      );
    }
    const token = this.inObject ? JsonToken.ObjectEnd : JsonToken.ArrayEnd;
    this.start = this.at;
    this.end = ++this.at;
    this.depth--;
    this.inObject = this.containers.pop() === true;
    this.expect = this.depth === 0 ? Expect.Nothing : Expect.Rest;
    return token;
  }

  private name(code: number): JsonToken {
    this.expect = Expect.Colon;
    if (code === QUOTE) {
      this.string();
      return JsonToken.Name;
    }
    if (code < 0) throw this.endWithinEntries();
    const { source, length } = this;
    let at = this.at;
    while (at < length && isNameCharacter(source.charCodeAt(at))) at++;
    if (at === this.at) {
      throw this.unexpected(
        code,
        'was expecting either valid name character (for unquoted name) or double-quote (for quoted) to start field name',
      );
    }
    this.start = this.at;
    this.end = this.at = at;
    return JsonToken.Name;
  }

  private value(code: number): JsonToken {
    if (code === OPEN_BRACE) return this.open(true);
    if (code === OPEN_BRACKET) return this.open(false);
    this.expect = this.depth === 0 ? Expect.Nothing : Expect.Rest;
    if (code === QUOTE) {
      this.string();
      return JsonToken.String;
    }
    if ((code >= 0x30 && code <= 0x39) || code === 0x2d) return this.number();
    switch (code) {
      case 0x74:
        return this.word('true', JsonToken.True);
      case 0x66:
        return this.word('false', JsonToken.False);
      case 0x6e:
        return this.word('null', JsonToken.Null);
      case -1:
        throw this.endWithinEntries();
      case CLOSE_BRACKET:
        throw this.unexpected(code, 'expected a value');
      default:
        if (isNameCharacter(code) && code > 0x40) throw this.unrecognized();
        throw this.unexpected(
          code,
          "expected a valid value (number, String, array, object, 'true', 'false' or 'null')",
        );
    }
  }

  /** Consumes a quoted string, noting whether it holds escapes. */
  private string(): void {
    const { source, length } = this;
    const start = this.at;
    let at = start + 1;
    this.escaped = false;
    while (at < length) {
      const code = source.charCodeAt(at);
      if (code === QUOTE) {
        this.quoted = true;
        this.start = start;
        this.end = this.at = at + 1;
        return;
      }
      if (code === BACKSLASH) {
        this.escaped = true;
        at = this.escape(at + 1);
      } else if (code < 0x20) {
        throw new JsonSyntaxError(
          `Illegal unquoted character ((CTRL-CHAR, code ${code})): has to be escaped using backslash to be included in string value${this.location(at)}`,
        );
      } else {
        at++;
      }
    }
    const place = this.expect === Expect.Colon ? 'field name' : 'VALUE_STRING';
    throw new JsonSyntaxError(`Unexpected end-of-input in ${place}${this.location(at)}`);
  }

  /** The offset after the escape whose letter is at `at`. */
  private escape(at: number): number {
    const code = this.source.charCodeAt(at);
    switch (code) {
      case QUOTE:
      case BACKSLASH:
      case SLASH:
      case 0x62: // b
      case 0x66: // f
      case 0x6e: // n
      case 0x72: // r
      case 0x74: // t
        return at + 1;
      case 0x75: // u
        for (let i = at + 1; i <= at + 4; i++) {
          const digit = this.source.charCodeAt(i);
          if (!isHexDigit(digit)) {
            this.at = i;
            if (i >= this.length) throw this.endOfInput();
            throw this.unexpected(digit, 'expected a hex-digit for character escape sequence');
          }
        }
        return at + 5;
      default:
        this.at = at;
        if (at >= this.length) throw this.endOfInput();
        throw new JsonSyntaxError(
          `Unrecognized character escape ${describe(code)}${this.location(at)}`,
        );
    }
  }

  private number(): JsonToken {
    const { source } = this;
    const start = this.at;
    let at = start;
    let code = source.charCodeAt(at);
    if (code === 0x2d) {
      code = source.charCodeAt(++at);
      if (!isDigit(code)) {
        throw this.badNumber(
          at,
          'expected digit (0-9) to follow minus sign, for valid numeric value',
        );
      }
    }
    if (code === 0x30) {
      code = source.charCodeAt(++at);
      if (isDigit(code)) {
        throw new JsonSyntaxError(
          `Invalid numeric value: Leading zeroes not allowed${this.location(at)}`,
        );
      }
    } else {
      while (isDigit(code)) code = source.charCodeAt(++at);
    }
    if (code === 0x2e) {
      code = source.charCodeAt(++at);
      if (!isDigit(code)) throw this.badNumber(at, 'Decimal point not followed by a digit');
      while (isDigit(code)) code = source.charCodeAt(++at);
    }
    if (code === 0x65 || code === 0x45) {
      code = source.charCodeAt(++at);
      if (code === 0x2b || code === 0x2d) code = source.charCodeAt(++at);
      if (!isDigit(code)) throw this.badNumber(at, 'Exponent indicator not followed by a digit');
      while (isDigit(code)) code = source.charCodeAt(++at);
    }
    this.start = start;
    this.end = this.at = at;
    return JsonToken.Number;
  }

  private word(word: string, token: JsonToken): JsonToken {
    const end = this.at + word.length;
    if (!this.source.startsWith(word, this.at)) throw this.unrecognized();
    if (end < this.length && isNameCharacter(this.source.charCodeAt(end)))
      throw this.unrecognized();
    this.start = this.at;
    this.end = this.at = end;
    return token;
  }

  private unrecognized(): JsonSyntaxError {
    let end = this.at;
    while (end < this.length && isNameCharacter(this.source.charCodeAt(end))) end++;
    const word = this.source.slice(this.at, Math.min(end, this.at + 64));
    return new JsonSyntaxError(
      `Unrecognized token '${word}': was expecting 'null', 'true', 'false' or NaN${this.location(end)}`,
    );
  }

  private badNumber(at: number, expected: string): JsonSyntaxError {
    this.at = at;
    if (at >= this.length) return this.endOfInput();
    const found = describe(this.source.charCodeAt(at));
    return new JsonSyntaxError(
      `Unexpected character (${found}) in numeric value: ${expected}${this.location(at)}`,
    );
  }

  private unexpected(code: number, expected: string): JsonSyntaxError {
    return new JsonSyntaxError(
      `Unexpected character (${describe(code)}): ${expected}${this.location(this.at)}`,
    );
  }

  /** The text ends where a member, an element or the closing mark could come. */
  private endOfInput(): JsonSyntaxError {
    const what = this.depth === 0 ? '' : `: expected close marker for ${this.containerName()}`;
    return new JsonSyntaxError(`Unexpected end-of-input${what}${this.location(this.length)}`);
  }

  /** The text ends after a comma, a name or a colon. */
  private endWithinEntries(): JsonSyntaxError {
    return new JsonSyntaxError(
      `Unexpected end-of-input within/between ${this.containerName()} entries${this.location(this.length)}`,
    );
  }

  private containerName(): string {
    return this.inObject ? 'OBJECT' : 'ARRAY';
  }

  private location(offset: number): string {
    const before = this.source.slice(0, offset);
    const lines = before.split('\n');
    const column = (lines[lines.length - 1]?.length ?? 0) + 1;
    return `\n at [Source: line: ${lines.length}, column: ${column}]`;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function isNameCharacter(code: number): boolean {
  if (code < 128) return NAME_CHARACTER[code] === 1;
  return NAME_BEYOND_ASCII.test(String.fromCharCode(code));
}

/** A character as error messages quote it. */
function describe(code: number): string {
  return code < 0x20
    ? `(CTRL-CHAR, code ${code})`
    : `'${String.fromCharCode(code)}' (code ${code})`;
}
