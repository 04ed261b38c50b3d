// Searches and percolations on one thread take turns: one between two looks at the event loop, and that which
// has used the least.

import { setImmediate as nextLoop } from 'node:timers/promises';
import { SearchScheduler, SearchTurn } from '../../../../engine/search/run/search-scheduler';

let now = 1000;
beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

test('the turn is over after a slice, and goes to one at a time, the least used first', async () => {
  const scheduler = new SearchScheduler();
  const order: string[] = [];
  const work = async (name: string, ms: number, slices: number): Promise<void> => {
    const turn = new SearchTurn(scheduler);
    for (let i = 0; i < slices; i++) {
      expect(turn.isOver()).toBe(false);
      now += ms;
      order.push(name);
      expect(turn.isOver()).toBe(ms > 3);
      if (turn.isOver()) await turn.next();
    }
  };
  const all = Promise.all([work('large', 40, 3), work('small', 4, 3), work('brief', 1, 2)]);
  expect(order).toEqual(['large', 'small', 'brief', 'brief']);
  order.length = 0;
  await nextLoop();
  expect(order).toEqual(['small']);
  await all;
  expect(order).toEqual(['small', 'small', 'large', 'large']);
});

test('what is waited for besides does not count as used', async () => {
  const scheduler = new SearchScheduler();
  const order: string[] = [];
  const [waited, worked] = [new SearchTurn(scheduler), new SearchTurn(scheduler)];
  now += 5;
  waited.end();
  now += 100;
  worked.end();
  waited.begin();
  worked.begin();
  const turns = [worked, waited].map(async (turn) => {
    await turn.next();
    order.push(turn === waited ? 'waited' : 'worked');
  });
  await Promise.all(turns);
  expect(order).toEqual(['waited', 'worked']);
});
