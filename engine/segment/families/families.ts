// Which documents of a shard are children of which: parents and children of one type, joined by number.
//
// A family is a parent's id, whether or not there is a document of that id: its parent has it as `_uid`,
// its children name it in `_parent`. Families are numbered as they are met, in a table that only grows, and
// every segment keeps the numbers of its documents. So a refresh numbers the documents of new segments and
// nothing else, and no query compares ids. The table goes with the segments whose numbers it gave; one that
// holds mostly ids that no segment has any more is given up.

import { META_FIELD } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import type { SegmentReader } from '../contract/reader';
import { hashTerm, TermHash } from '../dictionary/term-hash';
import { maxUtf8Length, writeUtf8 } from '../dictionary/utf8-order';

/** The family numbers of the documents of a segment, each plus 1, by document; 0: it is in none. */
export interface SegmentFamilies {
  /** Of root documents of the parent type, deleted ones included; null: there are none. */
  readonly ofParents: Uint32Array | null;
  /** The documents that have a number there, ascending; null: there are none, or so many that all are met. */
  readonly parents: Uint32Array | null;
  /**
   * Of documents with a parent of that type, deleted ones included; null: there are none. Nested objects of
   * a parent are among them, by its `_uid` (reference server): who wants none asks for types.
   */
  readonly ofChildren: Uint32Array | null;
}

/** What is kept for a segment. */
interface NumberedSegment extends SegmentFamilies {
  /** What gave the numbers; they mean nothing beside those of another one. */
  readonly table: FamilyTable;
  /** Ids that were looked up. */
  readonly ids: number;
}

/** The kind that kept numbers are counted under. */
const KIND = 'families';

/** Parents are listed where no more than one in so many documents is one. */
const LISTED_SHARE = 2;

/** Tables up to this size are kept, whatever is in them. */
const SMALL_TABLE = 1024;

/** Ids by number. */
class FamilyTable {
  readonly use = { bytes: 0 };
  readonly ids = new TermHash(this.use);
}

/** The families of a parent type over all segments of a shard. */
export class Families {
  private constructor(
    private readonly bySegment: ReadonlyMap<number, SegmentFamilies>,
    /** Family numbers are below this. */
    readonly size: number,
  ) {}

  /**
   * Takes the numbers that segments have kept, and makes those that are missing.
   *
   * @param segments all segments of a shard
   */
  static of(segments: readonly SegmentReader[], parentType: string): Families {
    const key = `families/${parentType}`;
    const kept = segments.map(({ cache }) => cache.get<NumberedSegment>(key, KIND));
    const table = commonTable(segments, kept);
    const bySegment = new Map<number, SegmentFamilies>();
    segments.forEach((segment, i) => {
      let numbered = kept[i];
      if (numbered?.table !== table) {
        const before = table.use.bytes;
        numbered = numberSegment(segment, parentType, table);
        const bytes =
          (numbered.ofParents?.byteLength ?? 0) +
          (numbered.parents?.byteLength ?? 0) +
          (numbered.ofChildren?.byteLength ?? 0) +
          (table.use.bytes - before);
        segment.cache.put(key, KIND, numbered, bytes);
      }
      bySegment.set(segment.segmentId, numbered);
    });
    return new Families(bySegment, table.ids.size);
  }

  /** The numbers of the documents of one of the segments. */
  in(segment: SegmentReader): SegmentFamilies {
    return this.bySegment.get(segment.segmentId) ?? NO_FAMILIES;
  }
}

const NO_FAMILIES: SegmentFamilies = { ofParents: null, parents: null, ofChildren: null };

/** The table by which most documents are numbered already, unless too many of its ids are out of use. */
function commonTable(
  segments: readonly SegmentReader[],
  kept: readonly (NumberedSegment | undefined)[],
): FamilyTable {
  let table: FamilyTable | null = null;
  let most = -1;
  kept.forEach((numbered, i) => {
    const { docCount } = segments[i]!;
    if (numbered === undefined || docCount <= most) return;
    most = docCount;
    table = numbered.table;
  });
  if (table === null) return new FamilyTable();
  const { size } = (table as FamilyTable).ids;
  let inUse = 0;
  for (const numbered of kept) if (numbered?.table === table) inUse += numbered.ids;
  return size > SMALL_TABLE && size > 2 * inUse ? new FamilyTable() : table;
}

function numberSegment(
  segment: SegmentReader,
  parentType: string,
  table: FamilyTable,
): NumberedSegment {
  const parents = numbersOf(segment, META_FIELD._uid, parentType, table);
  const children = numbersOf(segment, META_FIELD._parent, parentType, table);
  const { roots } = segment;
  let ofChildren = children.numbers;
  if (roots !== null && parents.numbers !== null) {
    const { numbers } = parents;
    for (let doc = 0; doc < numbers.length; doc++) {
      if (numbers[doc] === 0 || roots.has(doc)) continue;
      ofChildren ??= new Uint32Array(numbers.length);
      ofChildren[doc] = numbers[doc]!;
      numbers[doc] = 0;
    }
  }
  return {
    table,
    ofParents: parents.numbers,
    parents: parents.numbers === null ? null : listOf(parents.numbers),
    ofChildren,
    ids: parents.ids + children.ids,
  };
}

/** The documents with a number; null: they are many. */
function listOf(numbers: Uint32Array): Uint32Array | null {
  let count = 0;
  for (let doc = 0; doc < numbers.length; doc++) if (numbers[doc] !== 0) count++;
  if (count * LISTED_SHARE > numbers.length) return null;
  const docs = new Uint32Array(count);
  for (let doc = 0, i = 0; i < count; doc++) if (numbers[doc] !== 0) docs[i++] = doc;
  return docs;
}

/** The families of the documents that have `parentType#id` in a field. */
function numbersOf(
  segment: SegmentReader,
  field: FieldId,
  parentType: string,
  { ids }: FamilyTable,
): { readonly numbers: Uint32Array | null; readonly ids: number } {
  const terms = segment.terms(field);
  if (terms === null) return { numbers: null, ids: 0 };
  const prefix = `${parentType}#`;
  const from = terms.ceiling(prefix);
  // '$' is the character after '#'.
  const to = terms.ceiling(`${parentType}$`);
  if (from >= to) return { numbers: null, ids: 0 };
  const prefixLength = writeUtf8(prefix, new Uint8Array(maxUtf8Length(prefix)), 0);
  const numbers = new Uint32Array(segment.docCount);
  terms.forEachDocs(from, to, ({ term, termLength }, docs, count) => {
    const hash = hashTerm(term, prefixLength, termLength);
    const number = ids.idOf(term, prefixLength, termLength, hash) + 1;
    for (let i = 0; i < count; i++) numbers[docs[i]!] = number;
  });
  return { numbers, ids: to - from };
}
