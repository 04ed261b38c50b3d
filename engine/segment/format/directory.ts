// The directory of a segment: its header, fields and parts. Decoded once per reader.

import { ByteInput, f64At, u32At } from './byte-input';
import { SegmentFormatError } from './errors';
import {
  BLOCK_SHIFT,
  codeOfKind,
  FORMAT_VERSION,
  HEADER_BYTES,
  kindOfCode,
  MAGIC,
  type FieldEntry,
  type PartEntry,
  type PartKind,
} from './format';
import { PartBuffer } from './part-buffer';
import type { FieldId } from '../../metadata/index';

/** The directory of a segment as bytes: paths of nested objects, fields, and where their parts are. */
export function writeDirectory(
  nestedPaths: readonly string[],
  fields: readonly FieldEntry[],
  parts: readonly PartEntry[],
): PartBuffer {
  const out = new PartBuffer();
  out.vint(nestedPaths.length);
  for (const path of nestedPaths) out.text(path);
  out.vint(fields.length);
  for (const field of fields) {
    out.vint(field.id);
    out.text(field.name);
    out.vint(codeOfKind(field.kind));
    out.vint(field.flags);
    const statistics = new PartBuffer();
    statistics.vint(field.docCount);
    statistics.vint(field.termCount);
    statistics.vint(field.sumDocFreq);
    statistics.vint(field.sumTotalTermFreq + 1);
    out.vint(statistics.length);
    out.take(statistics);
  }
  out.vint(parts.length);
  for (const part of parts) {
    out.vint(part.field);
    out.vint(part.kind);
    out.vint(part.sub);
    out.vint(part.offset / 8);
    out.vint(part.length);
  }
  return out;
}

export interface SegmentStatsSum {
  readonly docCount: number;
  readonly rootCount: number;
  readonly minSequence: number;
  readonly maxSequence: number;
}

/** The header of a segment. */
interface SegmentHeader extends SegmentStatsSum {
  readonly directoryOffset: number;
  readonly directoryLength: number;
  readonly length: number;
}

/**
 * Decodes the first bytes of a segment.
 *
 * @throws SegmentFormatError when they are no segment, or one of a version this build does not know
 */
export function readHeader(segmentId: number, bytes: Uint8Array): SegmentHeader {
  if (
    bytes.length < HEADER_BYTES ||
    Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== MAGIC
  ) {
    throw new SegmentFormatError(segmentId, 'does not begin with a segment header');
  }
  if (bytes[4] !== FORMAT_VERSION) {
    throw new SegmentFormatError(
      segmentId,
      `has format version ${bytes[4]}; this build reads version ${FORMAT_VERSION}`,
    );
  }
  if (bytes[5] !== BLOCK_SHIFT) {
    throw new SegmentFormatError(segmentId, `has an unknown block size (2^${bytes[5]})`);
  }
  return {
    docCount: u32At(bytes, 8),
    rootCount: u32At(bytes, 12),
    minSequence: f64At(bytes, 16),
    maxSequence: f64At(bytes, 24),
    directoryOffset: f64At(bytes, 32),
    directoryLength: u32At(bytes, 40),
    length: f64At(bytes, 48),
  };
}

/** Fields and parts of one segment, by id. */
export class Directory {
  private readonly byId = new Map<FieldId, FieldEntry>();
  private readonly byPart = new Map<number, PartEntry>();

  private constructor(
    readonly header: SegmentHeader,
    readonly nestedPaths: readonly string[],
    readonly fields: readonly FieldEntry[],
    parts: readonly PartEntry[],
  ) {
    for (const field of fields) this.byId.set(field.id, field);
    for (const part of parts) this.byPart.set(partKey(part.field, part.kind, part.sub), part);
  }

  /** @throws SegmentFormatError when the bytes are not a directory */
  static decode(segmentId: number, header: SegmentHeader, bytes: Uint8Array): Directory {
    const input = new ByteInput(bytes);
    const nestedPaths: string[] = [];
    for (let n = input.vint(); n > 0; n--) nestedPaths.push(input.text());
    const fields: FieldEntry[] = [];
    for (let n = input.vint(); n > 0; n--) {
      const id = input.vint();
      const name = input.text();
      const kind = kindOfCode(input.vint());
      const flags = input.vint();
      const statisticsLength = input.vint();
      const end = input.at + statisticsLength;
      const docCount = input.vint();
      const termCount = input.vint();
      const sumDocFreq = input.vint();
      const sumTotalTermFreq = input.vint() - 1;
      input.at = end;
      // A kind of a later version: its parts are skipped like unknown parts.
      if (kind === undefined) continue;
      fields.push({ id, name, kind, flags, docCount, termCount, sumDocFreq, sumTotalTermFreq });
    }
    const parts: PartEntry[] = [];
    for (let n = input.vint(); n > 0; n--) {
      const field = input.vint();
      const kind = input.vint();
      const sub = input.vint();
      const offset = input.vint() * 8;
      parts.push({ field, kind, sub, offset, length: input.vint() });
    }
    if (
      input.at !== bytes.length ||
      parts.some((part) => part.offset + part.length > header.length)
    ) {
      throw new SegmentFormatError(segmentId, 'has a damaged directory');
    }
    return new Directory(header, nestedPaths, fields, parts);
  }

  field(id: FieldId): FieldEntry | undefined {
    return this.byId.get(id);
  }

  /** Where a part lies; `field` 0 is the segment. Undefined when there is no such part. */
  part(field: FieldId, kind: PartKind, sub = 0): PartEntry | undefined {
    return this.byPart.get(partKey(field, kind, sub));
  }
}

/** Distinct as long as field < 2^25, sub < 2^20 and kind < 2^8; `sub` is the number of a nested path. */
function partKey(field: FieldId, kind: number, sub: number): number {
  return (field * 1_048_576 + sub) * 256 + kind;
}
