// Snappy's block format, in which LevelDB compresses blocks: literals, and copies of what was written before.

/** @throws Error or RangeError when the bytes are no such block */
export function decompressSnappy(input: Buffer): Buffer {
  const reader = { bytes: input, at: 0 };
  const output = Buffer.alloc(readVarint(reader));
  let to = 0;
  while (reader.at < input.length) {
    const tag = input[reader.at++]!;
    const kind = tag & 3;
    let length = (tag >> 2) + 1;
    if (kind === 0) {
      if (length > 60) {
        const width = length - 60;
        length = input.readUIntLE(reader.at, width) + 1;
        reader.at += width;
      }
      input.copy(output, to, reader.at, reader.at + length);
      reader.at += length;
      to += length;
      continue;
    }
    let back: number;
    if (kind === 1) {
      length = ((tag >> 2) & 7) + 4;
      back = ((tag >> 5) << 8) | input[reader.at]!;
      reader.at += 1;
    } else {
      const width = kind === 2 ? 2 : 4;
      back = input.readUIntLE(reader.at, width);
      reader.at += width;
    }
    // Byte by byte: a copy may overlap what it writes.
    for (const end = to + length; to < end; to++) output[to] = output[to - back]!;
  }
  return output;
}

/** A place in bytes. */
export interface Reader {
  readonly bytes: Buffer;
  at: number;
}

/** 7 bits a byte, lowest first. @throws Error when it does not end */
export function readVarint(reader: Reader): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined || factor > 2 ** 49) throw new Error('a number does not end');
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}
