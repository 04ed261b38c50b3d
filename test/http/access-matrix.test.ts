// Every line of the table of routes, with every privilege, granted on an index and on aliases of all forms. A
// privilege that a line does not declare opens it nowhere; the one that it declares opens what is granted,
// and nothing else is shown, changed, or found to exist.

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AccessKey,
  type Action,
  type ClusterState,
  type EngineError,
  parseJsonObject,
  parseRole,
  writeJson,
} from '../../engine/index';
import { ROUTES } from '../../server/routes/index';
import { createTestApp, type TestApp } from '../support/app';

const MARKER = 'zzsecret';
const INDEX = ['read', 'write', 'index_admin', 'aliases', 'monitor'] as const;
const CLUSTER = ['monitor', 'cluster', 'snapshots', 'keys'] as const;

/** A way in which indices are granted and named. */
interface Form {
  readonly name: string;
  /** The indices behind it. */
  readonly indices: readonly string[];
  readonly granted: readonly string[];
  /** How requests name it. */
  readonly target: string;
  /** An alias that it is granted to change, or is granted by. */
  readonly alias: string;
  /** What the alias is, for forms that are granted by it. */
  readonly properties: object | null;
  readonly opens: readonly (typeof INDEX)[number][];
}

const READING_AND_WRITING = ['read', 'write'] as const;
const FORMS: readonly Form[] = [
  form(0, 'index', ['mtx0'], null, INDEX),
  form(1, 'plain alias', ['mtx1'], {}, READING_AND_WRITING),
  form(2, 'alias with a filter', ['mtx2'], { filter: { term: { who: 'me' } } }, ['read']),
  form(3, 'alias with routing', ['mtx3'], { routing: 'r' }, READING_AND_WRITING),
  form(4, 'alias of two indices', ['mtx4a', 'mtx4b'], {}, READING_AND_WRITING),
  form(5, 'pattern', ['mtx5a', 'mtx5b'], null, INDEX),
];

function form(
  i: number,
  name: string,
  indices: readonly string[],
  properties: Form['properties'],
  opens: Form['opens'],
): Form {
  const alias = `als${i}`;
  const target = properties !== null ? alias : name === 'pattern' ? `mtx${i}*` : indices[0]!;
  return { name, indices, granted: [target, alias], target, alias, properties, opens };
}

/** What a key is granted, by the name that its id has. */
const PRIVILEGES = [
  ...INDEX.map((one) => ({ name: one, index: [one], cluster: [] })),
  ...CLUSTER.map((one) => ({ name: `cluster-${one}`, index: [], cluster: [one] })),
  { name: 'none', index: [], cluster: [] },
];

/** Reading that tells of more than documents, which a filter cannot confine. */
const UNCONFINED = /_suggest|_field_stats|_termvector|_mtermvectors|_explain$/;

interface Line {
  readonly method: string;
  readonly path: string;
  readonly action: Action;
}
const LINES: readonly Line[] = ROUTES.flatMap(({ methods, path, action }) =>
  methods.map((method) => ({ method, path, action })),
);

let app: TestApp;
let server: Server;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const secrets = new Map<string, string>();

const keyId = (privilege: string, form: Form): string => `${privilege}-${form.alias}`;

beforeAll(async () => {
  app = await createTestApp({ 'http.authentication': 'true', 'index.refresh_interval': '-1' });
  server = createServer(app.handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const all = { cluster: ['all'], indices: [{ names: ['*'], privileges: ['all'] }] };
  await create('admin', all);
  for (const form of FORMS) {
    for (const { name, index, cluster } of PRIVILEGES) {
      const indices = index.length === 0 ? [] : [{ names: form.granted, privileges: index }];
      await create(keyId(name, form), { cluster, indices });
    }
  }
  for (const form of FORMS) await make(form);
  await make({
    ...FORMS[0]!,
    indices: [`${MARKER}-index`],
    alias: `${MARKER}-alias`,
    properties: {},
  });
});
afterAll(async () => {
  agent.destroy();
  server.close();
  await app.close();
});

async function create(id: string, role: object): Promise<void> {
  const { keys } = app.engine.access;
  // Hashed once: whose secret it is says the id.
  const made = await keys.create({
    id,
    role: parseRole(parseJsonObject(writeJson(role as never))),
    secret: 'a secret of twelve',
    expiresAt: null,
  });
  secrets.set(id, made.secret);
}

/** Makes what is behind a form, anew where it is there. */
async function make({ indices, alias, properties }: Form): Promise<void> {
  for (const index of indices) {
    if (app.engine.state().indices.has(index)) await admin('DELETE', `/${index}`);
    const word = { type: 'string', index: 'not_analyzed' };
    await admin('PUT', `/${index}`, {
      settings: { number_of_shards: index === 'mtx3' ? 2 : 1 },
      mappings: { t: { properties: { who: word, text: { type: 'string' } } } },
      aliases: properties === null ? {} : { [alias]: properties },
    });
    const secret = index.startsWith(MARKER) || index === 'mtx2';
    const lines = [
      { index: { _index: index, _type: 't', _id: '1', _routing: 'r' } },
      { who: 'me', text: 'seen' },
      { index: { _index: index, _type: 't', _id: '2', _routing: 'r' } },
      secret ? { who: MARKER, text: MARKER } : { who: 'other', text: 'seen' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await admin('POST', '/_bulk?refresh=true', text);
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function send(
  id: string,
  method: string,
  path: string,
  body?: object | string,
): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const { port } = server.address() as AddressInfo;
  const sending = request({
    host: '127.0.0.1',
    port,
    agent,
    method,
    path: encodeURI(path),
    auth: `${id}:${secrets.get(id)!}`,
    headers: { 'Content-Length': Buffer.byteLength(text ?? '') },
  });
  sending.end(text);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  let answer = '';
  for await (const piece of response.setEncoding('utf8')) answer += piece as string;
  return { status: response.statusCode ?? 0, text: answer };
}

async function admin(method: string, path: string, body?: object | string): Promise<string> {
  const { status, text } = await send('admin', method, path, body);
  expect([method, path, status < 300, text]).toEqual([method, path, true, text]);
  return text;
}

/** A body that means something on a path. */
function bodyFor(
  { method, path }: Line,
  target: string,
  alias: string,
): object | string | undefined {
  if (method === 'HEAD') return undefined;
  const doc = { _index: target, _type: 't', _id: '1', _routing: 'r' };
  const bodies: [RegExp, () => object | string][] = [
    [
      /_bulk$/,
      () => `{"index":{"_index":"${target}","_type":"t","_id":"1","_routing":"r"}}\n{"who":"me"}\n`,
    ],
    [/_msearch$/, () => `{"index":"${target}"}\n{}\n`],
    [
      /_mpercolate$/,
      () => `{"percolate":{"index":"${target}","type":"t"}}\n{"doc":{"text":"x"}}\n`,
    ],
    [/_mget$|_mtermvectors$/, () => ({ docs: [doc] })],
    [
      /_(search|count|validate\/query|search\/exists|explain|query)$/,
      () => ({ query: { match_all: {} } }),
    ],
    [/_percolate(\/count)?$/, () => ({ doc: { text: 'x' } })],
    [/_update$/, () => ({ doc: { who: 'me' } })],
    [/_suggest$/, () => ({ s: { text: 'sen', term: { field: 'text' } } })],
    [/_termvector$/, () => ({})],
    [/_search\/template$/, () => ({ template: { query: { match_all: {} } } })],
    [/_warmers?\/\{name\}$/, () => ({ query: { match_all: {} } })],
    [/_mappings?(\/\{type\})?$/, () => ({ t: { properties: {} } })],
    [/_settings$/, () => ({ index: { refresh_interval: '-1' } })],
    [/^\/_aliases$/, () => ({ actions: [{ add: { index: target, alias } }] })],
    [/_alias(es)?(\/\{name\})?$/, () => ({ index: target, alias })],
    [/\{type\}(\/\{id\})?(\/_create)?$/, () => ({ who: 'me' })],
  ];
  if (method === 'GET' && !/_(search|count|msearch|mget)$/.test(path)) return undefined;
  return bodies.find(([pattern]) => pattern.test(path))?.[1]();
}

function urlFor({ path }: Line, target: string, alias: string): string {
  const name = /alias/.test(path) ? alias : 'w';
  const places: Record<string, string> = {
    index: target,
    type: 't',
    id: '1',
    name,
    fields: 'text',
  };
  const url = path.replace(/\{(\w+)\}/g, (_, place: string) => places[place] ?? 'x');
  const query = ['timeout=10ms', ...(/\{id\}/.test(path) ? ['routing=r'] : []), 'q=*:*'];
  return `${url}?${(/_query$/.test(path) ? query : query.slice(0, -1)).join('&')}`;
}

/** What nobody who sends a request may change: the state of all other indices, by identity. */
function others(state: ClusterState, form: Form): readonly unknown[] {
  return [...state.indices].filter(([name]) => !form.indices.includes(name)).flat();
}

/** Sends a line about a form; nothing else may be told of or changed. */
async function sendOn(id: string, line: Line, form: Form, about: Form = form): Promise<Answer> {
  const before = others(app.engine.state(), form);
  const { target, alias } = about;
  const url = urlFor(line, target, alias);
  const answer = await send(id, line.method, url, bodyFor(line, target, alias));
  if (line.action.on === 'index') {
    const told = /zzsecret|mtx\d|als\d/g;
    const foreign = (answer.text.match(told) ?? []).filter((name) => {
      if (name === MARKER) return about === form;
      return !name.endsWith(form.alias.at(-1)!);
    });
    expect([id, line, foreign, answer.text]).toEqual([id, line, [], answer.text]);
    const after = others(app.engine.state(), form);
    const isSame = after.length === before.length && after.every((it, i) => it === before[i]);
    expect([id, line, isSame]).toEqual([id, line, true]);
  }
  return answer;
}

/** Whether the role of a privilege is enough for an action, on whatever index. */
function declares(action: Action, privilege: (typeof PRIVILEGES)[number]): boolean {
  if (action.on === 'nothing') return true;
  if (action.on === 'everything') return false;
  if (action.on === 'cluster') return privilege.name === `cluster-${action.privilege}`;
  // Who sees the figures of the node sees those of its indices.
  if (action.privilege === 'monitor' && privilege.name === 'cluster-monitor') return true;
  return privilege.name === action.privilege;
}

function isDenied({ status, text }: Answer, method: string): boolean {
  return status === 403 && (method === 'HEAD' || text.includes('AuthorizationException'));
}

/** The status that an action of a key is refused with before its handler is asked; 200: it is not. */
function refusal(key: AccessKey, action: Action): number {
  try {
    app.engine.access.engineFor(key, action);
    return 200;
  } catch (error) {
    return (error as EngineError).status;
  }
}

test('a privilege opens no line that does not declare it', async () => {
  const keys = new Map(app.engine.access.keys.list().map((key) => [key.id, key]));
  const open: unknown[] = [];
  let denied = 0;
  for (const [f, form] of FORMS.entries()) {
    for (const [p, privilege] of PRIVILEGES.entries()) {
      const id = keyId(privilege.name, form);
      const before = app.engine.state();
      for (const [l, line] of LINES.entries()) {
        if (declares(line.action, privilege)) continue;
        // What is asked before the handler; over HTTP each line and privilege with one form in turn.
        if (refusal(keys.get(id)!, line.action) !== 403) open.push([id, line]);
        if ((l + p) % FORMS.length !== f) continue;
        const answer = await sendOn(id, line, form);
        expect([id, line, isDenied(answer, line.method)]).toEqual([id, line, true]);
        denied++;
      }
      expect(app.engine.state()).toBe(before);
    }
  }
  expect(open).toEqual([]);
  expect(denied).toBeGreaterThan(2000);
});

test.each(FORMS)('granted on the $name, a privilege opens that and nothing else', async (form) => {
  for (const privilege of INDEX) {
    const id = keyId(privilege, form);
    const opens = form.opens.includes(privilege);
    for (const line of LINES) {
      const { action, method, path } = line;
      if (action.on !== 'index' || action.privilege !== privilege) continue;
      const before = app.engine.state();
      const answer = await sendOn(id, line, form);
      // An update shows what it changes, so that it needs reading as well.
      const isUpdate = path.endsWith('_update');
      const isUnconfined = form.properties !== null && 'filter' in form.properties;
      const isRefused = isUpdate || (isUnconfined && UNCONFINED.test(path));
      if (opens && !isRefused) {
        expect([id, line, isDenied(answer, method), answer.text]).toEqual([
          ...[id, line, false, answer.text],
        ]);
      } else if (/\{index\}/.test(path)) {
        // Items of requests with several answer for themselves; tables and figures are of no index.
        const isItem = /_bulk$|_mtermvectors$/.test(path) && answer.status === 200;
        const refused = isItem
          ? answer.text.includes('AuthorizationException')
          : answer.status >= 400 || !/mtx\d/.test(answer.text);
        expect([id, line, refused, answer.text]).toEqual([id, line, true, answer.text]);
      }
      if (!opens) expect([id, line, app.engine.state() === before]).toEqual([id, line, true]);
      await mend(form);
    }
  }
});

/** Makes again what an allowed request removed. */
async function mend(form: Form): Promise<void> {
  const { indices } = app.engine.state();
  const isWhole = form.indices.every((name) => {
    const index = indices.get(name);
    const hasAlias = form.properties === null || index?.aliases.has(form.alias) === true;
    return index?.state === 'open' && index.mappings.has('t') && hasAlias;
  });
  if (!isWhole) await make(form);
}

test('what is not granted is refused by whatever name it has, existing or not', async () => {
  const places = [`${MARKER}-index`, `${MARKER}-alias`, `${MARKER}-missing`];
  const lines = LINES.filter(({ path }) => path.includes('{index}'));
  for (const [l, line] of lines.entries()) {
    const { action, path } = line;
    if (action.on !== 'index') continue;
    const form = FORMS[l % FORMS.length]!;
    const id = keyId(action.privilege, form);
    const answers: string[] = [];
    for (const target of places) {
      const before = app.engine.state();
      const about = { ...form, target, alias: `${MARKER}-new` };
      const answer = await sendOn(id, line, form, about);
      const isItem = /_(bulk|mget|mtermvectors|msearch|mpercolate)$/.test(path);
      const refused =
        isItem && answer.status === 200
          ? answer.text.includes('AuthorizationException')
          : answer.status >= 400 || !answer.text.includes(MARKER);
      expect([id, line, target, refused, answer]).toEqual([id, line, target, true, answer]);
      expect(app.engine.state()).toBe(before);
      answers.push(`${answer.status} ${answer.text.replaceAll(target, 'it').replace(/\d+/g, '')}`);
    }
    expect([id, line, new Set(answers).size, answers]).toEqual([id, line, 1, answers]);
  }
});
