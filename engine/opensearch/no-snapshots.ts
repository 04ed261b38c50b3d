// The snapshot API, which OpenSearch has in a way of its own.

import type { Snapshots } from '../api/index';
import { unsupported } from './layout/unsupported';

function refuse(): Promise<never> {
  return Promise.reject(unsupported('the snapshot API', 'OpenSearch has repositories of its own'));
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
