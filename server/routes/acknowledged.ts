// The answer of operations that only say yes.

import type { SearchEngine } from '../../engine/index';
import { json, type ApiResponse, type Params } from '../request/index';

/**
 * Runs a change and acknowledges it. With a `timeout` of zero or less the answer is `false`, although the
 * change is made. When there was nothing to change, the answer is `true`.
 *
 * @throws EngineError 400 for broken time parameters, before anything is changed
 */
export async function acknowledge(
  params: Params,
  engine: SearchEngine,
  change: () => Promise<void>,
): Promise<ApiResponse> {
  const timeoutMs = params.timeMs('timeout') ?? 30_000;
  checkTimeouts(params);
  const before = engine.state();
  await change();
  return json({ acknowledged: timeoutMs > 0 || engine.state() === before });
}

/**
 * Checks the times that a request may wait for a master and for other nodes; here nobody waits for either.
 * @throws EngineError 400
 */
export function checkTimeouts(params: Params): void {
  params.timeMs('timeout');
  params.timeMs('master_timeout');
}
