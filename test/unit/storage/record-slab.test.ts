import { CorruptionError } from '../../../storage/errors';
import { RecordSlab } from '../../../storage/record-slab';
import type { LogRecord } from '../../../storage/types';
import { recordKey } from '../../../storage/keys';
import { encodeRecord } from '../../../storage/values';
import { record, seededRandom } from './support';

const SHARD = 7;
const EMPTY = Buffer.alloc(0);

function add(slab: RecordSlab, sequence: number, value: LogRecord): void {
  const key = recordKey(SHARD, sequence);
  slab.add(key, encodeRecord(key, value));
}

test('records come out as they went in, also when the memory is used again', () => {
  const random = seededRandom(5);
  const slab = new RecordSlab();
  for (let round = 0; round < 2; round++) {
    slab.clear();
    const expected: [number, LogRecord][] = [];
    for (let sequence = 1; expected.length < 400; sequence += 1 + Math.floor(random() * 3)) {
      const value = {
        ...record(`d${sequence}`),
        supersedes: Math.floor(random() * sequence),
        source: Buffer.alloc(Math.floor(random() * 2000), sequence),
      };
      expected.push([sequence, value]);
      add(slab, sequence, value);
    }
    expect(slab.length).toBe(expected.length);
    expect(slab.capacity).toBeGreaterThanOrEqual(slab.used);
    expected.forEach(([sequence, value], i) => {
      expect(slab.sequence(i)).toBe(sequence);
      expect(slab.supersedes(i)).toBe(value.supersedes);
      // Bytes are compared as such: the comparison of values takes seconds for them.
      const { source, ...rest } = slab.record(SHARD, i);
      expect(source.equals(value.source)).toBe(true);
      expect({ ...rest, source: EMPTY }).toEqual({ ...value, source: EMPTY });
    });
  }
});

test('a damaged record is refused and leaves nothing', () => {
  const slab = new RecordSlab();
  const key = recordKey(SHARD, 1);
  const value = encodeRecord(key, record('one'));
  value[3]! ^= 1;
  expect(() => slab.add(key, value)).toThrow(CorruptionError);
  expect(slab.length).toBe(0);
});
