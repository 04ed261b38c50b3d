// What the reference has and this server does not: refused by name.

import { illegalArgument, type EngineError } from '../../engine/index';

/** The error (400) of something that is not there yet. */
export function unsupported(name: string): EngineError {
  return illegalArgument(`${name} is not supported yet`);
}
