// Point columns: latitude and longitude by document, in the order given.

import { u32At } from '../format/byte-input';
import {
  countWidth,
  narrowed,
  offsetsOf,
  paddedBytes,
  unsignedView,
  writeArray,
  type ColumnDocs,
  type DocValues,
} from './columns';
import { LAYOUT } from '../format/format';
import { PartBuffer } from '../format/part-buffer';
import type { GeoColumn } from '../contract/reader';

const HEADER = 16;

export interface PointValues extends DocValues {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

/** The points of documents as bytes. */
export function writePoints(input: PointValues): PartBuffer {
  const n = input.latitudes.length;
  const layout = n > input.docs.length ? LAYOUT.multi : LAYOUT.compact;
  const width = layout === LAYOUT.multi ? countWidth(input.counts) : 0;
  const out = new PartBuffer();
  out.u8(layout);
  out.u8(width);
  out.u8(0);
  out.u8(0);
  out.u32(n);
  out.u32(0);
  out.u32(0);
  writeArray(out, input.latitudes);
  writeArray(out, input.longitudes);
  if (width !== 0) writeArray(out, narrowed(input.counts, width));
  return out;
}

/** The points that {@link writePoints} wrote. @param entries the documents that have any */
export function readPoints(bytes: Uint8Array, entries: ColumnDocs, docCount: number): GeoColumn {
  const width = bytes[1]!;
  const n = u32At(bytes, 4);
  const at = bytes.byteOffset + HEADER;
  const counts =
    bytes[0] === LAYOUT.multi
      ? unsignedView(bytes, HEADER + 2 * paddedBytes(8, n), width, entries.count)
      : null;
  return {
    docCount,
    offsets: offsetsOf(entries.members(), counts, docCount),
    latitudes: new Float64Array(bytes.buffer, at, n),
    longitudes: new Float64Array(bytes.buffer, at + 8 * n, n),
  };
}
