// Who sends a request: the key of its `Authorization` header, as Basic authentication or as an API key.
//
// A secret is hashed once, which takes tens of milliseconds. What was verified is remembered under a keyed
// digest of the header, as long as the key stays the same object, which every change of it ends.

import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Access, type AccessKey, EngineError, type KeyUse } from '../../engine/index';

/** Headers that are remembered. */
const MAX_VERIFIED = 10_000;
/** Refused headers that are remembered, and for how long in milliseconds. */
const MAX_REFUSED = 1000;
const REFUSED_MS = 10_000;
/** Characters of a header that can be right. */
const MAX_HEADER = 1000;

/** The header of a connection's last request, and the key that it was verified to be of. */
interface Known {
  readonly header: string;
  readonly key: AccessKey;
  readonly use: KeyUse;
}

/** Where a connection has it: read for every request, and a map beside them all takes longer. */
const KNOWN = Symbol('known key');
type KnownSocket = Socket & { [KNOWN]?: Known };

/** Finds the keys of requests. */
export class Authenticator {
  private readonly digestKey = randomBytes(32);
  private readonly verified = new Map<string, AccessKey>();
  private readonly refused = new Map<string, number>();

  constructor(
    private readonly access: Access,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The key of a request; a promise where its secret has to be verified first.
   *
   * @throws EngineError AuthenticationException (401)
   */
  keyOf({ headers, socket }: IncomingMessage): AccessKey | Promise<AccessKey> {
    const { authorization: header } = headers;
    if (header === undefined) throw unauthenticated('the request names no key');
    const known = (socket as KnownSocket)[KNOWN];
    if (known !== undefined && known.header === header && this.isCurrent(known.key)) {
      known.use.at = this.now();
      return known.key;
    }
    if (header.length > MAX_HEADER) throw unauthenticated('the header Authorization is too long');
    const digest = createHmac('sha256', this.digestKey).update(header).digest('base64');
    const key = this.verified.get(digest);
    if (key !== undefined && this.isCurrent(key)) return this.used(key, header, socket);
    this.verified.delete(digest);
    if ((this.refused.get(digest) ?? -Infinity) > this.now()) throw wrongKey();
    return this.verify(header, digest, socket);
  }

  private async verify(header: string, digest: string, socket: Socket): Promise<AccessKey> {
    const { id, secret } = credentialsOf(header);
    const key = await this.access.keys.verify(id, secret);
    if (key === null) {
      remember(this.refused, digest, this.now() + REFUSED_MS, MAX_REFUSED);
      throw wrongKey();
    }
    remember(this.verified, digest, key, MAX_VERIFIED);
    return this.used(key, header, socket);
  }

  private isCurrent(key: AccessKey): boolean {
    return this.access.keys.find(key.id) === key;
  }

  private used(key: AccessKey, header: string, socket: KnownSocket): AccessKey {
    const use = this.access.keys.use(key.id);
    use.at = this.now();
    socket[KNOWN] = { header, key, use };
    return key;
  }
}

/** Forgets the oldest entry when there are too many. */
function remember<T>(map: Map<string, T>, name: string, value: T, most: number): void {
  map.delete(name);
  map.set(name, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

/** @throws EngineError AuthenticationException */
function credentialsOf(header: string): { readonly id: string; readonly secret: string } {
  const [, scheme, encoded] = /^(basic|apikey) +([A-Za-z0-9+/=_-]+) *$/i.exec(header) ?? [];
  if (scheme === undefined || encoded === undefined) {
    throw unauthenticated('the header Authorization is neither Basic nor ApiKey');
  }
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 1) throw unauthenticated('the header Authorization has no id and secret in it');
  return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}

function wrongKey(): EngineError {
  return unauthenticated('there is no such key, or its secret is another one');
}

function unauthenticated(message: string): EngineError {
  return new EngineError('AuthenticationException', message);
}
