// A field that cannot be highlighted.

import { EngineError } from '../../errors';

/** What a search fails with when highlighting a field does (reference server). */
export function fieldFailure(name: string, cause: EngineError): EngineError {
  const message = `Fetch Failed [Failed to highlight field [${name}]]`;
  return new EngineError('FetchPhaseExecutionException', message, { cause });
}
