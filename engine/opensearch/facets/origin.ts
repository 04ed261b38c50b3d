// Where facets get their numbers from.

import type { NumberOrigin } from '../../counting/index';
import type { FieldId } from '../../metadata/index';
import { unsupported } from '../layout/unsupported';

/**
 * The field of numbers; null: it indexes nothing.
 *
 * @param what has the numbers, for the message
 * @throws EngineError ElasticsearchIllegalArgumentException for a script
 */
export function fieldOf(origin: NumberOrigin, what: string): FieldId | null {
  if (origin.kind === 'script') throw scripted(what);
  return origin.field;
}

/** @param what has a script */
export function scripted(what: string): Error {
  return unsupported(`${what} with a script`, 'scripts do not run there');
}
