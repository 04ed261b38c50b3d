#!/usr/bin/env node
// `facetd keys`: makes, lists, replaces and revokes keys, in a data folder that no server uses or by asking a
// running server. The first key of a node is made in its folder.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { KeysService } from '../engine/access/index';
import { EngineError } from '../engine/errors';
import { isJsonObject, parseJson, writeJson, type JsonValue } from '../engine/json/index';
import {
  ClusterStateService,
  DEFAULT_LIMITS,
  parseRole,
  roleToJson,
  type AccessRole,
} from '../engine/metadata/index';
import { parseTimeValue } from '../engine/common/index';
import { Storage } from '../storage/index';
import { Client, type Answer } from './client';
import { EXIT, ExitError, orUsage, runProgram } from './program';

const HELP = `usage: facetd keys create ID [--role NAME | --role-file FILE | --read NAMES | --write NAMES]
                          [--expires-in TIME] [--secret-file FILE]
       facetd keys list | revoke ID | rotate ID [--secret-file FILE]
  with --data FOLDER     in the data folder of a node that does not run, as the user of the service
    or --url URL         by a running node; http://ID:SECRET@host:9200, or the pair in FACETD_CLIENT_KEY

  --role NAME          admin (everything), monitor (figures), backup (snapshots and figures)
  --read NAMES         read these indices and aliases; names with *, separated by commas
  --write NAMES        read and write them, and create them
  --role-file FILE     any other role, as docs/security.md has them
  --expires-in TIME    such as 30d; without it the key does not expire
  --secret-file FILE   takes the secret from a file, which only its owner may read, instead of making one

Prints one line of JSON. A secret is in it when it is made, and never again.
`;

const ALL = { names: ['*'], privileges: ['all'] };
const ROLES: Readonly<Record<string, object>> = {
  admin: { cluster: ['all'], indices: [ALL] },
  monitor: { cluster: ['monitor'] },
  backup: { cluster: ['monitor', 'snapshots'] },
};

interface Options {
  readonly role?: string | undefined;
  readonly 'role-file'?: string | undefined;
  readonly read?: string | undefined;
  readonly write?: string | undefined;
  readonly 'expires-in'?: string | undefined;
  readonly 'secret-file'?: string | undefined;
}

/** What was made, as the HTTP interface says it. */
interface Made {
  readonly id: string;
  readonly secret: string;
}

/** The operations, in a folder or by a server. */
interface KeyStore {
  create(id: string, role: object, expiresIn: string | undefined, secret?: string): Promise<Answer>;
  list(): Promise<Answer>;
  revoke(id: string): Promise<Answer>;
  rotate(id: string, secret?: string): Promise<Answer>;
}

async function run(): Promise<{ readonly code: number; readonly summary: Answer | null }> {
  const { values, positionals } = orUsage(() =>
    parseArgs({
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        url: { type: 'string' },
        role: { type: 'string' },
        'role-file': { type: 'string' },
        read: { type: 'string' },
        write: { type: 'string' },
        'expires-in': { type: 'string' },
        'secret-file': { type: 'string' },
        help: { type: 'boolean' },
      },
    }),
  );
  const [command, id] = positionals;
  const needsId = command !== 'list';
  const isKnown = ['create', 'list', 'revoke', 'rotate'].includes(command ?? '');
  if (values.help === true) {
    process.stdout.write(HELP);
    return { code: EXIT.done, summary: null };
  }
  if (
    !isKnown ||
    needsId !== (id !== undefined) ||
    (values.data === undefined) === (values.url === undefined)
  ) {
    throw new ExitError(EXIT.usage, HELP);
  }
  const secret = secretOf(values);
  const work = (store: KeyStore): Promise<Answer> => {
    switch (command as 'create' | 'list' | 'revoke' | 'rotate') {
      case 'create':
        return store.create(id!, roleOf(values), values['expires-in'], secret);
      case 'list':
        return store.list();
      case 'revoke':
        return store.revoke(id!);
      case 'rotate':
        return store.rotate(id!, secret);
    }
  };
  const summary =
    values.data === undefined
      ? await work(serverStore(new Client(values.url!)))
      : await inFolder(values.data, work);
  return { code: EXIT.done, summary };
}

function roleOf(values: Options): object {
  const { role, read, write } = values;
  const file = values['role-file'];
  const given = [role, read ?? write, file].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw new ExitError(EXIT.usage, 'one of --role, --role-file and --read or --write is needed');
  }
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')) as object;
  if (role !== undefined) {
    const found = Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
    if (found !== undefined) return found;
    throw new ExitError(EXIT.usage, `--role is one of ${Object.keys(ROLES).join(', ')}`);
  }
  const grant = (names: string, privileges: readonly string[]) => {
    return { names: names.split(','), privileges };
  };
  return {
    indices: [
      ...(read === undefined ? [] : [grant(read, ['read'])]),
      ...(write === undefined ? [] : [grant(write, ['read', 'write', 'monitor'])]),
    ],
  };
}

function secretOf(values: Options): string | undefined {
  const file = values['secret-file'];
  return file === undefined ? undefined : readFileSync(file, 'utf8').replace(/\r?\n$/, '');
}

function serverStore(client: Client): KeyStore {
  const path = (id: string): string => `/_facetd/keys/${encodeURIComponent(id)}`;
  return {
    create: (id, role, expiresIn, secret) =>
      client.send('PUT', path(id), { role, expires_in: expiresIn, secret }),
    list: () => client.send('GET', '/_facetd/keys'),
    revoke: (id) => client.send('DELETE', path(id)),
    rotate: (id, secret) => client.send('POST', `${path(id)}/_rotate`, { secret }),
  };
}

async function inFolder(path: string, work: (store: KeyStore) => Promise<Answer>): Promise<Answer> {
  process.umask(0o077);
  const storage = await Storage.open({ path, onFailure: () => undefined });
  try {
    const cluster = new ClusterStateService(() => storage.log, DEFAULT_LIMITS);
    await cluster.load();
    const keys = new KeysService({ cluster, now: Date.now, write: (change) => change() });
    return await work(folderStore(keys));
  } catch (error) {
    if (error instanceof EngineError) throw new ExitError(EXIT.failed, error.message);
    throw error;
  } finally {
    await storage.close();
  }
}

function folderStore(keys: KeysService): KeyStore {
  const shown = ({ id, secret }: Made): Answer => ({
    id,
    secret,
    api_key: Buffer.from(`${id}:${secret}`).toString('base64'),
  });
  return {
    async create(id, role, expiresIn, secret) {
      const expiresAt = expiresIn === undefined ? null : Date.now() + parseTimeValue(expiresIn);
      return shown({ id, ...(await keys.create({ id, role: asRole(role), secret, expiresAt })) });
    },
    list: async () => ({
      keys: Object.fromEntries(
        keys.list().map(({ id, role, createdAt, expiresAt }) => [
          id,
          {
            role: JSON.parse(writeJson(roleToJson(role))) as unknown,
            created: new Date(createdAt).toISOString(),
            expires: expiresAt === null ? null : new Date(expiresAt).toISOString(),
          },
        ]),
      ),
    }),
    async revoke(id) {
      await keys.revoke(id);
      return { acknowledged: true };
    },
    rotate: async (id, secret) => shown({ id, ...(await keys.rotate(id, secret)) }),
  };
}

function asRole(role: object): AccessRole {
  const value: JsonValue = parseJson(JSON.stringify(role), 250);
  if (!isJsonObject(value)) throw new ExitError(EXIT.usage, 'a role is a JSON object');
  return parseRole(value);
}

void runProgram(run);
