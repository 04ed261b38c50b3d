// From root documents to their nested objects within one segment. Nested objects stand directly before
// their root, so a root's children are the nested documents after the previous root.

import { Bitset, NO_MORE_DOCS } from '../contract/bitset';
import type { SegmentReader } from '../contract/reader';

/** The nested objects at one path of one segment, optionally filtered. */
export class NestedChildren {
  constructor(
    private readonly roots: Bitset,
    private readonly docs: Bitset,
  ) {}

  /** Null when the segment holds no nested object at `path`. `filter` null: all of them. */
  static of(segment: SegmentReader, path: string, filter: Bitset | null): NestedChildren | null {
    const docs = segment.nestedDocs(path);
    if (docs === null || segment.roots === null) return null;
    return new NestedChildren(segment.roots, filter === null ? docs : docs.clone().and(filter));
  }

  /** The first child of `root`, or NO_MORE_DOCS. Go on with {@link next}. */
  first(root: number): number {
    return this.next(previousMember(this.roots, root) + 1, root);
  }

  /** The first child of `root` at or after `doc`, or NO_MORE_DOCS. */
  next(doc: number, root: number): number {
    const child = this.docs.next(doc);
    return child < root ? child : NO_MORE_DOCS;
  }
}

/** The children at `path` of the given roots. Null when there are none. Neither input is modified. */
export function childrenOf(segment: SegmentReader, path: string, rootDocs: Bitset): Bitset | null {
  const docs = segment.nestedDocs(path);
  const { roots } = segment;
  if (docs === null || roots === null) return null;
  const children = new Bitset(segment.docCount);
  let found = false;
  let root = -1;
  let wanted = false;
  for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
    if (doc > root) {
      root = roots.next(doc);
      wanted = root !== NO_MORE_DOCS && rootDocs.has(root);
    }
    if (!wanted) continue;
    children.add(doc);
    found = true;
  }
  return found ? children : null;
}

/** The last member before `doc`, or -1. */
export function previousMember({ words }: Bitset, doc: number): number {
  if (doc === 0) return -1;
  let at = (doc - 1) >>> 5;
  let word = words[at]! & (0xffffffff >>> (31 - ((doc - 1) & 31)));
  while (word === 0) {
    if (--at < 0) return -1;
    word = words[at]!;
  }
  return (at << 5) + 31 - Math.clz32(word);
}
