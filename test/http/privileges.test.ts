// Every line of the table of routes: nobody without a key, nobody with all privileges but the one that it
// declares, and everybody with that one.

import request from 'supertest';
import {
  type Action,
  type EngineError,
  parseJsonObject,
  parseRole,
  writeJson,
} from '../../engine/index';
import { ROUTES } from '../../server/routes/index';
import { createTestApp, type TestApp } from '../support/app';

const INDEX = ['read', 'write', 'index_admin', 'aliases', 'monitor'];
const CLUSTER = ['monitor', 'cluster', 'snapshots', 'keys'];

let app: TestApp;
const secrets = new Map<string, string>();

beforeAll(async () => {
  app = await createTestApp({ 'http.authentication': 'true' });
});
afterAll(() => app.close());

/** A key with these privileges, of indices on all of them. */
async function keyWith(index: readonly string[], cluster: readonly string[]): Promise<string> {
  const id = `k-${index.join('.')}-${cluster.join('.')}`;
  if (!secrets.has(id)) {
    const grants = index.length === 0 ? [] : [{ names: ['*'], privileges: index }];
    const role = parseRole(parseJsonObject(writeJson({ cluster, indices: grants })));
    const created = await app.engine.access.keys.create({ id, role, expiresAt: null });
    secrets.set(id, created.secret);
  }
  return id;
}

/** All privileges but the one that an action needs. */
function allBut(action: Action): readonly [readonly string[], readonly string[]] {
  if (action.on === 'everything') return [['read', 'write', 'index_admin'], CLUSTER];
  if (action.on === 'nothing') return [INDEX, CLUSTER];
  const without = (list: readonly string[]) => list.filter((one) => one !== action.privilege);
  if (action.on === 'cluster') return [INDEX, without(CLUSTER)];
  // Who sees the figures of the node sees those of its indices.
  return [without(INDEX), action.privilege === 'monitor' ? without(CLUSTER) : CLUSTER];
}

/** What is just enough. */
function only(action: Action): readonly [readonly string[], readonly string[]] {
  if (action.on === 'everything') return [INDEX, ['cluster']];
  if (action.on === 'nothing') return [[], []];
  if (action.on === 'cluster') return [[], [action.privilege]];
  // An update shows what it changes.
  return [action.privilege === 'write' ? ['read', 'write'] : [action.privilege], []];
}

test('each route asks for what it declares', async () => {
  const lines = ROUTES.flatMap(({ methods, path, action }) =>
    methods.map((method) => ({ method, path, action })),
  );
  expect(lines.length).toBeGreaterThan(200);
  for (const { method, path, action } of lines) {
    const url = `${path.replace(/\{\w+\}/g, 'x')}?timeout=10ms`;
    const send = (id: string | null) => {
      const agent = request(app.handler);
      const verb = method.toLowerCase() as 'get';
      const sent = agent[verb](url);
      return id === null ? sent : sent.auth(id, secrets.get(id)!);
    };
    const isOpen = action.on === 'nothing';
    const others = await send(await keyWith(...allBut(action)));
    const own = await send(await keyWith(...only(action)));
    expect([method, path, (await send(null)).status]).toEqual([method, path, 401]);
    expect([method, path, others.status === 403]).toEqual([method, path, !isOpen]);
    // There are other reasons for 403, such as settings of the node.
    const isDenied = method === 'HEAD' ? own.status === 403 : /^.{0,20}Auth/.test(own.text);
    expect([method, path, isDenied, own.text]).toEqual([...[method, path, false, own.text]]);
  }
});

test('an action without grants is refused by its name', () => {
  const key = { ...app.engine.access.keys.list()[0]!, role: parseRole(new Map()) };
  const open = () => app.engine.access.engineFor(key, { on: 'index', privilege: 'read' });
  expect(open).toThrow(expect.objectContaining({ status: 403 }) as EngineError);
});
