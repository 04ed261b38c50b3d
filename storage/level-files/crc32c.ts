// CRC-32C with LevelDB's mask, as its tables and write-ahead files have it. Eight bytes at a time: more than
// 1 GB a second on one core of 2020, three times as much as byte by byte.

const SLICES = 8;
/**
 * What a byte does to the sum that stands 0, 1, … 7 bytes before the end of a step, one table after the
 * other.
 */
const TABLES = makeTables();

/** The masked sum of bytes from `from` to before `to`. */
export function maskedCrc(bytes: Buffer, from: number, to: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = 0xffffffff | 0;
  let i = from;
  for (const last = to - SLICES; i <= last; i += SLICES) {
    const low = crc ^ view.getInt32(i, true);
    const high = view.getInt32(i + 4, true);
    crc =
      TABLES[1792 + (low & 255)]! ^
      TABLES[1536 + ((low >>> 8) & 255)]! ^
      TABLES[1280 + ((low >>> 16) & 255)]! ^
      TABLES[1024 + (low >>> 24)]! ^
      TABLES[768 + (high & 255)]! ^
      TABLES[512 + ((high >>> 8) & 255)]! ^
      TABLES[256 + ((high >>> 16) & 255)]! ^
      TABLES[high >>> 24]!;
  }
  for (; i < to; i++) crc = extendCrc(crc, bytes[i]!);
  return maskCrc(crc);
}

/** One step of a sum that begins with 0xffffffff. */
export function extendCrc(crc: number, byte: number): number {
  return TABLES[(crc ^ byte) & 255]! ^ (crc >>> 8);
}

/** Ends a sum and masks it. */
export function maskCrc(sum: number): number {
  const crc = (sum ^ 0xffffffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

function makeTables(): Int32Array {
  const tables = new Int32Array(SLICES * 256);
  for (let n = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82f63b78;
    tables[n] = crc;
  }
  for (let n = 0; n < 256; n++) {
    let crc = tables[n]!;
    for (let slice = 1; slice < SLICES; slice++) {
      crc = tables[crc & 255]! ^ (crc >>> 8);
      tables[slice * 256 + n] = crc;
    }
  }
  return tables;
}
