// CRC-32C with LevelDB's mask, as its tables and write-ahead files have it.

const TABLE = makeTable();

/** The masked sum of bytes from `from` to before `to`. */
export function maskedCrc(bytes: Buffer, from: number, to: number): number {
  let crc = 0xffffffff;
  for (let i = from; i < to; i++) crc = extendCrc(crc, bytes[i]!);
  return maskCrc(crc);
}

/** One step of a sum that begins with 0xffffffff. */
export function extendCrc(crc: number, byte: number): number {
  return TABLE[(crc ^ byte) & 255]! ^ (crc >>> 8);
}

/** Ends a sum and masks it. */
export function maskCrc(sum: number): number {
  const crc = (sum ^ 0xffffffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
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
