// Keys as answers show them (docs/security.md). Secrets are shown once, when they are made.

import type { AccessKey, CreatedKey, JsonOutput, Keys } from '../../engine/index';
import { roleToJson } from '../../engine/index';

/** A key: its role and its times, in ISO 8601, or null. */
export function keyBody(key: AccessKey, keys: Keys): Record<string, JsonOutput> {
  return {
    role: roleToJson(key.role),
    created: timeOf(key.createdAt),
    secret_changed: timeOf(key.changedAt),
    expires: timeOf(key.expiresAt),
    last_used: timeOf(keys.use(key.id).at),
  };
}

/** All keys by id. */
export function keysBody(keys: Keys): Record<string, JsonOutput> {
  return { keys: new Map(keys.list().map((key) => [key.id, keyBody(key, keys)])) };
}

/** A new key or secret, with the text that clients send. */
export function createdKeyBody({ key, secret }: CreatedKey): Record<string, JsonOutput> {
  const pair = `${key.id}:${secret}`;
  return { id: key.id, secret, api_key: Buffer.from(pair).toString('base64') };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
