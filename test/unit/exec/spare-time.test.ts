import { SpareTime } from '../../../engine/exec/spare-time';

test('a thread that waits between pieces of work has time', () => {
  let idle = 0;
  const time = new SpareTime(() => idle);
  for (let i = 0; i < 100; i++) {
    idle += 0.1;
    expect(time.has()).toBe(true);
  }
});

test('time runs out where work follows work, and is back after a few waits', () => {
  let idle = 0;
  const time = new SpareTime(() => idle);
  let taken = 0;
  while (time.has()) {
    idle += 0.001;
    taken++;
  }
  expect(taken).toBeGreaterThan(4);
  expect(taken).toBeLessThan(20);
  let waits = 0;
  do {
    idle += 0.1;
    waits++;
  } while (!time.has());
  expect(waits).toBeLessThan(5);
});

test('now and then a piece of work that comes at once changes nothing', () => {
  let idle = 0;
  const time = new SpareTime(() => idle);
  for (let i = 0; i < 200; i++) {
    if (i % 3 > 0) idle += 0.05;
    expect(time.has()).toBe(true);
  }
});
