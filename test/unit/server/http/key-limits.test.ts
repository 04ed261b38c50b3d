import {
  type AccessKey,
  parseJsonObject,
  parseRole,
  RequestMemory,
} from '../../../../engine/index';
import { KeyLimitReached, KeyLimits } from '../../../../server/http/key-limits';

const MEMORY = 1_000_000;
const memory = new RequestMemory(MEMORY, MEMORY);

function key(limits: string): AccessKey {
  return { role: parseRole(parseJsonObject(`{"limits": ${limits}}`)) } as AccessKey;
}

/** How long the answer of a refused request is held back; null: it is begun. */
function refusedFor(limits: KeyLimits, asker: AccessKey): number | null {
  try {
    limits.begin(asker, memory.lease());
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(KeyLimitReached);
    expect(error).toMatchObject({ status: 429 });
    return (error as KeyLimitReached).waitMs;
  }
}

test('refusals are answered late, and ever later while more come', () => {
  let now = 0;
  const limits = new KeyLimits(MEMORY, () => now);
  const noisy = key('{"in_flight": 1}');
  const end = limits.begin(noisy, memory.lease())!;
  expect([1, 2, 3].map(() => refusedFor(limits, noisy))).toEqual([100, 110, 120]);
  for (let i = 0; i < 1000; i++) refusedFor(limits, noisy);
  expect(refusedFor(limits, noisy)).toBe(5000);
  // Others are not held up by that.
  expect(refusedFor(limits, key('{"in_flight": 1}'))).toBeNull();
  now = 10_000;
  expect(refusedFor(limits, noisy)).toBe(100);
  end();
  expect(refusedFor(limits, noisy)).toBeNull();
});

test('requests of a key are begun at its rate, those of ten seconds at once', () => {
  let now = 0;
  const limits = new KeyLimits(MEMORY, () => now);
  const asker = key('{"per_second": 2}');
  const begun = (tries: number) =>
    Array.from({ length: tries }, () => refusedFor(limits, asker)).filter((it) => it === null)
      .length;
  expect(begun(30)).toBe(20);
  now = 1500;
  expect(begun(30)).toBe(3);
});

test('the requests of a key hold their share of the memory together, and give it back', () => {
  const limits = new KeyLimits(MEMORY, () => 0);
  const asker = key('{"memory_percent": 10}');
  const [first, second, other] = [memory.lease(), memory.lease(), memory.lease()];
  limits.begin(asker, first);
  limits.begin(asker, second);
  limits.begin(key('{"memory_percent": 10}'), other);
  first.grow(60_000);
  expect(() => second.grow(50_000)).toThrow(
    expect.objectContaining({ status: 429, wireName: 'EsRejectedExecutionException' }) as Error,
  );
  second.grow(40_000);
  other.grow(100_000);
  // What is there already is counted, whether or not there is room for it.
  second.hold(10_000);
  first.shrink(30_000);
  expect(() => second.grow(21_000)).toThrow('of memory, its limit');
  second.grow(20_000);
  for (const lease of [first, second, other]) lease.release();
  expect(memory.used).toBe(0);
  first.grow(100_000);
  first.release();
});

test.each([
  ['{"memory_percent": 101}', '1 to 100'],
  ['{"memory_percent": 0}', 'from 1 on'],
  ['{"memory": 5}', 'unknown member [memory]'],
])('limits %s are refused', (limits, why) => {
  expect(() => key(limits)).toThrow(why);
});
