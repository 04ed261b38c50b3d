// The answer of operations that only say yes.

import { json, type ApiResponse } from '../api';
import type { Params } from '../params';

/**
 * Runs a change and acknowledges it. A `timeout` of zero or less answers `false` although the change is made: nobody
 * waited for it.
 *
 * @throws EngineError 400 for broken time parameters, before anything is changed
 */
export async function acknowledge(
  params: Params,
  change: () => Promise<void>,
): Promise<ApiResponse> {
  const timeoutMs = params.timeMs('timeout') ?? 30_000;
  params.timeMs('master_timeout');
  await change();
  return json({ acknowledged: timeoutMs > 0 });
}
