// Keys, and the engine as the holder of one may use it.

import type { AccessKey, AccessRole, ClusterPrivilege, IndexPrivilege } from '../metadata/index';

/** A key to be created. */
export interface NewKey {
  readonly id: string;
  readonly role: AccessRole;
  /** Undefined: a random one is made. */
  readonly secret?: string | undefined;
  /** Epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null;
}

/** A key with its secret, which is shown this once. */
export interface CreatedKey {
  readonly key: AccessKey;
  readonly secret: string;
}

/** When a key was last used: epoch milliseconds; null: not that is known. Moved on with each request. */
export interface KeyUse {
  at: number | null;
}

/** Who may use the node. Each change is one durable step. */
export interface Keys {
  /** All keys, expired ones included. */
  list(): readonly AccessKey[];
  /** A key that has not expired; null: there is none. The same object as long as nothing of it changes. */
  find(id: string): AccessKey | null;
  /** The key, if the secret is the right one. Takes some tens of milliseconds either way. */
  verify(id: string, secret: string): Promise<AccessKey | null>;
  create(key: NewKey): Promise<CreatedKey>;
  revoke(id: string): Promise<void>;
  /** Replaces the secret: the former one is refused from now on. */
  rotate(id: string, secret?: string): Promise<CreatedKey>;
  /** The record of a key's last use. What is known after a crash may be minutes behind. */
  use(id: string): KeyUse;
}

/**
 * What a request does: a class of actions on the indices that it names (`index`) or on the node as a whole
 * (`cluster`), or nothing that needs more than a key.
 */
export type Action =
  | { readonly on: 'index'; readonly privilege: IndexPrivilege }
  | { readonly on: 'cluster'; readonly privilege: ClusterPrivilege }
  /** All of the node at once. */
  | { readonly on: 'everything' }
  | { readonly on: 'nothing' };
