// Builds and merges on one thread: both go on, whatever the other does.

import { MergeScheduler } from '../../../../engine/shard/merge-scheduler';

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('merges take turns, and go on while builds never end', async () => {
  const turns = new MergeScheduler();
  let finish = (): void => undefined;
  const build = turns.build(() => new Promise<void>((resolve) => (finish = resolve)));
  const order: string[] = [];
  const merge = async (name: string): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await turns.step(() => {
        order.push(name);
        busyFor(2);
      });
    }
  };
  const started = performance.now();
  await Promise.all([merge('a'), merge('b')]);
  expect(order.join('')).toBe('ababab');
  // After each step builds have as long; the timer is a millisecond early at most.
  expect(performance.now() - started).toBeGreaterThan(6 * 2 + 5 * 1);
  finish();
  await build;
});

test('what a step throws is thrown to its merge, and others go on', async () => {
  const turns = new MergeScheduler();
  const failed = turns.step(() => {
    throw new Error('damaged');
  });
  const next = turns.step(() => 7);
  await expect(failed).rejects.toThrow('damaged');
  expect(await next).toBe(7);
});

test('a build that fails lets merges go on at once', async () => {
  const turns = new MergeScheduler();
  await expect(turns.build(() => Promise.reject(new Error('no space')))).rejects.toThrow();
  expect(await turns.step(() => 1)).toBe(1);
});
