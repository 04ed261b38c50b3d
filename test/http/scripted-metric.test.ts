// scripted_metric over a real index of several shards: what scripts share, what they see, where they run, and
// what they are refused.

import { HttpClient } from '../support/http-client';

const MAPPINGS = {
  t: {
    properties: {
      type: { type: 'string', index: 'not_analyzed' },
      amount: { type: 'integer' },
      kids: { type: 'nested', properties: { n: { type: 'integer' } } },
    },
  },
};
const DOCS = [
  { type: 'sale', amount: 80, kids: [{ n: 1 }, { n: 2 }] },
  { type: 'cost', amount: 10 },
  { type: 'cost', amount: 30, kids: [{ n: 5 }] },
  { type: 'sale', amount: 130 },
  { amount: 7 },
];
const PROFIT = {
  init_script: "_agg['transactions'] = []",
  map_script:
    "if (doc['type'].value == \"sale\") { _agg.transactions.add(doc['amount'].value) } " +
    "else { _agg.transactions.add(-1 * doc['amount'].value) }",
  combine_script: 'profit = 0; for (t in _agg.transactions) { profit += t }; return profit',
  reduce_script: 'profit = 0; for (a in _aggs) { profit += a }; return profit',
};

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    const settings = { number_of_shards: shards };
    await http.ok('PUT', `/${index}`, { settings, mappings: MAPPINGS });
    // Two segments.
    for (const [i, doc] of DOCS.entries()) {
      await http.ok('PUT', `/${index}/t/${i}${i === 2 ? '?refresh=true' : ''}`, doc);
    }
    await http.ok('POST', `/${index}/_refresh`);
  }
});
afterAll(() => http.close());

interface Answer {
  readonly aggregations: Readonly<Record<string, unknown>>;
}

async function asked(index: string, aggs: object, query: object = { match_all: {} }) {
  const body = { size: 0, query, aggs };
  const { aggregations } = (await http.ok('POST', `/${index}/_search`, body)) as Answer;
  return aggregations;
}

async function metric(index: string, scripted: object, query?: object): Promise<unknown> {
  const found = await asked(index, { it: { scripted_metric: scripted } }, query);
  return (found['it'] as { readonly value: unknown }).value;
}

const refused = (scripted: object): Promise<string> =>
  http.error('POST', '/one/_search', { size: 0, aggs: { it: { scripted_metric: scripted } } });

test('adds up over segments and shards', async () => {
  expect(await metric('one', PROFIT)).toBe(163);
  expect(await metric('three', PROFIT)).toBe(163);
});

test('has one state for each shard, also where nothing matches', async () => {
  const { init_script, map_script } = PROFIT;
  expect(await metric('one', { init_script, map_script })).toEqual([
    { transactions: [80, -10, -30, 130, -7] },
  ]);
  const nothing = { term: { type: 'none' } };
  expect(await metric('three', { init_script, map_script }, nothing)).toEqual(
    Array.from({ length: 3 }, () => ({ transactions: [] })),
  );
});

test('keeps the variables of a script from document to document, and those of scripts apart', async () => {
  const params = { _agg: { seen: [] }, n: 0, shared: { n: 0 } };
  const map_script = 'n = n + 1; shared.n += 1; _agg.seen << n';
  expect(await metric('one', { params, map_script })).toEqual([{ seen: [1, 2, 3, 4, 5] }]);
  expect(await metric('one', { params, map_script, combine_script: '[n, shared.n]' })).toEqual([
    [0, 5],
  ]);
});

test('has a state of its own in each bucket', async () => {
  const it = { scripted_metric: { ...PROFIT, combine_script: 'return _agg.transactions.sum()' } };
  const byType = { terms: { field: 'type', order: { _term: 'asc' } }, aggs: { it } };
  expect(await asked('one', { byType })).toMatchObject({
    byType: {
      buckets: [
        { key: 'cost', it: { value: -40 } },
        { key: 'sale', it: { value: 210 } },
      ],
    },
  });
  const none = { filter: { term: { type: 'none' } }, aggs: { it: without(it, 'reduce_script') } };
  const gap = { histogram: { field: 'amount', interval: 40, min_doc_count: 0 }, aggs: { it } };
  expect(await asked('one', { none, gap })).toMatchObject({
    none: { doc_count: 0, it: { value: [null] } },
    gap: { buckets: [{ key: 0 }, { key: 40, doc_count: 0, it: { value: null } }, { key: 80 }, {}] },
  });
});

function without({ scripted_metric }: { scripted_metric: object }, member: string): object {
  const members = Object.entries(scripted_metric).filter(([name]) => name !== member);
  return { scripted_metric: Object.fromEntries(members) };
}

test('sees nested objects', async () => {
  const it = {
    scripted_metric: {
      params: { _agg: { n: 0 } },
      map_script: "_agg.n += doc['kids.n'].value",
      reduce_script: '_aggs.n.sum()',
    },
  };
  expect(await asked('one', { kids: { nested: { path: 'kids' }, aggs: { it } } })).toEqual({
    kids: { doc_count: 3, it: { value: 8 } },
  });
});

test('values of all classes reach the last script as they are', async () => {
  const scripts = {
    init_script:
      '_agg.all = [1, 1L, 1.5f, 2.5d, 1 / 2, 12345678901234567890, -0.0d, null, true, "x", [1], [a: 1]]',
    map_script: '1',
  };
  const classes =
    '_aggs[0].all.collect { it == null ? null : it instanceof List || it instanceof Map ? it : it.class.toString() }';
  const java = (name: string) => `class java.${name}`;
  expect(await metric('one', { ...scripts, reduce_script: classes })).toEqual([
    ...['Integer', 'Long', 'Float', 'Double'].map((name) => java(`lang.${name}`)),
    java('math.BigDecimal'),
    java('math.BigInteger'),
    java('lang.Double'),
    null,
    java('lang.Boolean'),
    java('lang.String'),
    [1],
    { a: 1 },
  ]);
  expect(await metric('one', { ...scripts, reduce_script: '1 / _aggs[0].all[6]' })).toBe(
    '-Infinity',
  );
});

test('reduce_params, stored scripts and other languages', async () => {
  const map_script = '_agg.n = 1';
  expect(
    await metric('one', { map_script, reduce_script: 'a + _aggs.size()', reduce_params: { a: 5 } }),
  ).toBe(6);
  await http.ok('POST', '/_scripts/groovy/sum-up', { script: '_aggs.n.sum()' });
  expect(await metric('three', { map_script, reduce_script_id: 'sum-up' })).toBe(3);
  expect(await metric('one', { lang: 'mvel', map_script: '_agg.n = 7 / 2' })).toEqual([{ n: 3 }]);
});

test.each([
  [{}, /^400 .*map_script field is required in \[it\]/],
  [{ map_script: '1', bogus: 'x' }, /^400 .*Unknown key for a VALUE_STRING in \[it\]: \[bogus\]/],
  [{ map_script: 'zzz' }, /^500 .*QueryPhaseExecutionException.*No such property: zzz/],
  [{ map_script: '_agg.n = _score' }, /^500 .*No such property: _score/],
  [{ map_script: '1', init_script: 'zzz' }, /^400 .*: GroovyScriptExecutionException.*zzz/],
  [{ map_script: '1', combine_script: 'doc' }, /^400 .*: GroovyScriptExecutionException.*doc/],
  [
    { map_script: '1', reduce_script: 'zzz' },
    /^503 ReduceSearchPhaseException.*No such property: zzz/,
  ],
  [{ map_script: '1', reduce_script: 'zzz(' }, /^400 .*GroovyScriptCompilationException/],
  [{ map_script: '1', params: { a: 1 }, combine_script: '_agg' }, /^400 .*No such property: _agg/],
  [{ map_script: '_agg.me = _agg' }, /^400 .*ScriptLimitException/],
  [{ map_script: 'while (true) { }' }, /^500 .*ScriptLimitException.*\[10000\] steps/],
  [{ map_script: '1', reduce_script: 'while (true) { }' }, /^503 .*ScriptLimitException.*steps/],
])('refuses %j', async (scripted, error) => {
  expect(await refused(scripted)).toMatch(error);
});

test('what scripts gather is bounded by memory', async () => {
  const small = await HttpClient.start({ 'node.memory': '16mb', 'node.workers': '0' });
  try {
    const lines = Array.from({ length: 4000 }, (_, n) => `{"index":{}}\n{"n":${n}}\n`);
    await small.ok('POST', '/i/t/_bulk?refresh=true', lines.join(''));
    const gathering = (scripted: object) => ({
      size: 0,
      aggs: { it: { scripted_metric: scripted } },
    });
    const init_script = '_agg.all = []';
    const grows = gathering({ init_script, map_script: '_agg.all << [doc.n.value] * 500' });
    expect(await small.error('POST', '/i/_search', grows)).toMatch(
      /^500 .*CircuitBreakingException\[.*data for \[aggregation it\]/,
    );
    const sources = gathering({
      init_script,
      map_script: '_agg.all << _source',
      combine_script: '_agg.all.size()',
    });
    expect(await small.ok('POST', '/i/_search', sources)).toMatchObject({
      aggregations: { it: { value: [4000] } },
    });
  } finally {
    await small.close();
  }
});
