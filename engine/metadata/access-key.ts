// Keys: who may use the node. They are part of the cluster state, so that each change is one durable step;
// what is kept of a secret is its scrypt hash.

import { illegalArgument } from '../errors';
import type { JsonOutput } from '../json/index';
import { type AccessRole, parseRole, roleToJson } from './access-role';
import type { Reader } from './stored-json';

/** What is kept of a secret. Binary values as base64. */
export interface SecretHash {
  readonly salt: string;
  readonly hash: string;
  /** Parameters of scrypt. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** A key, or a user: both are an id with a secret. */
export interface AccessKey {
  readonly id: string;
  readonly secret: SecretHash;
  readonly role: AccessRole;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** When the secret was last replaced. Epoch milliseconds. */
  readonly changedAt: number;
  /** Epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null;
}

/** All keys by id. */
export type AccessKeys = ReadonlyMap<string, AccessKey>;

/** Characters of the id of a key: none that Basic authentication or a log line would have to quote. */
const KEY_ID = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/;

/** @throws EngineError ElasticsearchIllegalArgumentException */
export function validateKeyId(id: string): void {
  if (KEY_ID.test(id)) return;
  throw illegalArgument(
    `[${id.slice(0, 100)}] cannot be the id of a key: letters, digits and [._@-], at most 100, a letter or digit first`,
  );
}

/** Keys as they are stored. */
export function keysToJson(keys: AccessKeys): JsonOutput {
  return new Map(
    Array.from(keys.values(), ({ id, secret, role, createdAt, changedAt, expiresAt }) => [
      id,
      { secret: { ...secret }, role: roleToJson(role), createdAt, changedAt, expiresAt },
    ]),
  );
}

/** The keys that {@link keysToJson} wrote. @throws EngineError CorruptIndexException */
export function keysFromJson(json: Reader | null): AccessKeys {
  const keys = new Map<string, AccessKey>();
  for (const id of json?.value.keys() ?? []) {
    const entry = json!.member(id);
    const secret = entry.member('secret');
    keys.set(id, {
      id,
      secret: {
        salt: secret.text('salt'),
        hash: secret.text('hash'),
        cost: secret.integer('cost'),
        blockSize: secret.integer('blockSize'),
        parallelization: secret.integer('parallelization'),
      },
      role: parseRole(entry.member('role').value),
      createdAt: entry.integer('createdAt'),
      changedAt: entry.integer('changedAt'),
      expiresAt: entry.value.get('expiresAt') === null ? null : entry.integer('expiresAt'),
    });
  }
  return keys;
}
