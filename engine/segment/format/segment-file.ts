// The bytes of one segment, read block by block through the cache. A range inside one block is a view of
// it; one that crosses blocks is a copy.

import type { SegmentStore } from '../../../storage/index';
import type { ByteCache } from '../../common/index';
import { BLOCK_BYTES, BLOCK_MASK } from './format';

/** A block in memory, seen as bytes and as words. */
interface Page {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** What segments need of the store; safe in any thread. */
export type BlockSource = Pick<SegmentStore, 'readBlock' | 'readDeletions'>;

export class SegmentFile {
  constructor(
    readonly segmentId: number,
    readonly source: BlockSource,
    readonly cache: ByteCache,
  ) {}

  /** @throws CorruptionError (from the store) when the block is missing or damaged */
  page(block: number): Page {
    const known = this.cache.get<Page>(this.segmentId, block, 'block');
    if (known !== undefined) return known;
    const page = this.load(block);
    this.cache.put(this.segmentId, block, 'block', page, page.bytes.length);
    return page;
  }

  /** `length` bytes from an offset of the stream. Must not be modified; 8-aligned when the offset is. */
  bytes(offset: number, length: number): Uint8Array {
    const at = offset & BLOCK_MASK;
    const block = (offset - at) / BLOCK_BYTES;
    if (at + length <= BLOCK_BYTES) return this.page(block).bytes.subarray(at, at + length);
    const copy = new Uint8Array(length);
    copy.set(this.page(block).bytes.subarray(at));
    let done = BLOCK_BYTES - at;
    for (let next = block + 1; done < length; next++) {
      const n = Math.min(length - done, BLOCK_BYTES);
      // Whole blocks inside a range are not worth caching: whoever reads so much keeps the copy.
      const page = n === BLOCK_BYTES ? this.passing(next) : this.page(next);
      copy.set(page.bytes.subarray(0, n), done);
      done += n;
    }
    return copy;
  }

  /** Whether `length` bytes from `offset` lie in one block. */
  static inOneBlock(offset: number, length: number): boolean {
    return (offset & BLOCK_MASK) + length <= BLOCK_BYTES;
  }

  private passing(block: number): Page {
    return this.cache.get<Page>(this.segmentId, block, 'block') ?? this.load(block);
  }

  private load(block: number): Page {
    let bytes: Uint8Array = this.source.readBlock(this.segmentId, block);
    if (bytes.byteOffset % 8 !== 0) bytes = Uint8Array.from(bytes);
    return {
      bytes,
      words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2),
    };
  }
}
