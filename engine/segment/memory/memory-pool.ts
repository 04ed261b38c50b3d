// Memory of builds that are done, for those to come. Whoever builds segment after segment would otherwise ask
// for tens of megabytes each time, which have to be zeroed, are seen by the garbage collector as growth, and
// make it look through everything that is alive far more often than there is garbage to find.

/** Less than this is not worth keeping. */
const LEAST_BYTES = 32 * 1024;

export class MemoryPool {
  /** Free memory by the logarithm of its size: sizes are powers of two. */
  private free = noMemory();
  private bytes = 0;

  /** @param maxBytes that are kept; what is given back beyond is left to the garbage collector */
  constructor(private readonly maxBytes: number) {}

  /** Bytes kept at present. */
  get freeBytes(): number {
    return this.bytes;
  }

  /** Memory of at least `bytes` bytes with any content. */
  take(bytes: number): ArrayBuffer {
    if (bytes < LEAST_BYTES) return new ArrayBuffer(bytes);
    const shift = Math.ceil(Math.log2(bytes));
    const known = this.free[shift]!.pop();
    if (known === undefined) return new ArrayBuffer(2 ** shift);
    this.bytes -= known.byteLength;
    return known;
  }

  /** Leaves all that is kept to the garbage collector. */
  clear(): void {
    this.free = noMemory();
    this.bytes = 0;
  }

  /** Takes back what {@link take} gave; nobody may use it any more. */
  give(memory: ArrayBufferLike): void {
    const { byteLength } = memory;
    if (!(memory instanceof ArrayBuffer) || byteLength < LEAST_BYTES) return;
    const shift = Math.log2(byteLength);
    if (!Number.isInteger(shift) || this.bytes + byteLength > this.maxBytes) return;
    this.free[shift]!.push(memory);
    this.bytes += byteLength;
  }
}

function noMemory(): ArrayBuffer[][] {
  return Array.from({ length: 54 }, () => []);
}
