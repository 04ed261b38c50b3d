// How one document of a request for many fails without the others.

import { EngineError } from '../errors';
import { describeDamage } from '../shard/index';

/**
 * What a client is told about one document.
 * @throws `error` itself when it is no matter of that document but of the node
 */
export function itemError(error: unknown): EngineError {
  const known = describeDamage(error) ?? error;
  if (!(known instanceof EngineError)) throw error;
  return known;
}
