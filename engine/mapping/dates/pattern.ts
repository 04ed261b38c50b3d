// Joda-style patterns (`yyyy-MM-dd HH:mm:ss`) as format elements.

import { EngineError } from '../../errors';
import { Literal, Sequence, type FormatElement } from './elements';
import { NameElement } from './name-elements';
import { FractionElement, NumberElement, TwoDigitYear } from './number-elements';
import { DateUnit } from './parsed-fields';
import { OffsetElement, ZoneElement } from './zone-elements';

const NUMERIC = 'cyxYdhHmsSeDFwWkKM';

/**
 * Compiles a pattern.
 *
 * @throws EngineError IllegalArgumentException for letters without meaning and for an empty pattern
 */
export function compilePattern(pattern: string): FormatElement {
  if (pattern === '')
    throw new EngineError('IllegalArgumentException', 'Invalid pattern specification');
  const tokens = tokenize(pattern);
  return new Sequence(tokens.map((token, i) => element(token, tokens[i + 1])));
}

interface PatternToken {
  readonly letter: string | null;
  readonly text: string;
}

/** Runs of one letter, and the literal text between them. */
function tokenize(pattern: string): PatternToken[] {
  const tokens: PatternToken[] = [];
  let literal = '';
  let quoted = false;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern.charAt(i);
    if (c === "'") {
      if (pattern.charAt(i + 1) === "'") {
        literal += c;
        i++;
      } else {
        quoted = !quoted;
      }
    } else if (quoted || !/[A-Za-z]/.test(c)) {
      literal += c;
    } else {
      if (literal !== '') tokens.push({ letter: null, text: literal });
      literal = '';
      let end = i + 1;
      while (pattern.charAt(end) === c) end++;
      tokens.push({ letter: c, text: pattern.slice(i, end) });
      i = end - 1;
    }
  }
  if (literal !== '') tokens.push({ letter: null, text: literal });
  return tokens;
}

/** True when the digits of the next token would run into this one's. */
function isNumeric(token: PatternToken | undefined): boolean {
  if (!token?.letter || !NUMERIC.includes(token.letter)) return false;
  return token.letter !== 'M' || token.text.length <= 2;
}

function element({ letter, text }: PatternToken, next: PatternToken | undefined): FormatElement {
  const length = text.length;
  switch (letter) {
    case null:
      return new Literal(text);
    case 'G':
      return NameElement.era();
    case 'C':
      return new NumberElement(DateUnit.CenturyOfEra, length, Math.max(length, 9));
    case 'y':
    case 'x':
    case 'Y':
      return year(letter, length, isNumeric(next));
    case 'M':
      return length >= 3
        ? NameElement.month(length >= 4)
        : new NumberElement(DateUnit.Month, length, 2);
    case 'd':
      return new NumberElement(DateUnit.DayOfMonth, length, 2);
    case 'a':
      return NameElement.halfday();
    case 'h':
      return new NumberElement(DateUnit.ClockHourOfHalfday, length, 2);
    case 'H':
      return new NumberElement(DateUnit.Hour, length, 2);
    case 'k':
      return new NumberElement(DateUnit.ClockHour, length, 2);
    case 'K':
      return new NumberElement(DateUnit.HourOfHalfday, length, 2);
    case 'm':
      return new NumberElement(DateUnit.Minute, length, 2);
    case 's':
      return new NumberElement(DateUnit.Second, length, 2);
    case 'S':
      return new FractionElement(DateUnit.FractionOfSecond, 1000, length, length);
    case 'e':
      return new NumberElement(DateUnit.DayOfWeek, length, 1);
    case 'E':
      return NameElement.dayOfWeek(length >= 4);
    case 'D':
      return new NumberElement(DateUnit.DayOfYear, length, 3);
    case 'w':
      return new NumberElement(DateUnit.Week, length, 2);
    case 'z':
      return new ZoneElement(false);
    case 'Z':
      return length >= 3 ? new ZoneElement(true) : new OffsetElement(null, length === 2);
    default:
      throw new EngineError('IllegalArgumentException', `Illegal pattern component: ${text}`);
  }
}

function year(letter: string, length: number, crowded: boolean): FormatElement {
  const unit =
    letter === 'x' ? DateUnit.Weekyear : letter === 'y' ? DateUnit.Year : DateUnit.YearOfEra;
  if (length === 2) return new TwoDigitYear(unit, new Date().getUTCFullYear() - 30, !crowded);
  return new NumberElement(unit, length, crowded ? length : 9, letter !== 'Y');
}
