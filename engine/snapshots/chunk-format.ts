// Chunk files: some documents of one shard, one after the other, compressed or not.
//
//   0        encoding:u8      0 plain, 1 raw deflate
//   1        the list of records (storage/record-list.ts)
//
// Where a chunk ends is decided by the documents in it and not by their number or place. So a change of some
// documents changes the chunks around them, and all others come out with the same bytes as last time.

import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { EngineError } from '../errors';
import { unpackRecords, type LogRecord } from '../../storage/index';

const PLAIN = 0;
const DEFLATED = 1;
/** Fast: documents shrink to a third all the same. */
const COMPRESSION_LEVEL = 1;
/** A chunk may end from so many bytes on, and ends at so many, before compression. */
const MIN_CHUNK_BYTES = 1024 * 1024;
const MAX_CHUNK_BYTES = 8 * 1024 * 1024;
/** One document in so many may be the last of a chunk. */
const END_MASK = 15;
/** A bound for what is read back: the largest chunk and the largest document that a request can hold. */
const MAX_UNPACKED_BYTES = 2 ** 30;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Whether a chunk of `bytes` in all ends with the document that `packed` holds. */
export function endsChunk(bytes: number, packed: Buffer): boolean {
  if (bytes >= MAX_CHUNK_BYTES) return true;
  return bytes >= MIN_CHUNK_BYTES && (crc32(packed) & END_MASK) === 0;
}

/** The bytes of a chunk file. Compression runs on another thread. */
export async function encodeChunk(records: readonly Buffer[], compress: boolean): Promise<Buffer> {
  const list = Buffer.concat(records);
  const body = compress ? await deflate(list, { level: COMPRESSION_LEVEL }) : list;
  return Buffer.concat([Buffer.from([compress ? DEFLATED : PLAIN]), body]);
}

/** The documents of a chunk file. @throws EngineError CorruptIndexException, CorruptionError. */
export async function decodeChunk(file: string, bytes: Buffer): Promise<readonly LogRecord[]> {
  const body = bytes.subarray(1);
  if (bytes[0] === PLAIN) return [...unpackRecords(body)];
  if (bytes[0] !== DEFLATED) {
    throw new EngineError('CorruptIndexException', `${file} has an unknown encoding`);
  }
  return [...unpackRecords(await inflate(body, { maxOutputLength: MAX_UNPACKED_BYTES }))];
}
