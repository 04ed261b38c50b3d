// Long bulk requests, which are carried out while they arrive: as if they were not, except for what is found
// wrong behind their beginning.

import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { RawHttp, type RawRequest } from '../support/raw-http';
import { until } from '../support/until';

const PAD = 'x'.repeat(20_000);
/** Three blocks and more. */
const MANY = 200;

type Item = Record<
  string,
  { _id: string; _version?: number; status: number; error?: string; found?: boolean }
>;
interface Outcome {
  readonly error?: string;
  readonly status?: number;
  readonly errors: boolean;
  readonly items: readonly Item[];
}

let http: RawHttp;
beforeAll(async () => {
  http = await RawHttp.start({ 'http.stream_bulk_above': '0b', 'http.max_bulk_actions': '1000' });
});
afterAll(() => http.close());
/** Makes an index whose long texts are not indexed, which takes time. */
async function createIndex(node: RawHttp): Promise<void> {
  const properties = { pad: { type: 'string', index: 'no' } };
  const mappings = { t: { properties, _all: { enabled: false } } };
  await node.send({ method: 'PUT', path: '/i', pieces: [JSON.stringify({ mappings })] });
}
beforeEach(async () => {
  await http.send({ method: 'DELETE', path: '/_all' });
  await createIndex(http);
});

const doc = (id: number | string): string => `{"index":{"_id":"${id}"}}\n{"n":1,"pad":"${PAD}"}\n`;
const docs = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => doc(from + i)).join('');
const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

async function bulk(
  body: string | Buffer,
  wanted: Partial<RawRequest> = {},
): Promise<{ status: number; outcome: Outcome }> {
  const headers = { 'Content-Length': Buffer.byteLength(body) };
  const path = '/i/t/_bulk?refresh=true';
  const answer = await http.json({ method: 'POST', path, headers, pieces: [body], ...wanted });
  return { status: answer.status, outcome: answer.body as Outcome };
}

const itemIds = ({ items }: Outcome): string[] => items.map((item) => Object.values(item)[0]!._id);

async function count(): Promise<number> {
  const { body } = await http.json({ method: 'GET', path: '/i/_count?ignore_unavailable=true' });
  return (body as { count: number }).count;
}

/** Pieces of a length that has nothing to do with that of lines. */
function* cut(body: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += length) yield body.subarray(at, at + length);
}

const body = Buffer.from(docs(MANY));
const SENT: readonly (readonly [string, Partial<RawRequest>])[] = [
  ['at once', {}],
  ['chunked', { headers: {}, pieces: [...cut(body, 77_777)] }],
  [
    'in small chunks',
    { headers: {}, pieces: [...cut(body.subarray(0, 60_000), 7), body.subarray(60_000)] },
  ],
  ['in gzip', { headers: { 'Content-Encoding': 'gzip' }, pieces: [gzipSync(body)] }],
  [
    'in deflate',
    { headers: { 'Content-Encoding': 'deflate' }, pieces: [...cut(deflateSync(body), 999)] },
  ],
];

test.each(SENT)('all items are answered in order: sent %s', async (_how, wanted) => {
  const { status, outcome } = await bulk(body, wanted);
  expect([status, outcome.errors, outcome.error]).toEqual([200, false, undefined]);
  expect(itemIds(outcome)).toEqual(ids(MANY));
  expect(new Set(outcome.items.map((item) => item['index']?.status))).toEqual(new Set([201]));
  expect(await count()).toBe(MANY);
});

test('items of one document see each other across blocks, and errors of items are theirs alone', async () => {
  const { status, outcome } = await bulk(
    `${doc('a')}${docs(MANY)}` +
      `{"update":{"_id":"a"}}\n{"doc":{"n":2}}\n` +
      `{"create":{"_id":"5"}}\n{}\n` +
      `{"index":{"_id":"bad"}}\n{"n":\n` +
      `{"delete":{"_id":"a"}}\n{"delete":{"_id":"a"}}\n{"delete":{"_id":"none"}}\n\n`,
  );
  expect([status, outcome.errors]).toEqual([200, true]);
  expect(outcome.items.slice(MANY + 1)).toMatchObject([
    { update: { _id: 'a', _version: 2, status: 200 } },
    { create: { _id: '5', status: 409 } },
    { index: { _id: 'bad', status: 400 } },
    { delete: { _id: 'a', _version: 3, status: 200, found: true } },
    { delete: { _id: 'a', _version: 4, status: 404, found: false } },
    { delete: { _id: 'none', status: 404, found: false } },
  ]);
  expect(await count()).toBe(MANY);
});

test('a line longer than a block, an unknown action, empty lines and a last line without an end', async () => {
  const long = `{"index":{"_id":"long"}}\n{"s":"${'y '.repeat(700_000)}"}\n`;
  const { status, outcome } = await bulk(
    `\n\n${long}\n{"BOGUS":{}}\n{}\n${docs(MANY)}{"index":{"_id":"dropped"}}\n{"n":1}`,
  );
  expect([status, outcome.errors]).toEqual([200, false]);
  expect(itemIds(outcome)).toEqual(['long', ...ids(MANY)]);
});

describe('what is wrong with the request', () => {
  const WRONG: readonly (readonly [string, string, number, RegExp])[] = [
    [
      'an action line',
      '{"index":{"_id":"1","bogus":3}}\n{}\n',
      500,
      /^IllegalArgumentException\[Action\/metadata line \[(\d+)\] contains an unknown parameter \[bogus\]\]/,
    ],
    ['no JSON', 'nonsense\n', 500, /^JsonParseException/],
    [
      'a name',
      '{"delete":{}}\n',
      400,
      /^ActionRequestValidationException\[Validation Failed: 1: id is missing;\]/,
    ],
    [
      'an envelope',
      '{"index":{"_id":"1","_timestamp":"zz"}}\n{}\n',
      500,
      /^TimestampParsingException/,
    ],
  ];

  test.each(WRONG)(
    'refuses all of it when nothing was carried out: %s',
    async (_what, line, status, error) => {
      const answer = await http.json({
        method: 'POST',
        path: '/i/t/_bulk',
        pieces: [`${doc('a')}${line}${docs(MANY)}`],
      });
      expect([answer.status, answer.body]).toEqual([
        status,
        { error: expect.stringMatching(error) as string, status },
      ]);
      await http.send({ method: 'POST', path: '/_refresh' });
      expect(await count()).toBe(0);
    },
  );

  test.each(WRONG)('says what was carried out before: %s', async (_what, line, status, error) => {
    const answer = await bulk(`${docs(MANY)}${line}${docs(MANY, MANY)}`);
    const { outcome } = answer;
    expect([answer.status, outcome.status, outcome.errors]).toEqual([status, status, false]);
    expect(outcome.error).toMatch(error);
    const done = outcome.items.length;
    expect(outcome.error).toContain(`; the [${done}] actions of [items] were carried out before`);
    // Whole batches, in order, and no more.
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(MANY);
    expect(itemIds(outcome)).toEqual(ids(done));
    // Visible, as was asked for.
    expect(await count()).toBe(done);
    const line2 = /line \[(\d+)\]/.exec(outcome.error ?? '');
    if (line2 !== null) expect(line2[1]).toBe(String(2 * MANY + 1));
  });

  test('more actions than a request may have', async () => {
    const { status, outcome } = await bulk(`${docs(MANY)}${'{"index":{}}\n{}\n'.repeat(801)}`);
    expect([status, itemIds(outcome)]).toEqual([400, ids(outcome.items.length)]);
    expect(outcome.error).toContain('limit of [1000] actions in a bulk request has been exceeded');
    expect(await count()).toBe(outcome.items.length);
  });

  test.each([
    ['\n\n', '400 ElasticsearchParseException[Failed to derive xcontent]'],
    [
      '{"BOGUS":{}}\n{}\n',
      '400 ActionRequestValidationException[Validation Failed: 1: no requests added;]',
    ],
  ])('nothing to do: %j', async (text, expected) => {
    const { status, outcome } = await bulk(text);
    expect(`${status} ${outcome.error}`).toBe(expected);
  });

  test('a body that is damaged behind its beginning', async () => {
    const packed = gzipSync(docs(MANY) + Array.from({ length: 200_000 }, Math.random).join());
    packed.fill(0, packed.length - 200_000);
    const { status, outcome } = await bulk('', {
      headers: { 'Content-Encoding': 'gzip' },
      pieces: [packed],
    });
    expect([status, outcome.error]).toEqual([
      400,
      expect.stringMatching(
        /^ElasticsearchParseException\[the compressed request body is damaged\]; the/,
      ),
    ]);
    expect(await count()).toBe(outcome.items.length);
  });
});

test('a client that goes away has nothing carried out behind what came', async () => {
  const socket = connect(http.port, '127.0.0.1');
  const text = docs(MANY);
  socket.write(
    `POST /i/t/_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${2 * text.length}\r\n\r\n${text}`,
  );
  await until(async () => {
    await http.send({ method: 'POST', path: '/_refresh' });
    return (await count()) > 0;
  });
  socket.destroy();
  interface Stats {
    readonly nodes: Record<string, { http: { current_open: number } }>;
  }
  const breakers = async (): Promise<unknown> => {
    const { body: stats } = await http.json({ method: 'GET', path: '/_nodes/stats/breaker' });
    const [node] = Object.values((stats as Stats).nodes);
    return (node as unknown as { breakers: { request: { estimated_size_in_bytes: number } } })
      .breakers.request.estimated_size_in_bytes;
  };
  await until(async () => (await breakers()) === 0);
  await http.send({ method: 'POST', path: '/_refresh' });
  expect(await count()).toBeLessThanOrEqual(MANY);
  expect((await bulk(docs(3))).outcome.errors).toBe(false);
});

describe('with little memory', () => {
  let small: RawHttp;
  beforeAll(async () => {
    small = await RawHttp.start({
      'indices.breaker.total.limit': '24mb',
      'indices.breaker.request.limit': '20mb',
      'http.stream_bulk_above': '1mb',
      'http.max_bulk_length': '48mb',
    });
    await createIndex(small);
  });
  afterAll(() => small.close());

  test('a body is carried out that is larger than the memory of its request', async () => {
    const pieces = Array.from({ length: 40 }, (_, i) => docs(50, 50 * i));
    const answer = await small.json({ method: 'PUT', path: '/i/t/_bulk', pieces });
    expect([answer.status, (answer.body as Outcome).items.length]).toEqual([200, 2000]);
  });

  test('a body beyond the limit is refused, before it is read where it is announced', async () => {
    const refusal = /content length \[\d+\] is larger than \[50331648\] \(http.max_bulk_length\)/;
    const pieces = Array.from({ length: 60 }, (_, i) => docs(50, 50 * i));
    const late = await small.json({ method: 'POST', path: '/i/t/_bulk', pieces });
    expect([late.status, (late.body as Outcome).error]).toEqual([
      413,
      expect.stringMatching(refusal),
    ]);
    expect((late.body as Outcome).items.length).toBeGreaterThan(1000);
    const socket = connect(small.port, '127.0.0.1');
    const head = 'POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n';
    const refused = new Promise<string>((resolve) =>
      socket.once('data', (data: Buffer) => resolve(data.toString())),
    );
    socket.write(head);
    expect(await refused).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });
});
