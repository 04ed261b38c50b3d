// How many worker threads the nodes of a test have: 0 unless the jest project that runs it says otherwise
// (jest.config.js), so that one suite covers all ways of running jobs.

import type { ThreadTuning } from '../../engine/thread-pools';

declare global {
  var testWorkers: number | undefined;
}

export const TEST_WORKERS = globalThis.testWorkers ?? 0;

/** The segments and searches of tests are small; all the same they are spread over workers. */
export const TEST_THREADS: ThreadTuning = {
  smallSegmentDocs: 0,
  smallSearchPostings: 0,
  warmsUp: false,
};
