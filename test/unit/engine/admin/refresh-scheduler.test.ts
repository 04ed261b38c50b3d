// What the scheduler says of refreshes that fail.

import { RefreshScheduler } from '../../../../engine/admin/refresh-scheduler';
import { SILENT_LOGGER } from '../../../../engine/common/logger';
import type { IndexService } from '../../../../engine/shard/index-service';

afterEach(() => jest.useRealTimers());

test.each([
  ['an index that is there', false, 1],
  ['an index that was deleted meanwhile', true, 0],
])('a failed refresh of %s', async (_what, isClosed, logged) => {
  jest.useFakeTimers();
  const error = jest.fn();
  let refreshes = 0;
  const refresh = (): Promise<void> => {
    refreshes++;
    return Promise.reject(new Error('gone'));
  };
  const indexService = {
    name: 'i',
    isClosed,
    shards: [
      {
        isDirty: true,
        refresh,
        collectGarbage: () => Promise.resolve(),
        mergeAtRest: () => undefined,
      },
    ],
  } as unknown as IndexService;
  const scheduler = new RefreshScheduler(
    () => [{ indexService, intervalMs: 0 }],
    () => Promise.resolve(),
    { ...SILENT_LOGGER, error },
    () => undefined,
  );
  scheduler.start();
  await jest.advanceTimersByTimeAsync(150);
  scheduler.stop();
  expect(refreshes).toBe(1);
  expect(error).toHaveBeenCalledTimes(logged);
});
