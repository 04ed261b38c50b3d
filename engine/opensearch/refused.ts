// What there is not over OpenSearch says so by name.

import type { Snapshots } from '../api/index';
import { type EngineError, illegalArgument } from '../errors';

/** 400 for something that the embedded engine has. */
export function notHere(what: string): EngineError {
  return illegalArgument(`${what} is not supported by the OpenSearch backend`);
}

function refuse(): Promise<never> {
  return Promise.reject(
    notHere('the snapshot API, instead of which OpenSearch has repositories of its own,'),
  );
}

/** Repositories and snapshots: there are none. */
export const NO_SNAPSHOTS: Snapshots = {
  putRepository: refuse,
  repositories: () => new Map(),
  verifyRepository: refuse,
  deleteRepositories: refuse,
  create: refuse,
  get: refuse,
  runningIn: () => [],
  status: refuse,
  delete: refuse,
  restore: refuse,
  restoring: () => [],
  verify: refuse,
};
