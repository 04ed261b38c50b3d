// What a key has to be granted for a route (docs/security.md, "Privileges").

import type { Action } from '../../engine/index';

/** Documents, searches, and what indices say of themselves: mappings, settings, aliases, warmers. */
export const READ: Action = { on: 'index', privilege: 'read' };
/** Documents are changed, or what was changed is made searchable. */
export const WRITE: Action = { on: 'index', privilege: 'write' };
/** Indices are made, changed or removed. */
export const INDEX_ADMIN: Action = { on: 'index', privilege: 'index_admin' };
/** Aliases are changed. */
export const ALIASES: Action = { on: 'index', privilege: 'aliases' };
/** Health and figures of indices. */
export const INDEX_MONITOR: Action = { on: 'index', privilege: 'monitor' };
/** Health and figures of the node, and its whole state. */
export const MONITOR: Action = { on: 'cluster', privilege: 'monitor' };
/** Templates, stored scripts, settings and tasks of the node. */
export const CLUSTER: Action = { on: 'cluster', privilege: 'cluster' };
/** Repositories and snapshots. */
export const SNAPSHOTS: Action = { on: 'cluster', privilege: 'snapshots' };
/** Keys themselves: whoever has it can make a key that may do everything. */
export const KEYS: Action = { on: 'cluster', privilege: 'keys' };
/** Works on all of the node at once. */
export const EVERYTHING: Action = { on: 'everything' };
/** Any key will do. */
export const NOTHING: Action = { on: 'nothing' };
