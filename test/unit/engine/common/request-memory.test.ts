import { RenderedHits, RequestMemory } from '../../../../engine/common/request-memory';

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

test('rendered hits of a thread are limited', () => {
  const hits = new RenderedHits(10);
  hits.hold(10);
  expect(failure(() => hits.hold(1))).toEqual(refused(10));
  hits.release(11);
  expect(hits.bytes).toBe(0);
});
