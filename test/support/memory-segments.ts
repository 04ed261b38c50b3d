// Segments in memory: a source of blocks for readers, and committed descriptions of what was built.

import { ByteCache } from '../../engine/common/byte-cache';
import { applyDeletions } from '../../engine/segment/read/deletions';
import { openSegment, type OpenSegment } from '../../engine/segment/read/open-segment';
import { committedSegment, type BuiltSegment } from '../../engine/segment/format/segment-writer';
import type { CommittedSegment } from '../../storage/types';

export class MemorySegments {
  readonly cache: ByteCache;
  private readonly blocks = new Map<number, readonly Buffer[]>();
  private readonly deletions = new Map<string, Buffer>();
  private nextId = 1;
  /** Blocks read, to see what the cache spares. */
  reads = 0;

  constructor(cacheBytes = 64 * 1024 * 1024) {
    this.cache = new ByteCache(cacheBytes);
  }

  readBlock(segment: number, block: number): Buffer {
    this.reads++;
    const found = this.blocks.get(segment)?.[block];
    if (found === undefined) throw new Error(`no block ${block} of segment ${segment}`);
    // Like a database value: memory of its own.
    const copy = Buffer.from(new ArrayBuffer(found.length));
    found.copy(copy);
    return copy;
  }

  readDeletions(segment: number, chunk: number, generation: number): Buffer {
    return this.deletions.get(`${segment}/${chunk}/${generation}`)!;
  }

  add(built: BuiltSegment): CommittedSegment {
    const id = this.nextId++;
    this.blocks.set(id, built.blocks);
    return committedSegment(id, built);
  }

  open(meta: CommittedSegment): OpenSegment {
    return openSegment(meta, this, this.cache);
  }

  delete(meta: CommittedSegment, roots: Iterable<number>, generation: number): CommittedSegment {
    const { segment, chunks } = applyDeletions(meta, this.open(meta), roots, generation);
    for (const { chunk, bits } of chunks)
      this.deletions.set(`${meta.id}/${chunk}/${generation}`, bits);
    return segment;
  }

  /** Replaces a byte of a stored block. */
  damage(segment: number, block: number, offset: number, value: number): void {
    const blocks = [...this.blocks.get(segment)!];
    blocks[block] = Buffer.from(blocks[block]!);
    blocks[block][offset] = value;
    this.blocks.set(segment, blocks);
  }
}
