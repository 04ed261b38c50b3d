// Which documents of a segment a search may see at all.

import { type Bitset, NO_MORE_DOCS } from '../contract/bitset';
import type { SegmentReader } from '../contract/reader';

/** Readers are immutable, so what is derived from one lives as long as it does. */
const visible = new WeakMap<SegmentReader, Bitset>();

/** Live root documents; null when every document of the segment is one. Do not modify. */
export function liveRoots(segment: SegmentReader): Bitset | null {
  const { roots, liveDocs } = segment;
  if (roots === null) return liveDocs;
  if (liveDocs === null) return roots;
  let both = visible.get(segment);
  if (both === undefined) visible.set(segment, (both = roots.clone().and(liveDocs)));
  return both;
}

/** The live roots among `docs`: `docs` itself when they all are, else a new set. Null stays null. */
export function keepLiveRoots(segment: SegmentReader, docs: Bitset | null): Bitset | null {
  if (docs === null) return null;
  const accepted = liveRoots(segment);
  return accepted === null ? docs : docs.clone().and(accepted);
}

/** Where the first `count` live root documents of a segment end, and how many there are. */
export function liveRootsEnd(
  segment: SegmentReader,
  count: number,
): { readonly end: number; readonly found: number } {
  const { liveDocs, roots, docCount } = segment;
  let found = 0;
  let end = 0;
  let doc = 0;
  while (found < count && doc < docCount) {
    if (roots !== null) doc = roots.next(doc);
    if (doc === NO_MORE_DOCS) break;
    if (liveDocs === null || liveDocs.has(doc)) {
      found++;
      end = doc + 1;
    }
    doc++;
  }
  return { end, found };
}
