// Levels of path-like terms (`a`, `a/b`, `a/b/c`) as terms of their own: a document has every level that one
// of its terms passes through. Made per segment at first use and kept in its cache.

import { termColumn, type Term, type TermColumn, type TextTerms } from '../../counting/index';
import { canonicalText } from '../../query/index';
import {
  unsignedArray,
  widthFor,
  type OrdinalArrays,
  type SegmentReader,
  type TermBytes,
  compareBytes,
  maxUtf8Length,
  readUtf8,
  writeUtf8,
} from '../../segment/index';
import { TextCounter } from './text-counter';
import type { CountedText, Hierarchy } from './terms-spec';
import type { FieldId } from '../../metadata/index';

/** The levels of one term that are asked for, top one first. */
function levelsOf(term: string, { separator, parent, depth }: Hierarchy): string[] {
  const levels: string[] = [];
  let isBelow = parent === null;
  for (let at = 0; at < term.length && levels.length < depth;) {
    // Separators at the beginning and in a row belong to the level after them, those at the end to none.
    let start = at;
    while (term.startsWith(separator, start)) start += separator.length;
    if (start >= term.length) break;
    const next = term.indexOf(separator, start);
    const end = next < 0 ? term.length : next;
    const level = term.slice(0, end);
    if (isBelow) levels.push(level);
    else if (level === parent) isBelow = true;
    at = end;
  }
  return levels;
}

/** How many levels a path has, and the level above its last one (null: none). */
export function placeOf(
  path: string,
  separator: string,
): { readonly depth: number; readonly parent: string | null } {
  const levels = levelsOf(path, { separator, parent: null, depth: Infinity });
  return { depth: levels.length, parent: levels.at(-2) ?? null };
}

/** The levels of a text field's terms in a segment; null when no document has a term. */
export function hierarchyColumn(
  segment: SegmentReader,
  field: FieldId,
  hierarchy: Hierarchy,
): TermColumn | null {
  const key = `hierarchy/${field}/${canonicalText(hierarchy)}`;
  const known = segment.cache.get<LevelColumn>(key, 'column');
  if (known !== undefined) return known;
  const base = termColumn(segment, field, 'string');
  if (base === null) return null;
  const made = makeColumn(base, segment.docCount, hierarchy);
  segment.cache.put(key, 'column', made, made.byteLength);
  return made;
}

class LevelColumn implements TermColumn {
  readonly frequencies = null;
  readonly byteLength: number;

  constructor(
    readonly terms: LevelTerms,
    private readonly arrays: OrdinalArrays,
  ) {
    const { offsets, ordinals } = arrays;
    this.byteLength = terms.byteLength + (offsets?.byteLength ?? 0) + ordinals.byteLength;
  }

  ordinals(): OrdinalArrays {
    return this.arrays;
  }
}

function makeColumn(base: TermColumn, docCount: number, hierarchy: Hierarchy): LevelColumn {
  const { terms } = base;
  const counter = new TextCounter();
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    for (const level of levelsOf(terms.termAt(ordinal) as string, hierarchy)) counter.add(level, 0);
  }
  const levels = new LevelTerms(counter.result());
  // The levels of term o are levelOrdinals[starts[o]] .. levelOrdinals[starts[o + 1] - 1].
  const starts = new Uint32Array(terms.size + 1);
  const levelOrdinals: number[] = [];
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    for (const level of levelsOf(terms.termAt(ordinal) as string, hierarchy))
      levelOrdinals.push(levels.ordinalOf(level));
    starts[ordinal + 1] = levelOrdinals.length;
  }
  return new LevelColumn(levels, levelsByDoc(base.ordinals(), docCount, starts, levelOrdinals));
}

/** The distinct levels of every document, ascending. */
function levelsByDoc(
  { offsets, ordinals }: OrdinalArrays,
  docCount: number,
  starts: Uint32Array,
  levelOrdinals: readonly number[],
): OrdinalArrays {
  const levelOffsets = new Uint32Array(docCount + 1);
  let found = new Uint32Array(docCount);
  let size = 0;
  let greatest = 0;
  const own = new Set<number>();
  for (let doc = 0; doc < docCount; doc++) {
    own.clear();
    const from = offsets === null ? doc : offsets[doc]!;
    const to = offsets === null ? doc + 1 : offsets[doc + 1]!;
    for (let i = from; i < to; i++) {
      // With one term each, ordinal 0 stands for documents without one.
      const ordinal = offsets === null ? ordinals[i]! - 1 : ordinals[i]!;
      if (ordinal < 0) continue;
      for (let l = starts[ordinal]!; l < starts[ordinal + 1]!; l++) own.add(levelOrdinals[l]!);
    }
    if (size + own.size > found.length) {
      const grown = new Uint32Array(Math.max(found.length * 2, size + own.size));
      grown.set(found);
      found = grown;
    }
    for (const level of [...own].sort((a, b) => a - b)) {
      found[size++] = level;
      if (level > greatest) greatest = level;
    }
    levelOffsets[doc + 1] = size;
  }
  const narrow = unsignedArray(widthFor(greatest), size);
  narrow.set(found.subarray(0, size));
  return { offsets: levelOffsets, ordinals: narrow };
}

/** Terms in one run of bytes. */
class LevelTerms implements TextTerms {
  readonly type = 'string';
  readonly size: number;
  readonly byteLength: number;

  constructor(private readonly list: CountedText) {
    this.size = list.counts.length;
    this.byteLength = list.text.length + list.starts.byteLength;
  }

  termAt(ordinal: number): string {
    const { text, starts } = this.list;
    return readUtf8(text, starts[ordinal]!, starts[ordinal + 1]!);
  }

  bytesAt(ordinal: number): TermBytes {
    const { text, starts } = this.list;
    const term = text.subarray(starts[ordinal], starts[ordinal + 1]);
    return { term, termLength: term.length };
  }

  ordinalOf(term: Term): number {
    const { text, starts } = this.list;
    const wanted = new Uint8Array(maxUtf8Length(term as string));
    const length = writeUtf8(term as string, wanted, 0);
    let low = 0;
    let high = this.size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = compareBytes(text, starts[middle]!, starts[middle + 1]!, wanted, 0, length);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
