// Typed arrays that grow: what the segment builder collects into. All of one builder count the memory they
// hold in one place.

/** Bytes held by the growing arrays of one builder. */
export interface MemoryUse {
  bytes: number;
}

const FIRST_CAPACITY = 16;

export class GrowableU32 {
  length = 0;
  items: Uint32Array;

  constructor(private readonly use: MemoryUse) {
    this.items = new Uint32Array(FIRST_CAPACITY);
    use.bytes += this.items.byteLength;
  }

  push(value: number): void {
    if (this.length === this.items.length) this.reserve(1);
    this.items[this.length++] = value;
  }

  /** Makes room for `n` more items. */
  reserve(n: number): void {
    const needed = this.length + n;
    if (needed <= this.items.length) return;
    const grown = new Uint32Array(Math.max(needed, this.items.length * 2));
    grown.set(this.items.subarray(0, this.length));
    this.use.bytes += grown.byteLength - this.items.byteLength;
    this.items = grown;
  }

  /** The items as a view. */
  view(): Uint32Array {
    return this.items.subarray(0, this.length);
  }
}

export class GrowableF64 {
  length = 0;
  items: Float64Array;

  constructor(private readonly use: MemoryUse) {
    this.items = new Float64Array(FIRST_CAPACITY);
    use.bytes += this.items.byteLength;
  }

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Float64Array(this.items.length * 2);
      grown.set(this.items);
      this.use.bytes += grown.byteLength - this.items.byteLength;
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  view(): Float64Array {
    return this.items.subarray(0, this.length);
  }
}

export class GrowableI64 {
  length = 0;
  items: BigInt64Array;

  constructor(private readonly use: MemoryUse) {
    this.items = new BigInt64Array(FIRST_CAPACITY);
    use.bytes += this.items.byteLength;
  }

  push(value: bigint): void {
    if (this.length === this.items.length) {
      const grown = new BigInt64Array(this.items.length * 2);
      grown.set(this.items);
      this.use.bytes += grown.byteLength - this.items.byteLength;
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  view(): BigInt64Array {
    return this.items.subarray(0, this.length);
  }
}

/** A byte array with room for `needed` bytes that begins with the first `used` bytes of `bytes`. */
export function grownBytes(
  bytes: Uint8Array,
  used: number,
  needed: number,
  use: MemoryUse,
): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(needed, bytes.length * 2));
  grown.set(bytes.subarray(0, used));
  use.bytes += grown.byteLength - bytes.byteLength;
  return grown;
}
