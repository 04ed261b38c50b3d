// Creating, listing, replacing and revoking keys, each as one atomic, durable step of the cluster state.

import { illegalArgument, EngineError } from '../errors';
import type { CreatedKey, Keys, KeyUse, NewKey } from '../api/index';
import { type AccessKey, type ClusterState, replaceKeys, validateKeyId } from '../metadata/index';
import { KeyUses, type KeyUsesHost } from './key-uses';
import { newSecret, SecretHasher } from './secrets';

/** Keys that there may be. */
const MAX_KEYS = 10_000;
/** Characters of a secret that somebody chose. */
const SECRET_LENGTH = { least: 12, most: 256 };

/** What keys need of the node. */
export interface KeysHost extends KeyUsesHost {
  readonly now: () => number;
}

/** The keys of a node. */
export class KeysService implements Keys {
  readonly uses: KeyUses;
  private readonly hasher = new SecretHasher();

  constructor(private readonly host: KeysHost) {
    this.uses = new KeyUses(host);
  }

  list(): readonly AccessKey[] {
    return [...this.host.cluster.state().keys.values()];
  }

  find(id: string): AccessKey | null {
    const key = this.host.cluster.state().keys.get(id);
    return key === undefined || this.isExpired(key) ? null : key;
  }

  /** @throws EngineError 429 when too many secrets wait to be checked */
  async verify(id: string, secret: string): Promise<AccessKey | null> {
    const key = this.find(id);
    const isRight = await this.hasher.matches(
      secret.slice(0, SECRET_LENGTH.most + 1),
      key?.secret ?? null,
    );
    // It may have been revoked or replaced meanwhile.
    return isRight && key !== null && this.find(id) === key ? key : null;
  }

  /** @throws EngineError 400 for an id or secret that cannot be, 409 for an id that there is */
  async create({ id, role, secret = newSecret(), expiresAt }: NewKey): Promise<CreatedKey> {
    validateKeyId(id);
    validateSecret(secret);
    const { now } = this.host;
    if (expiresAt !== null && expiresAt <= now()) {
      throw illegalArgument(`the key [${id}] would have expired already`);
    }
    const hash = await this.hasher.hash(secret);
    const createdAt = now();
    const key = { id, secret: hash, role, createdAt, changedAt: createdAt, expiresAt };
    await this.change(({ keys }) => {
      if (keys.has(id)) throw alreadyThere(id);
      if (keys.size >= MAX_KEYS) throw illegalArgument(`there are [${MAX_KEYS}] keys already`);
      return new Map(keys).set(id, key);
    });
    return { key, secret };
  }

  /** @throws EngineError 404 */
  async revoke(id: string): Promise<void> {
    await this.change(({ keys }) => {
      if (!keys.has(id)) throw unknownKey(id);
      const left = new Map(keys);
      left.delete(id);
      return left;
    });
    this.uses.forget(id);
  }

  /** @throws EngineError 404, 400 */
  async rotate(id: string, secret = newSecret()): Promise<CreatedKey> {
    validateSecret(secret);
    const hash = await this.hasher.hash(secret);
    let changed: AccessKey | null = null;
    await this.change(({ keys }) => {
      const key = keys.get(id);
      if (key === undefined) throw unknownKey(id);
      changed = { ...key, secret: hash, changedAt: this.host.now() };
      return new Map(keys).set(id, changed);
    });
    return { key: changed!, secret };
  }

  use(id: string): KeyUse {
    return this.uses.of(id);
  }

  private isExpired({ expiresAt }: AccessKey): boolean {
    return expiresAt !== null && expiresAt <= this.host.now();
  }

  private async change(compute: (state: ClusterState) => ClusterState['keys']): Promise<void> {
    const { cluster } = this.host;
    await this.host.write(() => cluster.change((state) => replaceKeys(state, compute(state))));
  }
}

function validateSecret(secret: string): void {
  const { least, most } = SECRET_LENGTH;
  if (secret.length >= least && secret.length <= most) return;
  throw illegalArgument(`a secret has [${least}] to [${most}] characters`);
}

function alreadyThere(id: string): EngineError {
  return new EngineError('ElasticsearchIllegalArgumentException', `there is a key [${id}]`, {
    status: 409,
  });
}

function unknownKey(id: string): EngineError {
  return new EngineError('ElasticsearchIllegalArgumentException', `there is no key [${id}]`, {
    status: 404,
  });
}
