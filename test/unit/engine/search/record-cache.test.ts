// Records shown lately are read once; large ones and missing ones are asked for again.

import { ByteCache } from '../../../../engine/common/byte-cache';
import { CachedRecords } from '../../../../engine/search/fetch/record-cache';
import type { LogReader, LogRecord } from '../../../../storage/types';

function record(bytes: number): LogRecord {
  return {
    op: 'index',
    type: 't',
    id: '1',
    version: 1,
    routing: null,
    parent: null,
    timestamp: null,
    expiry: null,
    supersedes: 0,
    source: Buffer.alloc(bytes),
  };
}

function setUp(records: ReadonlyMap<string, LogRecord>): {
  cached: CachedRecords;
  reads: string[];
} {
  const reads: string[] = [];
  const log: LogReader = {
    readRecord: (shard, sequence) => {
      reads.push(`${shard}/${sequence}`);
      return records.get(`${shard}/${sequence}`);
    },
    readUid: () => undefined,
  };
  return { cached: new CachedRecords(log, new ByteCache(1 << 20)), reads };
}

test('a record is read once', () => {
  const one = record(100);
  const { cached, reads } = setUp(new Map([['3/7', one]]));
  expect(cached.readRecord(3, 7)).toBe(one);
  expect(cached.readRecord(3, 7)).toBe(one);
  expect(reads).toEqual(['3/7']);
});

test('shards have records of their own', () => {
  const [a, b] = [record(1), record(2)];
  const { cached } = setUp(
    new Map([
      ['0/7', a],
      ['1/7', b],
    ]),
  );
  expect(cached.readRecord(0, 7)).toBe(a);
  expect(cached.readRecord(1, 7)).toBe(b);
  expect(cached.readRecord(0, 7)).toBe(a);
});

test('large and missing records are not kept', () => {
  const { cached, reads } = setUp(new Map([['1/1', record(40_000)]]));
  for (let i = 0; i < 2; i++) {
    expect(cached.readRecord(1, 1)?.source.length).toBe(40_000);
    expect(cached.readRecord(1, 2)).toBeUndefined();
  }
  expect(reads).toEqual(['1/1', '1/2', '1/1', '1/2']);
});
