// Lays the parts of a segment out in blocks and writes header and directory. Builder and merger hand it
// finished parts; it knows nothing of their content.

import { atOnce } from '../../common/index';
import type { CommittedSegment, SegmentId } from '../../../storage/index';
import { writeDirectory, type SegmentStatsSum } from './directory';
import {
  BLOCK_BYTES,
  BLOCK_SHIFT,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  type FieldEntry,
  type PartEntry,
  type PartKind,
} from './format';
import type { PartBuffer } from './part-buffer';
import { ENDLESS, type StepClock } from './steps';
import type { FieldId } from '../../metadata/index';

/** A finished segment in memory, ready for the store. */
export interface BuiltSegment {
  readonly blocks: Buffer[];
  /** Sum of the lengths of the blocks. */
  readonly bytes: number;
  readonly docCount: number;
  readonly rootCount: number;
  /** 0 when the segment is empty. */
  readonly minSequence: number;
  readonly maxSequence: number;
}

/** A segment as commit points name it once its blocks are stored under `id`: nothing of it is deleted. */
export function committedSegment(id: SegmentId, built: BuiltSegment): CommittedSegment {
  return {
    id,
    blocks: built.blocks.length,
    bytes: built.bytes,
    docCount: built.docCount,
    deletedCount: 0,
    rootCount: built.rootCount,
    deletedRootCount: 0,
    minSequence: built.minSequence,
    maxSequence: built.maxSequence,
    deletionChunks: [],
  };
}

export class SegmentWriter {
  private readonly blocks: Buffer[] = [];
  private last: Buffer = Buffer.alloc(0);
  /** Free bytes begin here in the last block. */
  private at = BLOCK_BYTES;
  private length = 0;
  private readonly fields: FieldEntry[] = [];
  private readonly parts: PartEntry[] = [];

  constructor() {
    this.append(new Uint8Array(HEADER_BYTES));
  }

  addField(field: FieldEntry): void {
    this.fields.push(field);
  }

  /** Adds a part and empties `content`. Empty parts are left out. */
  addPart(field: FieldId, kind: PartKind, content: PartBuffer, sub = 0): void {
    atOnce(this.addLongPart(field, kind, content, ENDLESS, sub));
  }

  /** {@link addPart} in steps; nothing else may be added in between. */
  *addLongPart(
    field: FieldId,
    kind: PartKind,
    content: PartBuffer,
    turns: StepClock,
    sub = 0,
  ): Generator<void, void> {
    if (content.length === 0) return;
    this.align();
    const offset = this.length;
    const { length } = content;
    for (const chunk of content.drain()) {
      this.append(chunk);
      if (turns.over()) yield;
    }
    this.parts.push({ field, kind, sub, offset, length });
  }

  finish(totals: SegmentStatsSum, nestedPaths: readonly string[]): BuiltSegment {
    this.align();
    const offset = this.length;
    this.fields.sort((a, b) => a.id - b.id);
    const directory = writeDirectory(nestedPaths, this.fields, this.parts);
    const { length } = directory;
    for (const chunk of directory.drain()) this.append(chunk);
    this.align();

    const header = this.blocks[0]!;
    header.write(MAGIC, 0, 'latin1');
    header[4] = FORMAT_VERSION;
    header[5] = BLOCK_SHIFT;
    header.writeUInt32LE(totals.docCount, 8);
    header.writeUInt32LE(totals.rootCount, 12);
    header.writeDoubleLE(totals.minSequence, 16);
    header.writeDoubleLE(totals.maxSequence, 24);
    header.writeDoubleLE(offset, 32);
    header.writeUInt32LE(length, 40);
    header.writeDoubleLE(this.length, 48);
    this.blocks[this.blocks.length - 1] = this.last.subarray(0, this.at);
    return { ...totals, blocks: this.blocks, bytes: this.length };
  }

  private align(): void {
    const rest = this.length % 8;
    if (rest !== 0) this.append(new Uint8Array(8 - rest));
  }

  private append(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      if (this.at === BLOCK_BYTES) {
        this.last = Buffer.alloc(BLOCK_BYTES);
        this.blocks.push(this.last);
        this.at = 0;
      }
      const n = Math.min(bytes.length - from, BLOCK_BYTES - this.at);
      this.last.set(bytes.subarray(from, from + n), this.at);
      this.at += n;
      from += n;
    }
    this.length += bytes.length;
  }
}
