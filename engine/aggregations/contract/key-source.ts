// Where the keys of buckets come from, on one segment.

import {
  ComputedNumbers,
  ConstantKeys,
  countOrdinals,
  DistinctBuckets,
  DocumentScript,
  type KeyColumn,
  type KeyList,
  type KeyReader,
  NumberKeys,
  type OrdinalCounts,
  ordinalKeys,
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
import { listed, type PlacedKeys } from './bucket-keys';
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
    let numbers: TermNumbers | null | undefined;
    const numbered = () => (numbers ??= TermNumbers.of(segments, field!, keyTypeOf(values)));
    return (segment) => {
      const found = column(segment);
      return found === null
        ? null
        : new FieldTerms(found, segment, segments.length === 1, numbered);
    };
  }
  const run = new DocumentScript(script.plan, script.now, scoresOf, ['_value']);
  return (segment) => {
    if (hasField && field === null && constant === null) return null;
    run.open(segment);
    if (kind === 'numbers') {
      const numbers = field === null ? null : (segment.numeric(field) ?? undefined);
      return numbers === undefined
        ? null
        : new NumberSourceKeys(new ComputedNumbers(segment, run, numbers));
    }
    const found = field === null ? null : column(segment);
    if (hasField && found === null && constant === null) return null;
    return new ScriptTextKeys(new ScriptTexts(segment, run, found, constant));
  };
}

/** The terms of a field. */
export class FieldTerms implements KeySource {
  private opened: OrdinalKeys | null = null;

  /**
   * @param isAlone the shard has no other segments
   * @param numbered gives the numbers of the field's terms on the shard; null: they have none
   */
  constructor(
    private readonly column: TermColumn,
    private readonly segment: SegmentReader,
    private readonly isAlone: boolean,
    private readonly numbered: () => TermNumbers | null,
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

  /** The ordinals of documents, as keys. */
  get keys(): KeyColumn {
    return { ...this.column.ordinals(), size: this.size, mayRepeat: false };
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

  /** The terms of these ordinals; null: all of them. */
  termsAt(ordinals: Uint32Array | null): KeyList {
    return termsAt(this.column.terms, ordinals);
  }

  /** The terms of these ordinals as keys of buckets, and which bucket has which of them. */
  keysAt(ordinals: Uint32Array): PlacedKeys {
    const { terms } = this.column;
    if (this.isAlone) return { keys: ordinalKeys(terms), keyOf: ordinals };
    const numbers = this.numbered();
    if (numbers === null) return listed({ keys: ordinalKeys(terms), keyOf: ordinals });
    const numbersOf = numbers.numbersOf(this.segment, this.column);
    return { keys: numbers.keys, keyOf: ordinals.map((ordinal) => numbersOf[ordinal]!) };
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
