// The `fuzziness` option: edits, similarities, distances and time values in one notation.

import { illegalArgument } from '../../../errors';
import { textOf, type Scalar } from './members';
import { parseDouble } from '../../../common/index';

/** Most edits that terms may be apart. */
export const MAX_EDITS = 2;

const UNIT_MILLIS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/** What query_string makes of whole edits: not the inverse of the rule by which it reads similarities. */
const EDITS_AS_SIMILARITY: ReadonlyMap<string, string> = new Map([
  ['0', '0.0'],
  ['1', '0.8'],
  ['2', '0.6'],
]);

/** Of a term of five characters. */
const AUTO_SIMILARITY = 0.66;

/** A fuzziness as given; it is read when it meets a field. */
export class Fuzziness {
  static readonly AUTO = new Fuzziness('AUTO');

  constructor(private readonly text: string) {}

  /** `AUTO` in any case, or any text. */
  static of(value: Scalar): Fuzziness {
    const text = textOf(value);
    return text.toUpperCase() === 'AUTO' ? Fuzziness.AUTO : new Fuzziness(text);
  }

  /**
   * Edits allowed for a term. `AUTO` and fractions go by its length in code points.
   *
   * @throws EngineError NumberFormatException
   */
  editsFor(term: string): number {
    const length = Array.from(term).length;
    if (this === Fuzziness.AUTO) return length <= 2 ? 0 : length > 5 ? 2 : 1;
    return editsOf(this.asFloat(), length);
  }

  /** The `fuzziness` of query_string, which takes a similarity from 0 to 1. */
  asSimilarity(): string {
    if (this === Fuzziness.AUTO) return '0.5';
    const known = EDITS_AS_SIMILARITY.get(this.text);
    if (known !== undefined) return known;
    const similarity = this.asFloat();
    if (similarity > 0 && similarity < 1) return this.text;
    throw illegalArgument(`Can't get similarity from fuzziness [${this.text}]`);
  }

  /**
   * How alike terms must be at least: a similarity below 1, or a number of edits.
   *
   * @throws EngineError NumberFormatException
   */
  leastSimilarity(): number {
    return this.asFloat();
  }

  /**
   * A similarity; whole edits are taken for what they are in a word of five characters.
   *
   * @throws EngineError when there is no such similarity
   */
  similarityInWord(): number {
    return Math.fround(this === Fuzziness.AUTO ? AUTO_SIMILARITY : Number(this.asSimilarity()));
  }

  /** @throws EngineError NumberFormatException */
  asInt(): number {
    return Number(this.asLong());
  }

  /** @throws EngineError NumberFormatException */
  asLong(): bigint {
    if (this === Fuzziness.AUTO) return 1n;
    if (/^[+-]?\d{1,19}$/.test(this.text)) return BigInt(this.text.replace(/^\+/, ''));
    const value = Math.trunc(this.asFloat());
    return Number.isFinite(value) ? BigInt(value) : 0n;
  }

  /** @throws EngineError NumberFormatException */
  asDouble(): number {
    return this === Fuzziness.AUTO ? 1 : parseDouble(this.text);
  }

  /** A distance between dates: a time value such as `1d`, else milliseconds. */
  asMillis(): bigint {
    if (this === Fuzziness.AUTO) return 1n;
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|[smhdw])$/.exec(this.text.toLowerCase()) ?? [];
    const millis = UNIT_MILLIS.get(unit ?? '');
    if (amount === undefined || millis === undefined) return this.asLong();
    const distance = Math.trunc(Number(amount) * millis);
    return Number.isFinite(distance) ? BigInt(distance) : 0n;
  }

  private asFloat(): number {
    return Math.fround(this === Fuzziness.AUTO ? 1 : parseDouble(this.text));
  }
}

/** Edits in a word of this length for a number: 1 and more are edits, fractions a similarity. */
export function editsOf(number: number, length: number): number {
  if (Number.isNaN(number)) return 0;
  if (number >= 1) return Math.min(MAX_EDITS, Math.trunc(number));
  if (number === 0) return 0;
  return Math.max(0, Math.min(MAX_EDITS, Math.trunc((1 - number) * length)));
}
