// Sets of documents on disk: all, a list, a bitmap, or "the roots" (docs/format-segments.md, "Document set").

import { Bitset } from '../contract/bitset';
import { ByteInput, u32At } from '../format/byte-input';
import { PartBuffer } from '../format/part-buffer';

const ENCODING = { all: 0, list: 1, bitmap: 2, roots: 3 } as const;
const HEADER = 8;

/**
 * Encodes a set.
 *
 * @param docs ascending document numbers
 * @param docCount documents of the segment
 * @param roots the root documents, or null when all are (or when the set is the root set itself)
 */
export function writeDocSet(docs: Uint32Array, docCount: number, roots: Bitset | null): PartBuffer {
  const out = new PartBuffer();
  const header = (encoding: number): void => {
    out.u32(encoding);
    out.u32(docs.length);
  };
  if (docs.length === docCount) {
    header(ENCODING.all);
    return out;
  }
  if (roots !== null && equalsRoots(docs, roots)) {
    header(ENCODING.roots);
    return out;
  }
  const bitmapBytes = Math.ceil(docCount / 32) * 4;
  if (docs.length < bitmapBytes) {
    const list = new PartBuffer();
    let previous = -1;
    for (let i = 0; i < docs.length && list.length < bitmapBytes; i++) {
      list.vint(docs[i]! - previous - 1);
      previous = docs[i]!;
    }
    if (list.length < bitmapBytes) {
      header(ENCODING.list);
      out.take(list);
      return out;
    }
  }
  header(ENCODING.bitmap);
  const bits = new Bitset(docCount);
  for (let i = 0; i < docs.length; i++) bits.add(docs[i]!);
  out.array(bits.words);
  return out;
}

function equalsRoots(docs: Uint32Array, roots: Bitset): boolean {
  for (let i = 0; i < docs.length; i++) if (!roots.has(docs[i]!)) return false;
  return roots.count() === docs.length;
}

/** A decoded document set. */
export interface DocSet {
  readonly docs: Bitset;
  readonly count: number;
}

/** Decodes a set; `roots` is asked for only where the encoding refers to it. */
export function readDocSet(
  bytes: Uint8Array,
  docCount: number,
  roots: () => Bitset | null,
): DocSet {
  const count = u32At(bytes, 4);
  switch (bytes[0]) {
    case ENCODING.all:
      return { docs: Bitset.full(docCount), count };
    case ENCODING.roots:
      return { docs: roots() ?? Bitset.full(docCount), count };
    case ENCODING.list: {
      const docs = new Bitset(docCount);
      const input = new ByteInput(bytes, HEADER);
      let doc = -1;
      for (let i = 0; i < count; i++) {
        doc += 1 + input.vint();
        docs.add(doc);
      }
      return { docs, count };
    }
    case ENCODING.bitmap: {
      const words = new Uint32Array((docCount + 31) >>> 5);
      const at = bytes.byteOffset + HEADER;
      words.set(new Uint32Array(bytes.buffer, at, words.length));
      return { docs: new Bitset(docCount, words), count };
    }
    case undefined:
    default:
      throw new RangeError(`unknown encoding ${bytes[0]} of a document set`);
  }
}

/** The members in ascending order. */
export function membersOf(set: DocSet): Uint32Array {
  const members = new Uint32Array(set.count);
  const { words } = set.docs;
  let n = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i]!;
    while (word !== 0) {
      const lowest = word & -word;
      members[n++] = (i << 5) + 31 - Math.clz32(lowest);
      word ^= lowest;
    }
  }
  return members;
}
