// Updates by script: what a script may change, and what happens when it fails.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(() => http.reset());

const update = (body: object, query = '') => http.ok('POST', `/i/t/1/_update${query}`, body);
const source = () => http.ok('GET', '/i/t/1/_source');

describe('a script', () => {
  beforeEach(() => http.ok('PUT', '/i/t/1', { n: 1, tags: ['a', 'b'], o: { x: 1.5 } }));

  test.each([
    ['ctx._source.n += by', { n: 3 }],
    ["ctx._source.tags += 'c'", { tags: ['a', 'b', 'c'] }],
    ["ctx._source.tags.remove('a')", { tags: ['b'] }],
    [
      "if (ctx._source.tags.contains('b')) { ctx._source.o.y = [k: by] } else { ctx.op = 'none' }",
      { o: { x: 1.5, y: { k: 2 } } },
    ],
    ["ctx._source.tags.removeAll { it == 'b' }; ctx._source.n++", { tags: ['a'], n: 2 }],
    ['for (t in ctx._source.tags) { ctx._source[t] = t.toUpperCase() }', { a: 'A', b: 'B' }],
    ['def old = ctx._source; ctx._source = [m: old.n / 2]', { m: '0.5' }],
    ['ctx._source.n = ctx._version + ctx._id.length()', { n: 2 }],
  ])('%s', async (script, expected) => {
    expect(await update({ script, params: { by: 2 } })).toMatchObject({ _version: 2 });
    expect(await source()).toMatchObject(expected);
  });

  test('in the language mvel divides integers to integers', async () => {
    await update({ script: 'ctx._source.n = 7 / 2', lang: 'mvel' });
    expect(await source()).toMatchObject({ n: 3 });
  });

  test('removes members', async () => {
    await update({ script: "ctx._source.remove('o')" });
    expect(await source()).toEqual({ n: 1, tags: ['a', 'b'] });
  });

  test('may decide to do nothing, or to delete', async () => {
    expect(await update({ script: "ctx.op = 'none'; ctx._source.n = 9" })).toMatchObject({
      _version: 1,
    });
    expect(await source()).toMatchObject({ n: 1 });
    expect(await update({ script: "ctx.op = 'delete'" })).toMatchObject({ _version: 2 });
    expect(await http.error('POST', '/i/t/1/_update', { script: '1' })).toMatch(
      /^404 DocumentMissing/,
    );
  });

  test('may stand in the URL', async () => {
    await update({ params: { by: 4 } }, '?script=ctx._source.n%2B=by');
    expect(await source()).toMatchObject({ n: 5 });
  });

  test.each([
    [
      'ctx._source.foo.bar = 1',
      "GroovyScriptExecutionException[NullPointerException[Cannot set property 'bar' on null object]]",
    ],
    ['ctx._source.n +', 'GroovyScriptCompilationException['],
    ['doc.n.value', 'MissingPropertyException[No such property: doc'],
    ['while (true) {}', 'ScriptLimitException[script exceeded [1000000] steps]'],
  ])('that fails changes nothing: %s', async (script, reason) => {
    const error = await http.error('POST', '/i/t/1/_update', { script });
    expect(error).toContain(
      '400 ElasticsearchIllegalArgumentException[failed to execute script]; nested: ',
    );
    expect(error).toContain(reason);
    expect(await http.ok('GET', '/i/t/1')).toMatchObject({ _version: 1 });
  });

  test.each([
    [{ script: '1', lang: 'python' }, 'script_lang not supported [python]'],
    [{ script: '1', lang: 'expression' }, 'Cannot use expressions for updates'],
    [{ script_file: 'x' }, 'Unable to find on disk script x'],
  ])('is refused: %j', async (body, reason) => {
    expect(await http.error('POST', '/i/t/1/_update', body)).toContain(reason);
  });
});

test('a missing document is created from upsert, through the script where that is asked for', async () => {
  const body = { script: 'ctx._source.n += 1', upsert: { n: 5 } };
  await update(body);
  expect(await source()).toEqual({ n: 5 });
  await update(body);
  expect(await source()).toEqual({ n: 6 });
  await http.ok('POST', '/i/t/2/_update', { ...body, scripted_upsert: true });
  expect(await http.ok('GET', '/i/t/2/_source')).toEqual({ n: 6 });
  const refused = { scripted_upsert: true, script: "ctx.op = 'none'", upsert: {} };
  expect(await http.ok('POST', '/i/t/3/_update', refused)).toEqual({
    _index: 'i',
    _type: 't',
    _id: '3',
    _version: -1,
    get: { found: false },
  });
});
