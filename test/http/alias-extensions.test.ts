// What `_aliases` can do beyond the reference server.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
beforeEach(async () => {
  for (const index of ['old', 'new']) await http.ok('PUT', `/${index}`);
});
afterEach(() => http.reset());

const actions = (...list: object[]) => ({ actions: list });

describe('is_write_index', () => {
  test('says where writes through an alias of several indices go', async () => {
    await http.ok(
      'POST',
      '/_aliases',
      actions(
        { add: { index: 'old', alias: 'a' } },
        { add: { index: 'new', alias: 'a', is_write_index: true } },
      ),
    );
    expect(await http.ok('PUT', '/a/t/1', {})).toMatchObject({ _index: 'new' });
    expect(
      await http.ok('POST', '/_bulk', '{"index":{"_index":"a","_type":"t","_id":"2"}}\n{}\n'),
    ).toMatchObject({
      errors: false,
      items: [{ index: { _index: 'new' } }],
    });
    expect(await http.ok('GET', '/new/_alias')).toEqual({
      new: { aliases: { a: { is_write_index: true } } },
    });
    // Reading one document still needs one index.
    expect(await http.error('GET', '/a/t/1')).toMatch(/^400 .*more than one indices/);
  });

  test('may be claimed by one index only, and may forbid writes', async () => {
    const add = (index: string, isWrite: boolean) => ({
      add: { index, alias: 'a', is_write_index: isWrite },
    });
    expect(await http.error('POST', '/_aliases', actions(add('old', true), add('new', true)))).toBe(
      '400 ElasticsearchIllegalArgumentException[alias [a] has more than one write index [old, new]]',
    );
    await http.ok('POST', '/_aliases', actions(add('old', false)));
    expect(await http.error('PUT', '/a/t/1', {})).toMatch(
      /^400 .*no write index is defined for alias \[a\]/,
    );
  });
});

describe('remove_index', () => {
  test('lets an alias take the place of an index in one step', async () => {
    await http.ok('PUT', '/old/t/1', {});
    await http.ok(
      'POST',
      '/_aliases',
      actions({ remove_index: { index: 'old' } }, { add: { index: 'new', alias: 'old' } }),
    );
    expect(await http.ok('GET', '/_alias')).toEqual({ new: { aliases: { old: {} } } });
    expect((await http.send('GET', '/old/t/1')).status).toBe(404);
  });

  test('changes nothing when something else fails, and does not follow aliases', async () => {
    expect(
      await http.error(
        'POST',
        '/_aliases',
        actions({ remove_index: { index: 'old' } }, { add: { index: 'zz', alias: 'a' } }),
      ),
    ).toBe('404 IndexMissingException[[zz] missing]');
    await http.ok('PUT', '/old/_alias/a');
    expect(
      await http.error('POST', '/_aliases', actions({ remove_index: { index: 'a' } })),
    ).toMatch(/^400 .*matches an alias/);
    await http.ok('PUT', '/old/_settings', { 'index.blocks.read_only': true });
    expect(
      await http.error('POST', '/_aliases', actions({ remove_index: { index: 'o*' } })),
    ).toMatch(/^403 /);
    await http.ok('PUT', '/old/_settings', { 'index.blocks.read_only': false });
    expect((await http.send('HEAD', '/old')).status).toBe(200);
  });
});

test('must_exist makes a missing alias an error, or no error', async () => {
  const remove = (mustExist?: boolean) => ({
    remove: { index: 'old', alias: 'zz', must_exist: mustExist },
  });
  const add = { add: { index: 'new', alias: 'a' } };
  expect(await http.error('POST', '/_aliases', actions(remove(true), add))).toBe(
    '404 AliasesMissingException[aliases [[zz]] missing]',
  );
  expect(await http.ok('GET', '/_alias')).toEqual({ old: { aliases: {} }, new: { aliases: {} } });
  await http.ok('POST', '/_aliases', actions(remove(), add));
  await http.ok('POST', '/_aliases', actions(remove(false)));
  expect((await http.send('POST', '/_aliases', actions(remove()))).status).toBe(404);
});

test('dry_run says what would change', async () => {
  await http.ok('PUT', '/old/_alias/a');
  await http.ok('PUT', '/new/_alias/b');
  const body = actions(
    { add: { index: 'new', alias: 'a' } },
    { add: { index: 'new', alias: 'b', routing: '1' } },
    { remove_index: { index: 'old' } },
  );
  expect(await http.ok('POST', '/_aliases?dry_run=true', body)).toEqual({
    dry_run: true,
    indices: {
      new: {
        added: { a: {} },
        changed: { b: { index_routing: '1', search_routing: '1' } },
        removed: [],
      },
    },
    removed_indices: ['old'],
  });
  expect(await http.ok('GET', '/_alias')).toEqual({
    old: { aliases: { a: {} } },
    new: { aliases: { b: {} } },
  });
  expect(
    await http.error('POST', '/_aliases?dry_run', actions({ add: { index: 'zz', alias: 'a' } })),
  ).toBe('404 IndexMissingException[[zz] missing]');
});
