// The norms of a field on disk: one byte per document, or per document with a value where those are few.

import { LAYOUT } from '../format/format';
import { PartBuffer } from '../format/part-buffer';

const HEADER = 8;

/**
 * @param norms one byte per document of the segment
 * @param presence documents with a value; all others hold 0
 */
export function writeNorms(norms: Uint8Array, presence: Uint32Array): PartBuffer {
  const out = new PartBuffer();
  const compact = presence.length * 2 < norms.length;
  out.u32(compact ? LAYOUT.compact : LAYOUT.dense);
  out.u32(0);
  out.append(compact ? Uint8Array.from(presence, (doc) => norms[doc]!) : norms);
  return out;
}

/** One byte per document. `presence` gives the documents with a value, ascending. */
export function readNorms(
  bytes: Uint8Array,
  docCount: number,
  presence: () => Uint32Array,
): Uint8Array {
  if (bytes[0] === LAYOUT.dense) return bytes.subarray(HEADER);
  const norms = new Uint8Array(docCount);
  const docs = presence();
  for (let i = 0; i < docs.length; i++) norms[docs[i]!] = bytes[HEADER + i]!;
  return norms;
}
