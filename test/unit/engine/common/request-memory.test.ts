import {
  RenderedHits,
  renderedHitsBudget,
  RequestMemory,
} from '../../../../engine/common/request-memory';

const refused = (limit: number) =>
  expect.objectContaining({
    wireName: 'CircuitBreakingException',
    status: 503,
    message: expect.stringContaining(`[${limit}b]`) as string,
  }) as Error;

function failure(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}

test('requests together hold no more than the limit, and what is given back is free', () => {
  const memory = new RequestMemory(100, 80);
  const [a, b] = [memory.lease(), memory.lease()];
  a.grow(60);
  b.grow(40);
  expect(failure(() => b.grow(1))).toEqual(refused(100));
  // A refusal counts nothing in.
  expect([memory.used, b.bytes, memory.tripped, memory.trippedAlone]).toEqual([100, 40, 1, 0]);
  a.release();
  a.release();
  expect(memory.used).toBe(40);
  b.grow(40);
  expect(failure(() => b.grow(1))).toEqual(refused(80));
  expect([memory.tripped, memory.trippedAlone]).toEqual([2, 1]);
  b.release();
  expect([memory.used, memory.largest]).toEqual([0, 100]);
});

test('rendered hits of all threads together are limited', () => {
  const budget = renderedHitsBudget(10, 3);
  const [one, other, third] = [0, 1, 2].map((place) => new RenderedHits(budget, place));
  one!.hold(6);
  other!.hold(4);
  expect(failure(() => third!.hold(1))).toEqual(refused(10));
  third!.release(1);
  one!.release(6);
  third!.hold(6);
  expect([one!.bytes, other!.bytes, third!.bytes]).toEqual([0, 4, 6]);
  // What a thread that died had held is free for the one in its place.
  const next = new RenderedHits(budget, 2);
  next.hold(6);
  expect(failure(() => next.hold(1))).toEqual(refused(10));
});
