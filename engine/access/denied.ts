// Refusals of what a key may not do.

import { EngineError } from '../errors';

/** 403: a key is granted nothing of the kind. @param action as roles name it */
export function denied(action: string): EngineError {
  return new EngineError('AuthorizationException', `the key is not granted [${action}]`);
}

/** 403: an action is granted, but not on this index or alias. */
export function deniedOn(name: string): EngineError {
  return new EngineError('AuthorizationException', `the key has no grant for this on [${name}]`);
}
