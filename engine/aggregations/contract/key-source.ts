// Where the keys of buckets come from, on one segment.

import {
  ComputedNumbers,
  ConstantKeys,
  countOrdinals,
  DistinctBuckets,
  DocumentScript,
  type KeyList,
  type KeyReader,
  NumberKeys,
  type OrdinalCounts,
  OrdinalKeys,
  ScriptTexts,
  type ScoresOf,
  type Term,
  type TermColumn,
  TermNumbers,
  termColumn,
  termsAt,
  textKeys,
} from '../../counting/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { ValuesSpec } from './values';

/** How keys are kept: texts, exact integers or doubles. */
export type KeyType = KeyList['type'];

/** The type of the keys that values make. */
export function keyTypeOf({ kind, fieldKind, script }: ValuesSpec): KeyType {
  if (kind !== 'numbers') return 'string';
  return script === null && (fieldKind === 'int' || fieldKind === 'long') ? 'long' : 'double';
}

/** The keys of one segment. */
export interface KeySource {
  readonly reader: KeyReader;
  /** The key that the reader calls by a number, to be tested. */
  keyAt(key: number): Term;
  /** The keys of these numbers. */
  listOf(keys: Uint32Array): KeyList;
  /** Where keys are the terms of a field: these. */
  readonly terms: FieldTerms | null;
}

/**
 * Opens the keys of a segment; the function gives null where there are none.
 *
 * @param segments all of the shard, whose terms may have been numbered
 */
export function keySource(
  values: ValuesSpec,
  scoresOf: ScoresOf,
  segments: readonly SegmentReader[] = [],
): (segment: SegmentReader) => KeySource | null {
  const { field, fieldKind, script, hasField, kind, constant } = values;
  const column = (segment: SegmentReader): TermColumn | null =>
    field === null || fieldKind === null ? null : termColumn(segment, field, fieldKind);
  if (script === null) {
    if (constant !== null) return (segment) => new ConstantSource(constant, segment.docCount);
    const numbers = field === null ? null : TermNumbers.of(segments, field, segments.map(column));
    return (segment) => {
      const found = column(segment);
      return found === null ? null : new FieldTerms(found, segment, numbers);
    };
  }
  const run = new DocumentScript(script.plan, script.now, scoresOf, ['_value']);
  return (segment) => {
    if (hasField && field === null) return null;
    run.open(segment);
    if (kind === 'numbers') {
      const numbers = field === null ? null : (segment.numeric(field) ?? undefined);
      return numbers === undefined
        ? null
        : new NumberSourceKeys(new ComputedNumbers(segment, run, numbers));
    }
    const found = field === null ? null : column(segment);
    if (hasField && found === null) return null;
    return new ScriptTextKeys(new ScriptTexts(segment, run, found));
  };
}

/** The terms of a field. */
export class FieldTerms implements KeySource {
  private opened: OrdinalKeys | null = null;

  constructor(
    private readonly column: TermColumn,
    private readonly segment: SegmentReader,
    private readonly numbers: TermNumbers | null,
  ) {}

  get size(): number {
    return this.column.terms.size;
  }

  get terms(): FieldTerms {
    return this;
  }

  get reader(): OrdinalKeys {
    return (this.opened ??= new OrdinalKeys(
      this.column.ordinals(),
      this.segment.docCount,
      this.size,
    ));
  }

  termAt(ordinal: number): Term {
    return this.column.terms.termAt(ordinal);
  }

  keyAt(key: number): Term {
    return this.termAt(this.reader.ordinalOf(key));
  }

  listOf(keys: Uint32Array): KeyList {
    return this.termsAt(keys.map((key) => this.reader.ordinalOf(key)));
  }

  /** The terms of these ordinals. */
  termsAt(ordinals: Uint32Array): KeyList {
    const { numbers } = this;
    const numbered = numbers?.numbersOf(this.segment) ?? null;
    if (numbers === null || numbered === null) return termsAt(this.column.terms, ordinals);
    // Reading terms out of order out of a dictionary takes much longer.
    return numbers.keys.listOf(ordinals.map((ordinal) => numbered[ordinal]!));
  }

  /** Counts all documents of a set by term. */
  count(docs: Bitset): OrdinalCounts {
    return countOrdinals(this.column, this.size, docs);
  }
}

/** One text that every document has. */
class ConstantSource implements KeySource {
  readonly reader: ConstantKeys;
  readonly terms = null;

  constructor(
    private readonly text: string,
    docCount: number,
  ) {
    this.reader = new ConstantKeys(docCount);
  }

  keyAt(): Term {
    return this.text;
  }

  listOf(keys: Uint32Array): KeyList {
    return textKeys(Array.from(keys, () => this.text));
  }
}

/** Numbers that a script makes. */
class NumberSourceKeys implements KeySource {
  readonly reader: NumberKeys;
  readonly terms = null;
  private readonly distinct = new DistinctBuckets();

  constructor(numbers: ComputedNumbers) {
    this.reader = new NumberKeys(numbers, this.distinct);
  }

  keyAt(key: number): Term {
    return this.distinct.keyAt(key);
  }

  listOf(keys: Uint32Array): KeyList {
    const all = this.distinct.keys();
    return { type: 'double', values: Float64Array.from(keys, (key) => all[key]!) };
  }
}

/** Texts that a script makes. */
class ScriptTextKeys implements KeySource {
  readonly terms = null;

  constructor(readonly reader: ScriptTexts) {}

  keyAt(key: number): Term {
    return this.reader.textAt(key);
  }

  listOf(keys: Uint32Array): KeyList {
    return textKeys(Array.from(keys, (key) => this.reader.textAt(key)));
  }
}
