// Typed arrays that grow: what the segment builder collects into. All of one builder count the memory they
// hold in one place, and take it from one pool, if there is one.

import type { MemoryPool } from './memory-pool';

/** Bytes held by the growing arrays of one builder. */
export interface MemoryUse {
  bytes: number;
  /** Where their memory comes from, and goes to when they are released. */
  readonly pool?: MemoryPool;
}

const FIRST_CAPACITY = 16;

/** Memory of at least `bytes` bytes with any content, counted in `use`. */
function takeMemory(use: MemoryUse, bytes: number): ArrayBuffer {
  const memory = use.pool === undefined ? new ArrayBuffer(bytes) : use.pool.take(bytes);
  use.bytes += memory.byteLength;
  return memory;
}

/** Gives up memory from {@link takeMemory}, which nobody may use any more. */
export function giveMemory(use: MemoryUse, { buffer }: ArrayBufferView): void {
  use.bytes -= buffer.byteLength;
  use.pool?.give(buffer);
}

/** At least `length` words with any content. */
export function takeWords(use: MemoryUse, length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(takeMemory(use, length * 4));
}

export class GrowableU32 {
  length = 0;
  items: Uint32Array;

  constructor(private readonly use: MemoryUse) {
    this.items = takeWords(use, FIRST_CAPACITY);
  }

  push(value: number): void {
    if (this.length === this.items.length) this.reserve(1);
    this.items[this.length++] = value;
  }

  /** Makes room for `n` more items. */
  reserve(n: number): void {
    const needed = this.length + n;
    if (needed <= this.items.length) return;
    const grown = takeWords(this.use, Math.max(needed, this.items.length * 2));
    grown.set(this.items.subarray(0, this.length));
    giveMemory(this.use, this.items);
    this.items = grown;
  }

  /** The items as a view. */
  view(): Uint32Array {
    return this.items.subarray(0, this.length);
  }

  /** Gives the memory up; neither the array nor views of it may be used any more. */
  release(): void {
    giveMemory(this.use, this.items);
    this.items = NO_WORDS;
    this.length = 0;
  }
}

export class GrowableF64 {
  length = 0;
  items: Float64Array;

  constructor(private readonly use: MemoryUse) {
    this.items = new Float64Array(takeMemory(use, FIRST_CAPACITY * 8));
  }

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Float64Array(takeMemory(this.use, this.items.length * 16));
      grown.set(this.items);
      giveMemory(this.use, this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  view(): Float64Array {
    return this.items.subarray(0, this.length);
  }

  /** As that of {@link GrowableU32}. */
  release(): void {
    giveMemory(this.use, this.items);
    this.items = NO_NUMBERS;
    this.length = 0;
  }
}

export class GrowableI64 {
  length = 0;
  items: BigInt64Array;

  constructor(private readonly use: MemoryUse) {
    this.items = new BigInt64Array(takeMemory(use, FIRST_CAPACITY * 8));
  }

  push(value: bigint): void {
    if (this.length === this.items.length) {
      const grown = new BigInt64Array(takeMemory(this.use, this.items.length * 16));
      grown.set(this.items);
      giveMemory(this.use, this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  view(): BigInt64Array {
    return this.items.subarray(0, this.length);
  }

  /** As that of {@link GrowableU32}. */
  release(): void {
    giveMemory(this.use, this.items);
    this.items = NO_LONGS;
    this.length = 0;
  }
}

const NO_WORDS = new Uint32Array(0);
const NO_NUMBERS = new Float64Array(0);
const NO_LONGS = new BigInt64Array(0);

/**
 * A byte array with room for `needed` bytes that begins with the first `used` bytes of `bytes`, which is
 * given up.
 */
export function grownBytes(
  bytes: Uint8Array,
  used: number,
  needed: number,
  use: MemoryUse,
): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(takeMemory(use, Math.max(needed, bytes.length * 2)));
  grown.set(bytes.subarray(0, used));
  giveMemory(use, bytes);
  return grown;
}
