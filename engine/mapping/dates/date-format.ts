// Date formats by name or pattern: parsing and printing. Formats are compiled once and kept.
//
// Behaviour as on the reference server. Alternatives separated by `||` are tried in order; the first one
// prints. Texts without an offset are in UTC unless a time zone is given.

import { EngineError } from '../../errors';
import {
  addMillis,
  approximate,
  fromEpoch,
  toEpoch,
  type EpochMillis,
  type LocalTime,
} from './calendar';
import { Alternatives, type FormatElement } from './elements';
import { parseIsoDate } from './iso-date';
import { namedFormat } from './named-formats';
import { ParsedFields } from './parsed-fields';
import { compilePattern } from './pattern';
import { offsetFromLocal, UTC, type TimeZone } from './time-zone';
export type { EpochMillis } from './calendar';
export { timeZone, UTC, type TimeZone } from './time-zone';

/** The format of date fields that name none. */
export const DEFAULT_DATE_FORMAT = 'dateOptionalTime';

/** How much of a text an error message quotes. */
const SAMPLE_LENGTH = 32;

/** A value of a date is read by one alternative after the other, on the thread that all requests share. */
const MOST_ALTERNATIVES = 100;
const MOST_CHARACTERS = 4096;

/** Between these, years have four digits, and JavaScript prints the default format. */
const FIRST_ISO = Date.UTC(1000, 0);
const LAST_ISO = Date.UTC(10_000, 0) - 1;

/** One or more alternative formats. Immutable; get it from {@link dateFormat}. */
export class DateFormat {
  private readonly iso: boolean;

  constructor(
    /** As written in the mapping. */
    readonly pattern: string,
    private readonly parser: FormatElement,
    private readonly printer: FormatElement,
  ) {
    this.iso = pattern === 'dateOptionalTime' || pattern === 'date_optional_time';
  }

  /**
   * The instant a text stands for; parts that are missing have their smallest value.
   *
   * @throws EngineError IllegalArgumentException (`Invalid format: ...`), IllegalFieldValueException
   */
  parse(text: string, zone: TimeZone = UTC): EpochMillis {
    if (this.iso && zone === UTC) {
      const fast = parseIsoDate(text);
      if (!Number.isNaN(fast)) return fast;
    }
    const fields = new ParsedFields();
    const end = this.parser.parse(fields, text, 0);
    if (end !== text.length) throw malformed(text, end < 0 ? ~end : end);
    return instantOf(fields, null, text, zone);
  }

  /** Like {@link parse}, but null instead of an error. */
  tryParse(text: string, zone: TimeZone = UTC): EpochMillis | null {
    // An error costs a hundred times what it costs to see that most texts are no dates.
    const fields = new ParsedFields();
    if (this.parser.parse(fields, text, 0) !== text.length) return null;
    try {
      return instantOf(fields, null, text, zone);
    } catch (error) {
      if (error instanceof EngineError) return null;
      throw error;
    }
  }

  /**
   * Reads as much of `text` as matches onto `base` (local time): parts that are missing keep its values.
   *
   * @returns the instant, or null with `end` where reading stopped when nothing matched
   * @throws EngineError IllegalFieldValueException
   */
  parseOnto(
    base: LocalTime,
    text: string,
    zone: TimeZone,
  ): { readonly end: number; readonly instant: EpochMillis | null } {
    const fields = new ParsedFields();
    const end = this.parser.parse(fields, text, 0);
    if (end < 0) return { end: ~end, instant: null };
    return { end, instant: instantOf(fields, base, text, zone) };
  }

  print(instant: EpochMillis, zone: TimeZone = UTC): string {
    if (this.iso && zone === UTC && instant >= FIRST_ISO && instant <= LAST_ISO)
      return isoText(Number(instant));
    const offset = zone.offsetAt(approximate(instant));
    const local = fromEpoch(addMillis(instant, offset));
    return this.printer.print({ ...local, offset, zoneId: zone.id });
  }
}

/** Instants whose texts are kept: keys of histograms come again and again. A power of two. */
const ISO_SLOTS = 1 << 10;
const isoInstants = new Float64Array(ISO_SLOTS).fill(NaN);
const isoTexts: string[] = Array.from({ length: ISO_SLOTS }, () => '');

/** An instant in the default format. Each has one slot where its text may be kept. */
function isoText(instant: number): string {
  const slot = Math.imul(Math.trunc(instant / 1000) | 0, 0x9e3779b1) >>> 22;
  if (isoInstants[slot] !== instant) {
    isoTexts[slot] = new Date(instant).toISOString();
    isoInstants[slot] = instant;
  }
  return isoTexts[slot]!;
}

function instantOf(
  fields: ParsedFields,
  base: LocalTime | null,
  text: string,
  zone: TimeZone,
): EpochMillis {
  const { day, ms } = fields.resolve(base, text);
  if (fields.offset !== null) return toEpoch(day, ms - fields.offset);
  const effective = fields.zone ?? zone;
  if (effective === UTC) return toEpoch(day, ms);
  return toEpoch(day, ms - offsetFromLocal(effective, approximate(toEpoch(day, ms))));
}

/** `Invalid format: "x"`, `... is too short`, `... is malformed at "..."`. */
function malformed(text: string, at: number): EngineError {
  const sample = text.length <= SAMPLE_LENGTH + 3 ? text : `${text.slice(0, SAMPLE_LENGTH)}...`;
  let message = `Invalid format: "${sample}"`;
  if (at > 0) {
    message += at >= text.length ? ' is too short' : ` is malformed at "${sample.slice(at)}"`;
  }
  return new EngineError('IllegalArgumentException', message);
}

const formats = new Map<string, DateFormat>();
const FORMATS_KEPT = 1_000;

/** The names and patterns that are joined by `||`. */
function alternatives(pattern: string): string[] {
  return pattern
    .trim()
    .split('||')
    .filter((part) => part !== '')
    .map((part) => part.trim());
}

/**
 * Refuses formats that are tried one after the other and are too many, alternatives counted one by one.
 * @throws EngineError IllegalArgumentException
 */
export function assertFewFormats(formats: readonly string[]): void {
  let count = 0;
  for (const format of formats) {
    assertShort(format);
    count += alternatives(format).length;
    if (count > MOST_ALTERNATIVES) {
      throw new EngineError(
        'IllegalArgumentException',
        `more than [${MOST_ALTERNATIVES}] date formats are alternatives of each other`,
      );
    }
  }
}

function assertShort(pattern: string): void {
  if (pattern.length <= MOST_CHARACTERS) return;
  throw new EngineError(
    'IllegalArgumentException',
    `date format [${pattern.slice(0, SAMPLE_LENGTH)}...] has [${pattern.length}] characters, more than [${MOST_CHARACTERS}]`,
  );
}

/**
 * The format of a name, a pattern, or several of them joined by `||`.
 *
 * @throws EngineError IllegalArgumentException for a pattern that cannot be, that is too long or has too many
 *   alternatives
 */
export function dateFormat(pattern: string): DateFormat {
  const known = formats.get(pattern);
  if (known) return known;
  const format = compile(pattern);
  if (formats.size >= FORMATS_KEPT) formats.clear();
  formats.set(pattern, format);
  return format;
}

function compile(pattern: string): DateFormat {
  assertFewFormats([pattern]);
  const parts = alternatives(pattern);
  if (parts.length === 0) {
    throw new EngineError('IllegalArgumentException', 'No date pattern provided');
  }
  const compiled = parts.map((part) => {
    const named = namedFormat(part);
    if (named) return named;
    const element = compileOrExplain(part);
    return { parser: element, printer: element };
  });
  const [first] = compiled;
  const parser =
    compiled.length === 1 && first
      ? first.parser
      : new Alternatives(
          compiled.map((format) => format.parser),
          false,
        );
  return new DateFormat(pattern, parser, first?.printer ?? parser);
}

function compileOrExplain(pattern: string): FormatElement {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(
      'IllegalArgumentException',
      `Invalid format: [${pattern}]: ${error.message}`,
      { cause: error },
    );
  }
}
