// The frame around every stored value, and the byte primitives of the payloads.
//
//   0        payload (its length is that of the value less 5)
//   n        version:u8 of the payload's format, plus 128 when the payload is deflated
//   n + 1    crc32:u32, big-endian, over key, payload and version
//
// The payload comes first so that a value read into a buffer of its own can be viewed by typed arrays
// without a copy. The key is part of the checksum: a value that turns up under another key is damage.

import { inflateRawSync } from 'node:zlib';

import { checksum } from './checksum';
import { CorruptionError, FormatVersionError } from './errors';
import { describeKey } from './keys';
import { encodeText, writeShortText } from './text';

/** Bytes the frame adds to a payload. */
const FRAME_BYTES = 5;
/** The version byte this release writes, and the highest it reads. */
const VALUE_VERSION = 1;
/** The bit of the version byte that says that the payload is deflated (RFC 1951). */
const DEFLATED = 0x80;
/** Segment blocks fit into one piece of what is inflated. */
const INFLATE_BYTES = 66 * 1024;
/** No payload that is deflated is larger. */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024;

/** Frames a payload that is given in parts. Copies each part once. */
export function frameValue(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  return frame(key, VALUE_VERSION, parts);
}

/** Frames a payload that was deflated; `unframeValue` inflates it. */
export function frameDeflated(key: Buffer, deflated: Buffer): Buffer {
  return frame(key, VALUE_VERSION | DEFLATED, [deflated]);
}

/** Whether the payload of a value is deflated. The checksum is not looked at. */
export function isDeflated(value: Buffer): boolean {
  return ((value[value.length - FRAME_BYTES] ?? 0) & DEFLATED) !== 0;
}

function frame(key: Buffer, version: number, parts: readonly Buffer[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const value = Buffer.allocUnsafe(length + FRAME_BYTES);
  let at = 0;
  for (const part of parts) {
    part.copy(value, at);
    at += part.length;
  }
  value[length] = version;
  value.writeUInt32BE(checksum(value, length + 1, checksum(key, key.length)), length + 1);
  return value;
}

/**
 * Verifies a value and returns its payload, which shares the value's memory from the same offset, unless it
 * has to be inflated.
 * @throws CorruptionError when the checksum does not match; FormatVersionError when a newer release wrote it.
 */
export function unframeValue(key: Buffer, value: Buffer): Buffer {
  const length = value.length - FRAME_BYTES;
  if (length < 0) throw new CorruptionError(`${describeKey(key)} is damaged: too short`);
  const sum = checksum(value, length + 1, checksum(key, key.length));
  if (sum !== value.readUInt32BE(length + 1)) {
    throw new CorruptionError(`${describeKey(key)} is damaged: checksum mismatch`);
  }
  const version = (value[length] ?? 0) & ~DEFLATED;
  if (version > VALUE_VERSION) {
    throw new FormatVersionError(
      `${describeKey(key)} has value version ${version}, newer than ${VALUE_VERSION}`,
    );
  }
  const payload = value.subarray(0, length);
  return isDeflated(value) ? inflate(key, payload) : payload;
}

function inflate(key: Buffer, payload: Buffer): Buffer {
  try {
    const options = { chunkSize: INFLATE_BYTES, maxOutputLength: MAX_INFLATED_BYTES };
    return inflateRawSync(payload, options);
  } catch (error) {
    throw new CorruptionError(`${describeKey(key)} is damaged: it cannot be inflated`, error);
  }
}

/** Appends numbers and text to a growing buffer. */
export class ByteWriter {
  private buffer = Buffer.allocUnsafe(256);
  private length = 0;

  /** One byte. */
  u8(value: number): this {
    this.reserve(1);
    this.buffer[this.length++] = value;
    return this;
  }

  /** A double, big-endian: any JavaScript number, exactly. */
  f64(value: number): this {
    this.reserve(8);
    this.length = this.buffer.writeDoubleBE(value, this.length);
    return this;
  }

  /**
   * A non-negative integer, 7 bits a byte, lowest first, high bit set on all but the last. Exact for every
   * integer a double holds up to 2^63.
   */
  varint(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > 2 ** 63) {
      throw new RangeError(`${value} is not an integer from 0 to 2^63`);
    }
    this.reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      // Above 2^31 bit operations would truncate; division by a power of two is exact.
      const high = Math.floor(rest / 0x80);
      this.buffer[this.length++] = (rest - high * 0x80) | 0x80;
      rest = high;
    }
    this.buffer[this.length++] = rest;
    return this;
  }

  /** Bytes with their length as a varint before them. */
  bytes(value: Buffer): this {
    this.varint(value.length);
    this.reserve(value.length);
    value.copy(this.buffer, this.length);
    this.length += value.length;
    return this;
  }

  /** Text in the bytes of {@link encodeText}, with their length as a varint before them. */
  text(value: string): this {
    const { length } = value;
    this.reserve(length + 1);
    // As long as it is short, its length takes one byte.
    const end = writeShortText(value, this.buffer, this.length + 1);
    if (end < 0) return this.bytes(encodeText(value));
    this.buffer[this.length] = length;
    this.length = end;
    return this;
  }

  /** What was written; valid until the next `reset`. */
  view(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  /** Starts again at the front of the same memory. */
  reset(): this {
    this.length = 0;
    return this;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + bytes));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

/**
 * Reads what ByteWriter wrote. The payloads it reads have passed their checksum, so running over the end
 * means a fault in this program or a format mix-up; it is reported as CorruptionError all the same.
 */
export class ByteReader {
  private at = 0;

  constructor(
    private readonly buffer: Buffer,
    private readonly key: Buffer,
  ) {}

  /** One byte. */
  u8(): number {
    const byte = this.buffer[this.at++];
    if (byte === undefined) throw this.overrun();
    return byte;
  }

  /** A double. */
  f64(): number {
    if (this.at + 8 > this.buffer.length) throw this.overrun();
    this.at += 8;
    return this.buffer.readDoubleBE(this.at - 8);
  }

  /** An integer written by `ByteWriter.varint`. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw this.overrun();
  }

  /** Bytes written by `ByteWriter.bytes`; a view. */
  bytes(): Buffer {
    const length = this.varint();
    if (this.at + length > this.buffer.length) throw this.overrun();
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }

  /** Everything that is left; a view. */
  rest(): Buffer {
    const view = this.buffer.subarray(this.at);
    this.at = this.buffer.length;
    return view;
  }

  /** Whether everything was read. */
  get isAtEnd(): boolean {
    return this.at === this.buffer.length;
  }

  /** @throws CorruptionError unless everything was read. */
  end(): void {
    if (this.at !== this.buffer.length) {
      throw new CorruptionError(`${describeKey(this.key)} is damaged: bytes after its end`);
    }
  }

  private overrun(): CorruptionError {
    return new CorruptionError(`${describeKey(this.key)} is damaged: it ends early`);
  }
}
