// Secrets of keys: made at random, kept as hashes that cost memory and time to try out, compared in constant
// time.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../errors';
import type { SecretHash } from '../metadata/index';

/** 16 MB and some tens of milliseconds for each try. */
const COST = 16_384;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const SECRET_BYTES = 32;

/** Hashes worked out at a time, and those that may wait: nobody gets all threads by guessing. */
const AT_ONCE = 2;
const MOST_WAITING = 64;

/** A new secret: 256 random bits in 43 characters. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Works out hashes, a few at a time. */
export class SecretHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Stands for the hash of an unknown key, so that it takes as long to refuse as a wrong secret. */
  private readonly nobody: SecretHash = {
    salt: randomBytes(SALT_BYTES).toString('base64'),
    hash: randomBytes(HASH_BYTES).toString('base64'),
    cost: COST,
    blockSize: BLOCK_SIZE,
    parallelization: PARALLELIZATION,
  };

  /** What is kept of a secret. @throws EngineError 429 when too many wait */
  async hash(secret: string): Promise<SecretHash> {
    const salt = randomBytes(SALT_BYTES);
    const parameters = { cost: COST, blockSize: BLOCK_SIZE, parallelization: PARALLELIZATION };
    const hash = await this.inTurn(() => derive(secret, salt, parameters));
    return { salt: salt.toString('base64'), hash: hash.toString('base64'), ...parameters };
  }

  /**
   * Whether a secret is the one that was hashed; null: of no key, which takes as long.
   *
   * @throws EngineError 429 when too many wait
   */
  async matches(secret: string, known: SecretHash | null): Promise<boolean> {
    const { salt, hash, ...parameters } = known ?? this.nobody;
    const expected = Buffer.from(hash, 'base64');
    const found = await this.inTurn(() => derive(secret, Buffer.from(salt, 'base64'), parameters));
    return found.length === expected.length && timingSafeEqual(found, expected) && known !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) {
      if (this.waiting.length >= MOST_WAITING) {
        throw new EngineError(
          'EsRejectedExecutionException',
          'too many secrets wait to be checked; try again',
        );
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}

function derive(
  secret: string,
  salt: Buffer,
  { cost, blockSize, parallelization }: Omit<SecretHash, 'salt' | 'hash'>,
): Promise<Buffer> {
  const maxmem = 256 * cost * blockSize;
  return new Promise((resolve, reject) => {
    scrypt(
      secret,
      salt,
      HASH_BYTES,
      { N: cost, r: blockSize, p: parallelization, maxmem },
      (error, hash) => (error === null ? resolve(hash) : reject(error)),
    );
  });
}
