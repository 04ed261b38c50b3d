// The bytes of one part while it is being written: a list of chunks, so that a part of 100 MB is never
// copied to grow, and `vint`s.

const FIRST_CHUNK = 256;
const LARGEST_CHUNK = 64 * 1024;

export class PartBuffer {
  private readonly full: Uint8Array[] = [];
  private fullBytes = 0;
  private chunk: Uint8Array = new Uint8Array(FIRST_CHUNK);
  private at = 0;

  get length(): number {
    return this.fullBytes + this.at;
  }

  u8(value: number): void {
    if (this.at === this.chunk.length) this.nextChunk(1);
    this.chunk[this.at++] = value;
  }

  /** Unsigned, up to 2^53 - 1. */
  vint(value: number): void {
    if (this.at + 8 > this.chunk.length) this.nextChunk(8);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.chunk[this.at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.chunk[this.at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.chunk[this.at++] = rest;
  }

  u32(value: number): void {
    if (this.at + 4 > this.chunk.length) this.nextChunk(4);
    const { chunk } = this;
    chunk[this.at++] = value;
    chunk[this.at++] = value >>> 8;
    chunk[this.at++] = value >>> 16;
    chunk[this.at++] = value >>> 24;
  }

  f64(value: number): void {
    f64Scratch[0] = value;
    this.append(f64Bytes);
  }

  append(bytes: Uint8Array): void {
    if (this.at + bytes.length > this.chunk.length) this.nextChunk(bytes.length);
    this.chunk.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Appends bytes [from, to) of `bytes`; for a few bytes cheaper than {@link append}. */
  appendRange(bytes: Uint8Array, from: number, to: number): void {
    const n = to - from;
    if (n > 32) {
      this.append(bytes.subarray(from, to));
      return;
    }
    if (this.at + n > this.chunk.length) this.nextChunk(n);
    const { chunk } = this;
    let at = this.at;
    for (let i = from; i < to; i++) chunk[at++] = bytes[i]!;
    this.at = at;
  }

  /** Appends the memory of a typed array. */
  array(values: ArrayBufferView): void {
    this.append(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  text(text: string): void {
    const bytes = Buffer.from(text);
    this.vint(bytes.length);
    this.append(bytes);
  }

  /** Appends zeros up to a multiple of `n`. */
  align(n: number): void {
    while (this.length % n !== 0) this.u8(0);
  }

  /** Appends all of another part and empties it. */
  take(other: PartBuffer): void {
    for (const chunk of other.drain()) this.append(chunk);
  }

  /**
   * Hands out the written bytes in order and empties the part; a chunk is used again after the next was asked
   * for.
   */
  *drain(): Generator<Uint8Array> {
    for (let i = 0; i < this.full.length; i++) {
      const chunk = this.full[i]!;
      this.full[i] = EMPTY;
      yield chunk;
      if (chunk.buffer.byteLength === LARGEST_CHUNK && spare.length < MAX_SPARE) {
        spare.push(new Uint8Array(chunk.buffer));
      }
    }
    yield this.chunk.subarray(0, this.at);
    this.full.length = 0;
    this.fullBytes = 0;
    this.at = 0;
  }

  private nextChunk(n: number): void {
    if (this.at > 0) {
      this.full.push(this.chunk.subarray(0, this.at));
      this.fullBytes += this.at;
    }
    const size = Math.min(LARGEST_CHUNK, this.chunk.length * 2);
    this.chunk =
      (size === LARGEST_CHUNK && n <= size ? spare.pop() : undefined) ??
      new Uint8Array(Math.max(size, n));
    this.at = 0;
  }
}

/** Chunks that were used, for parts to come: a merge writes thousands of them. */
const spare: Uint8Array[] = [];
const MAX_SPARE = 64;

const EMPTY = new Uint8Array(0);
const f64Scratch = new Float64Array(1);
const f64Bytes = new Uint8Array(f64Scratch.buffer);
