// The checksums of a LevelDB table file (its table_format.md), which the binding does not verify when reading:
// a flipped bit in a key or in an index block would go unseen.
//
//   block … block, filter block, metaindex block, index block, footer (48 bytes: two handles, padding, magic number)
//   each block is followed by its type (0 plain, 1 Snappy) and the masked CRC-32C of block and type

const FOOTER_BYTES = 48;
const TRAILER_BYTES = 5;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');
const CRC_TABLE = makeTable();

interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** What is wrong with the bytes of a table file, or null. */
export function tableProblem(file: Buffer): string | null {
  if (file.length < FOOTER_BYTES) return 'it is cut short';
  const footer = file.subarray(file.length - FOOTER_BYTES);
  if (!footer.subarray(FOOTER_BYTES - MAGIC.length).equals(MAGIC)) return 'it has no end';
  try {
    const reader = { bytes: footer, at: 0 };
    const metaindex = readHandle(reader);
    const index = readHandle(reader);
    // The metaindex names the key filter, by which a key would be taken for missing.
    for (const list of [metaindex, index]) {
      for (const handle of handlesOf(checkBlock(file, list))) checkBlock(file, handle);
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The plain content of a block whose checksum is right. @throws Error saying where it is not */
function checkBlock(file: Buffer, { offset, size }: Handle): Buffer {
  const end = offset + size;
  if (end + TRAILER_BYTES > file.length) throw new Error(`block at ${offset} is out of bounds`);
  const stored = file.readUInt32LE(end + 1);
  if (mask(crc32c(file, offset, end + 1)) !== stored) {
    throw new Error(`block at ${offset} has a wrong checksum`);
  }
  const content = file.subarray(offset, end);
  return file[end] === 0 ? content : decompressSnappy(content);
}

/** The values of an index block: handles of data blocks. Restart points are at its end. */
function handlesOf(block: Buffer): Handle[] {
  const restarts = block.readUInt32LE(block.length - 4);
  const end = block.length - 4 - 4 * restarts;
  const handles: Handle[] = [];
  const reader = { bytes: block, at: 0 };
  while (reader.at < end) {
    readVarint(reader);
    const keyBytes = readVarint(reader);
    const valueBytes = readVarint(reader);
    const next = reader.at + keyBytes + valueBytes;
    reader.at += keyBytes;
    handles.push(readHandle(reader));
    reader.at = next;
  }
  return handles;
}

interface Reader {
  readonly bytes: Buffer;
  at: number;
}

function readHandle(reader: Reader): Handle {
  return { offset: readVarint(reader), size: readVarint(reader) };
}

function readVarint(reader: Reader): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined || factor > 2 ** 49) throw new Error('an index block is malformed');
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}

/** Snappy's block format: literals and copies of what was written before. */
function decompressSnappy(input: Buffer): Buffer {
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

function makeTable(): Uint32Array {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82f63b78;
    table[n] = crc >>> 0;
  }
  return table;
}

function crc32c(bytes: Buffer, from: number, to: number): number {
  let crc = 0xffffffff;
  for (let i = from; i < to; i++) crc = CRC_TABLE[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function mask(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
