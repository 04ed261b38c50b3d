import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { CorruptionError, FormatVersionError } from '../../../storage/errors';
import type { LogRecord } from '../../../storage/types';
import {
  ByteReader,
  ByteWriter,
  frameDeflated,
  frameValue,
  isDeflated,
  unframeValue,
} from '../../../storage/codec';
import * as keys from '../../../storage/keys';
import { decodeText, encodeText, writeShortText } from '../../../storage/text';
import * as values from '../../../storage/values';
import { record, segment } from './support';

/** Any UTF-16, lone surrogates included, with names that are traps elsewhere. */
const text = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.string({
    unit: fc.integer({ min: 0xd700, max: 0xe0ff }).map((unit) => String.fromCharCode(unit)),
  }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'toString',
    '\ud800',
    '\ufffd',
    '\udc00\ud800',
    '😀',
    'í\u0000',
  ),
);
const natural = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constantFrom(2 ** 53, 2 ** 62, 2 ** 63));
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const time = fc.double({ noNaN: true });

const records: fc.Arbitrary<LogRecord> = fc.record({
  op: fc.constantFrom('index' as const, 'delete' as const),
  type: text,
  id: text,
  version: natural,
  routing: fc.option(text),
  parent: fc.option(text),
  timestamp: fc.option(time),
  expiry: fc.option(time),
  supersedes: natural,
  source: bytes,
});

describe('text', () => {
  test('round-trips every string', () => {
    fc.assert(fc.property(text, (value) => expect(decodeText(encodeText(value))).toBe(value)));
  });

  test('is UTF-8 for well-formed strings', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(encodeText(value)).toEqual(Buffer.from(value, 'utf8'));
      }),
    );
  });

  test('is the same for short texts that are written in place', () => {
    const short = fc.oneof(text, fc.string({ unit: 'binary-ascii', maxLength: 150 }));
    fc.assert(
      fc.property(short, (value) => {
        const into = Buffer.alloc(200, 1);
        const encoded = encodeText(value);
        const end = writeShortText(value, into, 3);
        if (end === -1) expect(value.length > 96 || encoded.length > value.length).toBe(true);
        else expect(into.subarray(3, end)).toEqual(encoded);
        expect(new ByteWriter().text(value).view()).toEqual(new ByteWriter().bytes(encoded).view());
      }),
    );
  });

  test('gives different strings different bytes', () => {
    expect(encodeText('\ud800')).not.toEqual(encodeText('\ufffd'));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(encodeText(a).equals(encodeText(b))).toBe(a === b);
      }),
    );
  });
});

describe('keys', () => {
  test('keep the order of numbers', () => {
    const u48 = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), u48, u48, (s, t, a, b) => {
        const order = Math.sign(Buffer.compare(keys.recordKey(s, a), keys.recordKey(t, b)));
        expect(order).toBe(Math.sign(s - t) || Math.sign(a - b));
      }),
    );
  });

  test('give each uid its own key and give it back', () => {
    fc.assert(
      fc.property(text, text, text, text, (type, id, otherType, otherId) => {
        const key = keys.uidKey(1, type, id);
        expect(keys.uidOf(key)).toEqual({ type, id });
        expect(key.equals(keys.uidKey(1, otherType, otherId))).toBe(
          type === otherType && id === otherId,
        );
      }),
    );
  });

  test('put everything of a shard and nothing else into its range', () => {
    const inside = (key: Buffer, { gte, lt }: keys.KeyRange): boolean =>
      Buffer.compare(key, gte) >= 0 && Buffer.compare(key, lt) < 0;
    for (const shard of [0, 1, 255, 256, 2 ** 32 - 1]) {
      expect(inside(keys.uidKey(shard, '\uffff', '\uffff'), keys.shardUidRange(shard))).toBe(true);
      expect(inside(keys.uidKey(shard, '', ''), keys.shardUidRange(shard))).toBe(true);
      expect(inside(keys.recordKey(shard, 2 ** 48 - 1), keys.shardRecordRange(shard))).toBe(true);
      expect(inside(keys.recordKey((shard + 1) % 2 ** 32, 0), keys.shardRecordRange(shard))).toBe(
        false,
      );
    }
    expect(inside(keys.recordKey(1, 5), keys.recordRange(1, 5, 9))).toBe(false);
    expect(inside(keys.recordKey(1, 6), keys.recordRange(1, 5, 9))).toBe(true);
    expect(inside(keys.recordKey(1, 9), keys.recordRange(1, 5, 9))).toBe(true);
    expect(inside(keys.recordKey(1, 10), keys.recordRange(1, 5, 9))).toBe(false);
  });

  test('refuse ids that do not fit', () => {
    expect(() => keys.recordKey(2 ** 32, 1)).toThrow(RangeError);
    expect(() => keys.recordKey(1, 2 ** 48)).toThrow(RangeError);
    expect(() => keys.recordKey(1, -1)).toThrow(RangeError);
    expect(() => keys.recordKey(1, NaN)).toThrow(RangeError);
    expect(() => keys.blockKey(1.5, 1)).toThrow(RangeError);
  });

  test('are named in words without user text', () => {
    expect(keys.describeKey(keys.uidKey(3, 'secret', 'secret'))).toBe('uid entry of shard 3');
    expect(keys.describeKey(keys.blockKey(11, 2))).toBe('block 2 of segment 11');
  });
});

describe('the value frame', () => {
  const key = keys.blockKey(1, 0);

  test('keeps the payload at offset 0 of the memory of the value', () => {
    const value = Buffer.from(new Uint8Array(frameValue(key, Buffer.alloc(64, 7))).buffer);
    const payload = unframeValue(key, value);
    expect(payload).toEqual(Buffer.alloc(64, 7));
    expect(payload.buffer).toBe(value.buffer);
    expect(payload.byteOffset).toBe(0);
    expect(new Float64Array(payload.buffer, payload.byteOffset, 8)).toHaveLength(8);
  });

  test('detects every flipped bit, every cut and every appended byte', () => {
    const value = frameValue(key, Buffer.from('some payload of a block'));
    for (let bit = 0; bit < value.length * 8; bit++) {
      const damaged = Buffer.from(value);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => unframeValue(key, damaged)).toThrow(CorruptionError);
    }
    for (let length = 0; length < value.length; length++) {
      expect(() => unframeValue(key, value.subarray(0, length))).toThrow(CorruptionError);
    }
    expect(() => unframeValue(key, Buffer.concat([value, Buffer.from([0])]))).toThrow(
      CorruptionError,
    );
  });

  test('detects a value under the key of another', () => {
    const value = frameValue(key, Buffer.from('block'));
    expect(() => unframeValue(keys.blockKey(1, 1), value)).toThrow(CorruptionError);
    expect(() => unframeValue(keys.blockKey(2, 0), value)).toThrow(
      'block 0 of segment 2 is damaged',
    );
  });

  test('inflates what was deflated, and detects damage in it', () => {
    for (const payload of [
      Buffer.alloc(0),
      Buffer.from('block'),
      Buffer.alloc(200_000, 'abcdef'),
    ]) {
      const value = frameDeflated(key, deflateRawSync(payload));
      expect(isDeflated(value)).toBe(true);
      expect(unframeValue(key, value).equals(payload)).toBe(true);
      for (let at = 0; at < value.length; at++) {
        const damaged = Buffer.from(value);
        damaged[at]! ^= 0x80;
        expect(() => unframeValue(key, damaged)).toThrow(CorruptionError);
      }
    }
    expect(isDeflated(frameValue(key, Buffer.from('block')))).toBe(false);
    const wrong = frameDeflated(key, Buffer.from('no such thing'));
    expect(() => unframeValue(key, wrong)).toThrow('cannot be inflated');
    const endless = frameDeflated(key, deflateRawSync(Buffer.alloc(17 * 1024 * 1024)));
    expect(() => unframeValue(key, endless)).toThrow('cannot be inflated');
  });

  test('refuses a newer version of a value', () => {
    // Payload 1, version 2 and a checksum that fits: sound, only newer.
    const body = Buffer.from([1, 2]);
    const newer = Buffer.alloc(6);
    body.copy(newer);
    newer.writeUInt32BE(crcOf(key, body), 2);
    expect(() => unframeValue(key, newer)).toThrow(FormatVersionError);
  });
});

describe('values', () => {
  test('records round-trip', () => {
    const key = keys.recordKey(3, 4);
    fc.assert(
      fc.property(records, (value) => {
        expect(values.decodeRecord(key, values.encodeRecord(key, value))).toEqual(value);
      }),
    );
  });

  test('a record costs its source and a small head', () => {
    const key = keys.recordKey(3, 4);
    const value = values.encodeRecord(key, record('1', { source: Buffer.alloc(1000) }));
    expect(value.length).toBeLessThan(1000 + 20);
  });

  test('very long names are kept', () => {
    const key = keys.recordKey(3, 4);
    const id = 'é'.repeat(200_000);
    expect(values.decodeRecord(key, values.encodeRecord(key, record(id))).id).toBe(id);
    expect(keys.uidOf(keys.uidKey(1, id, id))).toEqual({ type: id, id });
  });

  test('uid entries round-trip', () => {
    const key = keys.uidKey(1, 'a', 'b');
    fc.assert(
      fc.property(natural, natural, fc.boolean(), time, (sequence, version, deleted, deletedAt) => {
        const entry = { sequence, version, deleted, deletedAt: deleted ? deletedAt : 0 };
        expect(values.decodeUid(key, values.encodeUid(key, entry))).toEqual(entry);
      }),
    );
  });

  test('commit points round-trip', () => {
    const key = keys.commitKey(1);
    const segments = fc.array(
      fc
        .tuple(natural, natural, natural, fc.array(natural))
        .map(([id, size, maxSequence, deletionChunks]) =>
          segment(id, { bytes: size, maxSequence, deletionChunks }),
        ),
    );
    fc.assert(
      fc.property(natural, natural, segments, (generation, sequence, list) => {
        const commit = { generation, sequence, segments: list };
        expect(values.decodeCommit(key, values.encodeCommit(key, commit))).toEqual(commit);
      }),
    );
  });

  test('intents, floor and identity round-trip', () => {
    const key = keys.deleteIntentKey(1);
    expect(values.decodeDeleteIntent(key, values.encodeDeleteIntent(key, [3, 2 ** 40]))).toEqual([
      3,
      2 ** 40,
    ]);
    expect(values.decodeBatchFloor(key, values.encodeBatchFloor(key, 2 ** 47))).toBe(2 ** 47);
    expect(values.decodeIdentity(key, values.encodeIdentity(key, 'abc'))).toBe('abc');
  });

  test('a sound frame around the wrong payload is corruption, not a crash', () => {
    const key = keys.recordKey(1, 1);
    fc.assert(
      fc.property(bytes, (payload) => {
        const value = frameValue(key, payload);
        for (const decode of [values.decodeRecord, values.decodeUid, values.decodeCommit]) {
          try {
            decode(key, value);
          } catch (error) {
            expect(error).toBeInstanceOf(CorruptionError);
          }
        }
      }),
    );
    const uidKey = keys.uidKey(1, 'a', 'b');
    const longer = Buffer.concat([Buffer.from([0, 1, 1]), Buffer.from([9])]);
    expect(() => values.decodeUid(uidKey, frameValue(uidKey, longer))).toThrow(CorruptionError);
  });

  test('numbers that are not natural are refused when written', () => {
    const key = keys.recordKey(1, 1);
    expect(() => values.encodeRecord(key, record('1', { version: -1 }))).toThrow(RangeError);
    expect(() => values.encodeRecord(key, record('1', { version: 1.5 }))).toThrow(RangeError);
    expect(values.decodeRecord(key, values.encodeRecord(key, record('1'))).version).toBe(1);
  });
});

describe('varint', () => {
  test('round-trips naturals and is as short as it can be', () => {
    const key = keys.commitKey(1);
    fc.assert(
      fc.property(natural, (value) => {
        const written = new ByteWriter().varint(value).view();
        expect(new ByteReader(written, key).varint()).toBe(value);
        expect(written.length).toBe(Math.max(1, Math.ceil(BigInt(value).toString(2).length / 7)));
      }),
    );
  });
});

function crcOf(key: Buffer, body: Buffer): number {
  // Bitwise CRC-32, slow and plain: the polynomial the format promises.
  let crc = 0xffffffff;
  for (const byte of [...key, ...body]) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : 0xedb88320);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
