import { HttpClient } from '../support/http-client';
import { until } from '../support/until';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());
afterEach(async () => {
  await http.reset();
  await http.ok('DELETE', '/_template/*');
});

describe('index templates', () => {
  test('are shown with flat settings, and replaced as a whole', async () => {
    await http.ok('PUT', '/_template/t?order=3', {
      template: 'a*',
      settings: { number_of_shards: 2, analysis: { filter: { f: { stopwords: ['x', 'y'] } } } },
      mappings: { d: { d: { properties: {} } } },
      aliases: { '{index}-all': { routing: '1' } },
      warmers: { w: { source: {} } },
    });
    expect(await http.ok('GET', '/_template/t')).toEqual({
      t: {
        order: 3,
        template: 'a*',
        settings: {
          'index.number_of_shards': '2',
          'index.analysis.filter.f.stopwords.0': 'x',
          'index.analysis.filter.f.stopwords.1': 'y',
        },
        mappings: { d: { properties: {} } },
        warmers: { w: { types: [], source: {} } },
        aliases: { '{index}-all': { index_routing: '1', search_routing: '1' } },
      },
    });
    expect(await http.ok('GET', '/_template/t?flat_settings=false')).toMatchObject({
      t: { settings: { index: { number_of_shards: '2' } } },
    });
    const exists = async (name: string) => (await http.send('HEAD', `/_template/${name}`)).status;
    expect([await exists('t*'), await exists('t'), await exists('t,t')]).toEqual([200, 200, 404]);
    await http.ok('PUT', '/_template/t', { template: 'b*' });
    expect(await http.ok('GET', '/_template')).toEqual({
      t: { order: 0, template: 'b*', settings: {}, mappings: {}, aliases: {} },
    });
  });

  test('give new indices aliases with their name in them, also when a document creates the index', async () => {
    await http.ok('PUT', '/_template/t', {
      template: 'log-*',
      mappings: { e: { properties: { n: { type: 'integer' } } } },
      aliases: { 'all-{index}': {}, logs: { filter: { term: { n: 1 } } } },
    });
    await http.ok('PUT', '/log-1/e/1?refresh=true', { n: 1 });
    await http.ok('PUT', '/log-1/e/2?refresh=true', { n: 2 });
    expect(await http.ok('GET', '/log-1/_alias')).toEqual({
      'log-1': { aliases: { 'all-log-1': {}, logs: { filter: { term: { n: 1 } } } } },
    });
    expect(await http.ok('GET', '/logs/_count')).toMatchObject({ count: 1 });
  });

  test('that do not fit fail the creation of the index', async () => {
    await http.ok('PUT', '/taken');
    await http.ok('PUT', '/_template/t', { template: 'x*', aliases: { taken: {} } });
    expect(await http.error('PUT', '/x1')).toMatch(/^400 InvalidAliasNameException/);
    expect(await http.error('PUT', '/x1/t/1', {})).toMatch(/^400 InvalidAliasNameException/);
    expect((await http.send('HEAD', '/x1')).status).toBe(404);
  });

  test.each([
    ['t', '', 'Failed to derive xcontent'],
    ['t', '{}', 'Validation Failed: 1: template is missing;'],
    ['t', '{"template":"a","order":"x"}', 'NumberFormatException[For input string: "x"]'],
    ['t', '{"template":"a","settings":[1]}', 'Malformed settings section'],
    ['t', '{"template":"a","mappings":{"t":1}}', 'Malformed mappings section for type [t]'],
    [
      't',
      '{"template":"a","aliases":{"x":{"index_routing":"1,2"}}}',
      'several index routing values',
    ],
    ['T', '{"template":"a"}', 'cause [name must be lower cased]'],
    ['t', '{"template":"a,b"}', "cause [template must not contain a ',']"],
  ])('%s %s is refused', async (name, body, reason) => {
    expect(await http.error('PUT', `/_template/${name}`, body)).toContain(reason);
    expect(await http.pair('GET', `/_template/${name}`)).toEqual([404, {}]);
  });
});

describe('warmers', () => {
  test('are stored, shown and removed', async () => {
    await http.ok('PUT', '/i', { mappings: { t: { properties: { a: { type: 'long' } } } } });
    await http.ok('PUT', '/i/t/_warmer/w1', { query: { term: { a: 1 } } });
    await http.ok('PUT', '/_warmer/w2', { query: { match_all: {} } });
    expect(await http.ok('GET', '/i/_warmer/w1')).toEqual({
      i: { warmers: { w1: { types: ['t'], source: { query: { term: { a: 1 } } } } } },
    });
    expect(await http.ok('GET', '/_warmer/zz')).toEqual({});
    expect(await http.error('DELETE', '/i/_warmer/zz')).toBe(
      '404 IndexWarmerMissingException[index_warmer [[zz]] missing]',
    );
    await http.ok('DELETE', '/i/_warmer/w*');
    expect(await http.ok('GET', '/i/_warmer')).toEqual({ i: { warmers: {} } });
    expect(await http.error('DELETE', '/i/_warmer/_all')).toBe(
      '404 IndexWarmerMissingException[index_warmer [[_all]] missing]',
    );
  });

  test('run after refreshes', async () => {
    await http.ok('PUT', '/i/t/1?refresh=true', { a: 1 });
    await http.ok('PUT', '/i/_warmer/w', { facets: { a: { terms: { field: 'a' } } } });
    const ran = async (): Promise<number> => {
      const stats = (await http.ok('GET', '/i/_stats/warmer')) as {
        _all: { total: { warmer: { total: number; current: number } } };
      };
      const { total, current } = stats._all.total.warmer;
      return current === 0 ? total : -1;
    };
    expect(await ran()).toBe(0);
    await http.ok('POST', '/i/_refresh');
    await until(async () => (await ran()) === 1);
    await http.ok('PUT', '/i/_settings', { 'index.warmer.enabled': false });
    await http.ok('POST', '/i/_refresh');
    expect(await ran()).toBe(1);
  });

  test('that cannot be run are refused', async () => {
    await http.ok('PUT', '/i');
    expect(await http.error('PUT', '/i/_warmer/w', { query: { nonsense: {} } })).toMatch(
      /^400 .*No query registered for \[nonsense\]/,
    );
    expect(await http.ok('GET', '/i/_warmer')).toEqual({ i: { warmers: {} } });
  });
});
