#!/usr/bin/env node
// `facetd keys`: makes, lists, replaces and revokes keys, in a data folder that no server uses or by asking a
// running server. The first key of a node is made in its folder.

import { readFileSync, statSync } from 'node:fs';
import { KeysService } from '../engine/access/index';
import { EngineError } from '../engine/errors';
import {
  isJsonObject,
  type JsonOutput,
  type JsonValue,
  parseJson,
  writeJson,
} from '../engine/json/index';
import {
  ClusterStateService,
  DEFAULT_LIMITS,
  parseRole,
  type AccessRole,
} from '../engine/metadata/index';
import { isOpenToOthers, parseTimeValue } from '../engine/common/index';
import { createdKeyBody, keysBody } from '../server/render/index';
import { Storage } from '../storage/index';
import { Client, type Answer } from './common/client';
import { KEYS, readOptions } from './cli/index';
import { EXIT, ExitError, HELP_SHOWN, runProgram, type Outcome } from './common/program';

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

/** The operations, in a folder or by a server. */
interface KeyStore {
  create(id: string, role: object, expiresIn: string | undefined, secret?: string): Promise<Answer>;
  list(): Promise<Answer>;
  revoke(id: string): Promise<Answer>;
  rotate(id: string, secret?: string): Promise<Answer>;
}

async function run(): Promise<Outcome> {
  const line = readOptions(KEYS);
  if (line === null) return HELP_SHOWN;
  const { values, words } = line;
  const [command, id] = words;
  const needsId = command !== 'list';
  const isKnown = KEYS.words?.includes(command ?? '') === true;
  if (!isKnown || needsId !== (id !== undefined) || words.length > 2) {
    const forms = KEYS.usage.map((form) => `facetd keys ${form}`).join('\n       ');
    throw new ExitError(EXIT.usage, `usage: ${forms}\nfacetd keys --help lists all`);
  }
  if ((values.data === undefined) === (values.url === undefined)) {
    throw new ExitError(
      EXIT.usage,
      'where are the keys? --data FOLDER: in that data folder, of a node that does not run; or --url URL: ' +
        'at a running one, such as http://ID:SECRET@127.0.0.1:9200',
    );
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
  if (file === undefined) return undefined;
  if (statSync(file).isFile() && isOpenToOthers(file)) {
    throw new ExitError(
      EXIT.usage,
      `--secret-file: ${file} may be read by others than its owner; chmod 600 makes it private`,
    );
  }
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
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
  return {
    async create(id, role, expiresIn, secret) {
      const expiresAt = expiresIn === undefined ? null : Date.now() + parseTimeValue(expiresIn);
      return answer(
        createdKeyBody(await keys.create({ id, role: asRole(role), secret, expiresAt })),
      );
    },
    list: async () => answer(keysBody(keys)),
    async revoke(id) {
      await keys.revoke(id);
      return { acknowledged: true };
    },
    rotate: async (id, secret) => answer(createdKeyBody(await keys.rotate(id, secret))),
  };
}

/** What a server would have answered. */
function answer(body: JsonOutput): Answer {
  return JSON.parse(writeJson(body)) as Answer;
}

function asRole(role: object): AccessRole {
  const value: JsonValue = parseJson(JSON.stringify(role), 250);
  if (!isJsonObject(value)) throw new ExitError(EXIT.usage, 'a role is a JSON object');
  return parseRole(value);
}

void runProgram(run);
