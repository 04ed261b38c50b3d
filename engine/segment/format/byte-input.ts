// Reads `vint`s and fixed-width numbers from bytes in order.

export class ByteInput {
  constructor(
    readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  u8(): number {
    return this.bytes[this.at++]!;
  }

  vint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = bytes[this.at++]!;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }

  text(): string {
    const length = this.vint();
    const { buffer, byteOffset } = this.bytes;
    const text = Buffer.from(buffer, byteOffset + this.at, length).toString();
    this.at += length;
    return text;
  }
}

/** The u32 at a byte offset, wherever it is aligned. */
export function u32At(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  );
}

/** The f64 at a byte offset. */
export function f64At(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(at, true);
}
