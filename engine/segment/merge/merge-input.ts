// What a merge knows of its sources: which documents survive and which numbers they get.

import { Bitset } from '../contract/bitset';
import type { OpenSegment } from '../read/open-segment';
import type { SegmentContents } from '../read/segment-contents';
import type { StepClock } from '../format/steps';

/** One segment of a merge. */
export interface MergeSource {
  readonly contents: SegmentContents;
  /** New number of each document; -1 when it is deleted. */
  readonly newDocs: Int32Array;
}

export interface MergeInput {
  readonly sources: readonly MergeSource[];
  /** Documents of the merged segment. */
  readonly docCount: number;
  /** Its root documents, ascending. */
  readonly rootDocs: Uint32Array;
  /** The same as a set; null when all documents are roots. */
  readonly roots: Bitset | null;
  readonly sequences: Float64Array;
}

/** Numbers the surviving documents of adjacent segments, given in log order. */
export function* planMerge(
  segments: readonly OpenSegment[],
  turns: StepClock,
): Generator<void, MergeInput> {
  const sources: MergeSource[] = [];
  let docCount = 0;
  let rootCount = 0;
  for (const { contents, liveDocs, docCount: n, meta } of segments) {
    const newDocs = new Int32Array(n);
    for (let doc = 0; doc < n; doc++) {
      newDocs[doc] = liveDocs === null || liveDocs.has(doc) ? docCount++ : -1;
    }
    sources.push({ contents, newDocs });
    if (turns.over()) yield;
    rootCount += meta.rootCount - meta.deletedRootCount;
  }
  const roots = rootCount === docCount ? null : new Bitset(docCount);
  const rootDocs = new Uint32Array(rootCount);
  const sequences = new Float64Array(rootCount);
  let root = 0;
  for (const { contents, newDocs } of sources) {
    const sourceRoots = contents.roots();
    const column = contents.sequences();
    for (let doc = 0; doc < newDocs.length; doc++) {
      const to = newDocs[doc]!;
      if (to < 0 || (sourceRoots !== null && !sourceRoots.has(doc))) continue;
      rootDocs[root] = to;
      sequences[root++] = column.sequenceOf(doc);
      roots?.add(to);
    }
    if (turns.over()) yield;
  }
  return { sources, docCount, rootDocs, roots, sequences };
}

/** New numbers of the surviving members of one set per source, ascending. */
export function survivors(
  sources: readonly MergeSource[],
  setOf: (contents: SegmentContents) => Bitset | null,
): Uint32Array {
  const sets = sources.map(({ contents }) => setOf(contents));
  let room = 0;
  for (const set of sets) room += set?.count() ?? 0;
  const members = new Uint32Array(room);
  let n = 0;
  sets.forEach((set, source) => {
    if (set === null) return;
    const { newDocs } = sources[source]!;
    const { words } = set;
    for (let i = 0; i < words.length; i++) {
      let word = words[i]!;
      while (word !== 0) {
        const lowest = word & -word;
        const to = newDocs[(i << 5) + 31 - Math.clz32(lowest)]!;
        if (to >= 0) members[n++] = to;
        word ^= lowest;
      }
    }
  });
  return members.subarray(0, n);
}
