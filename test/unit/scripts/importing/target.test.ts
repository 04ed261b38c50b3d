// What becomes of documents by the answers of a server to bulk requests.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection, UnreachableError } from '../../../../scripts/importing/connection';
import type { ImportedDocument } from '../../../../scripts/importing/document';
import { newSlice } from '../../../../scripts/importing/state';
import { Target } from '../../../../scripts/importing/target';

/** An item of an answer. */
type Item = Readonly<Record<string, unknown>>;

let server: Server;
let connection: Connection;
/** Answers to the bulk requests to come. */
let answers: Item[][];
/** Bodies of those that came. */
let bodies: string[];
let version: string;

beforeEach(async () => {
  answers = [];
  bodies = [];
  version = '1.7.6';
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.end(JSON.stringify({ version: { number: version } }));
        return;
      }
      bodies.push(body);
      const items = answers.shift() ?? [];
      response.end(JSON.stringify({ items: items.map((index) => ({ index })) }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connection = new Connection({ option: '--to', url, retries: 0 });
});

afterEach(() => {
  connection.close();
  server.close();
});

function document(id: string, more: Partial<ImportedDocument> = {}): ImportedDocument {
  return {
    ...{ index: 'i', type: 't', id, version: '5', routing: null, parent: null },
    ...{ timestamp: null, expires: null, source: `{"n":${id}}` },
    ...more,
  };
}

const conflict = (current: number): Item => ({
  status: 409,
  error: `VersionConflictEngineException[[i][0] [t][1]: version conflict, current [${current}], provided [5]]`,
});

test('outcomes are told apart, and what a busy server has not taken is sent again', async () => {
  answers = [
    [
      { status: 201 },
      { status: 429, error: 'EsRejectedExecutionException[rejected execution]' },
      conflict(5),
      conflict(6),
      { status: 400, error: 'MapperParsingException[failed to parse [n]]' },
      { status: 400, error: 'MapperParsingException[failed]; nested: AlreadyExpiredException[…]' },
    ],
    [{ status: 201 }],
  ];
  const target = await Target.open(connection, 1);
  const outcome = newSlice();
  const documents = ['1', '2', '3', '4', '5', '6'].map((id) => document(id));
  const over = document('7', { timestamp: 1, expires: 2 });
  const empty = document('8', { source: null });
  await target.write([...documents, over, empty], outcome, false);
  expect(outcome).toMatchObject({
    read: 8,
    written: 2,
    present: 1,
    newer: 1,
    expired: 2,
    refused: 2,
  });
  expect(outcome.refusals).toEqual([
    { reason: 'the source keeps no _source, or gives none', count: 1, examples: ['t/8'] },
    { reason: 'MapperParsingException[failed to parse [n]]', count: 1, examples: ['t/5'] },
  ]);
  expect(bodies[1]).toBe(
    '{"index":{"_index":"i","_type":"t","_id":"2","_version":5,"_version_type":"external_gte"}}\n{"n":2}\n',
  );
});

test('a server that stays busy ends the run', async () => {
  const busy = [{ status: 503, error: 'UnavailableShardsException[…]' }];
  answers = [busy, busy];
  const target = await Target.open(connection, 1);
  await expect(target.write([document('1')], newSlice(), false)).rejects.toThrow(UnreachableError);
  expect(bodies).toHaveLength(2);
});

test('documents of an earlier run, and servers before 1.2, are written by versions that they know', async () => {
  answers = [[{ status: 200 }], [{ ok: true }]];
  await (await Target.open(connection, 0)).write([document('1')], newSlice(), true);
  version = '0.90.13';
  const outcome = newSlice();
  await (await Target.open(connection, 0)).write([document('1')], outcome, false);
  for (const body of bodies) expect(body).toContain('"_version_type":"external"}');
  expect(outcome.written).toBe(1);
  version = '2.4.0';
  await expect(Target.open(connection, 0)).rejects.toThrow(
    'is no facetd, nor a server of 0.90 to 1.7',
  );
});

test('routing, parent and times go along; the moment of the end stays', async () => {
  const end = Date.now() + 1_000_000;
  answers = [[{ status: 201 }, { status: 201 }]];
  const times = { routing: 'r', parent: 'p', timestamp: 1000, expires: end };
  const source = '{"a": 1, // one\n "b":\r\n4.0}';
  await (
    await Target.open(connection, 0)
  ).write([document('1', times), document('2', { source, version: null })], newSlice(), false);
  const [action, , plain, lenient] = bodies[0]!.split('\n');
  expect(JSON.parse(action!)).toMatchObject({
    index: { _routing: 'r', _parent: 'p', _timestamp: 1000, _ttl: end - 1000 },
  });
  expect(plain).toBe('{"index":{"_index":"i","_type":"t","_id":"2"}}');
  expect(lenient).toBe('{"a":1,"b":4.0}');
});
