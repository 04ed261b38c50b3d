import { mapBounded, Turns } from '../../../../server/request/bounded';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('gives results in order, and never works on more than the limit', async () => {
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 20 }, (_, i) => i);
  const results = await mapBounded(items, 3, async (item) => {
    most = Math.max(most, ++running);
    for (let i = 0; i < (item * 7) % 5; i++) await turn();
    running--;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(most).toBe(3);
});

test('rejects with the first failure, and begins nothing more', async () => {
  const begun: number[] = [];
  const all = mapBounded([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await turn();
    if (item === 2) throw new Error('two');
  });
  await expect(all).rejects.toThrow('two');
  await turn();
  await turn();
  expect(begun.length).toBeLessThan(5);
});

test('others get turns also where no item waits for anything', async () => {
  // A clock that goes by the work alone: each item takes a millisecond.
  let clock = 0;
  const now = jest.spyOn(performance, 'now').mockImplementation(() => clock);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    await mapBounded(Array.from({ length: 300 }), 2, async () => {
      clock++;
    });
  } finally {
    now.mockRestore();
    isOver = true;
  }
  // A slice is of a few milliseconds.
  expect(turns).toBeGreaterThan(300 / 10);
});

test('of nothing makes nothing', async () => {
  expect(await mapBounded([], 4, () => Promise.reject(new Error('unused')))).toEqual([]);
});

test('what takes long begins one by one, with turns in between', async () => {
  const turns = new Turns();
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const begun = await Promise.all([1, 2, 3].map(() => turns.next().then(() => turn)));
  isOver = true;
  expect(new Set(begun).size).toBe(3);
});
