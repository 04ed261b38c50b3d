import { generateId } from '../../../../engine/documents/auto-id';

// The counter begins at its last value, so that the first id makes it wrap.
jest.mock('node:crypto', () => ({ randomBytes: (size: number) => Buffer.alloc(size, 0xff) }));

const partsOf = (id: string) => {
  const bytes = Buffer.from(id, 'base64url');
  return { time: bytes.readUIntBE(0, 6), counter: bytes.readUIntBE(12, 3) };
};

test('a counter that wraps moves the time on, so that no id repeats', () => {
  const now = 1_000_000_000_000;
  expect(partsOf(generateId(now))).toEqual({ time: now + 1, counter: 0 });
  expect(partsOf(generateId(now))).toEqual({ time: now + 1, counter: 1 });
});

test('an id is 20 characters that need no escaping, and different from all others', () => {
  const ids = Array.from({ length: 1000 }, () => generateId());
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{20}$/);
  expect(new Set(ids).size).toBe(1000);
});

test('ids keep their order in time when the clock is set back', () => {
  const now = 4_000_000_000_000;
  const [first, second, third] = [now, now + 1, now - 1000].map((at) => partsOf(generateId(at)));
  expect(first!.time).toBe(now);
  expect(second!.time).toBe(now + 1);
  expect(third).toEqual({ time: now + 1, counter: second!.counter + 1 });
});
