// Trees of aggregations, up to three deep, against counting thing by thing: random documents with nested
// objects, values that are missing or several, over segments and shards, deleted and replaced; each asked
// several times, so that remembered counts are compared as well.

import { HttpClient } from '../support/http-client';
import { rounds, Random, testSeed } from '../support/random';

interface Part {
  readonly kind: string;
  readonly q: number;
}

interface Doc {
  readonly id: string;
  readonly tags: readonly string[];
  readonly n: readonly number[];
  readonly w: number | null;
  readonly parts: readonly Part[];
}

/** A document, or a nested object of one. */
interface Item {
  readonly doc: Doc;
  readonly part: Part | null;
}

/** An aggregation, and what it must answer. */
interface Tree {
  readonly body: Record<string, unknown>;
  readonly answer: (items: readonly Item[], all: readonly Item[]) => unknown;
}

const MAPPINGS = {
  t: {
    properties: {
      tags: { type: 'string', index: 'not_analyzed' },
      n: { type: 'integer' },
      w: { type: 'double' },
      parts: {
        type: 'nested',
        properties: { kind: { type: 'string', index: 'not_analyzed' }, q: { type: 'integer' } },
      },
    },
  },
};
const DEPTH = 3;

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** The numbers that a metric sees: each of a document once. */
function numbersOf({ doc, part }: Item): number[] {
  return part === null ? distinct(doc.n) : [part.q];
}

function textsOf({ doc, part }: Item): string[] {
  return part === null ? distinct(doc.tags) : [part.kind];
}

/** Items by each of their keys. */
function grouped<K>(items: readonly Item[], keysOf: (item: Item) => readonly K[]): Map<K, Item[]> {
  const groups = new Map<K, Item[]>();
  for (const item of items) {
    for (const key of distinct(keysOf(item))) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

class Trees {
  constructor(private readonly random: Random) {}

  /** @param path where the items are nested objects: their path */
  make(depth: number, path: '' | 'parts', isTop = false): Tree {
    const kinds =
      path === '' ? [...METRICS, ...BUCKETS, 'nested'] : [...METRICS, ...BUCKETS, 'reverse_nested'];
    const kind = this.random.pick(depth === 0 ? METRICS : isTop ? [...kinds, 'global'] : kinds);
    const number = path === '' ? 'n' : 'parts.q';
    const text = path === '' ? 'tags' : 'parts.kind';
    switch (kind) {
      case 'stats':
        return {
          body: { stats: { field: number } },
          answer: (items) => stats(items.flatMap(numbersOf)),
        };
      case 'max':
        return {
          body: { max: { field: number } },
          answer: (items) => ({ value: largest(items.flatMap(numbersOf)) }),
        };
      case 'sum':
        return {
          body: { sum: { field: 'w' } },
          answer: (items) => ({
            value: path === '' ? sum(items.map(({ doc }) => doc.w ?? 0)) : 0,
          }),
        };
      case 'value_count':
        return {
          body: { value_count: { field: text } },
          answer: (items) => ({ value: items.flatMap(textsOf).length }),
        };
      case 'scripted_metric':
        return {
          body: {
            scripted_metric: {
              params: { _agg: { seen: [] }, factor: 3 },
              map_script: `for (n in doc['${number}'].values) { _agg.seen << factor * n }`,
              combine_script: 'total = 0; for (n in _agg.seen) { total += n }; return total',
              reduce_script: 'def all = 0; _aggs.each { if (it != null) { all += it } }; all',
            },
          },
          answer: (items) => {
            const value = 3 * sum(items.flatMap(numbersOf));
            return items.length === 0 ? { value: ZERO_OR_NULL } : { value };
          },
        };
      case 'terms':
        return this.terms(depth, path, text, number);
      case 'histogram':
        return this.histogram(depth, path, number);
      case 'range':
        return this.range(depth, path, number);
      case 'filters':
        return this.filters(depth, path, text);
      case 'missing': {
        const keeps = (item: Item): boolean => textsOf(item).length === 0;
        return this.single(depth, path, { missing: { field: text } }, (items) =>
          items.filter(keeps),
        );
      }
      case 'nested':
        return this.single(depth, 'parts', { nested: { path: 'parts' } }, (items) =>
          items.flatMap(({ doc }) => doc.parts.map((part) => ({ doc, part }))),
        );
      case 'reverse_nested':
        return this.single(depth, '', { reverse_nested: {} }, (items) =>
          distinct(items.map(({ doc }) => doc)).map((doc) => ({ doc, part: null })),
        );
      case 'global':
      default:
        return this.single(depth, '', { global: {} }, (_items, all) => all);
    }
  }

  /** The aggregations below one, with what each bucket has of them. */
  private subs(depth: number, path: '' | 'parts') {
    const trees = new Map<string, Tree>();
    const count = this.random.below(3);
    for (let i = 0; i < count; i++) trees.set(`s${i}`, this.make(depth - 1, path));
    const aggs = Object.fromEntries([...trees].map(([name, { body }]) => [name, body]));
    return {
      body: count === 0 ? {} : { aggs },
      of: (items: readonly Item[], all: readonly Item[]) =>
        Object.fromEntries([...trees].map(([name, { answer }]) => [name, answer(items, all)])),
    };
  }

  private single(
    depth: number,
    path: '' | 'parts',
    body: object,
    select: (items: readonly Item[], all: readonly Item[]) => readonly Item[],
  ): Tree {
    const subs = this.subs(depth, path);
    return {
      body: { ...body, ...subs.body },
      answer: (items, all) => {
        const own = select(items, all);
        return { doc_count: own.length, ...subs.of(own, all) };
      },
    };
  }

  private terms(depth: number, path: '' | 'parts', text: string, number: string): Tree {
    const { random } = this;
    const byText = random.chance(0.6);
    const size = random.pick([0, 1, 2, 5]);
    const order = random.pick(['', '_term', '_count', 'm'] as const);
    const direction = random.pick(['asc', 'desc']);
    const subs = this.subs(depth, path);
    const orders = order === '' ? {} : { order: { [order]: direction } };
    // What is ordered by stands below.
    const m = order === 'm' ? { m: { value_count: { field: number } } } : {};
    const below = { ...(subs.body.aggs ?? {}), ...m };
    const body = {
      terms: { field: byText ? text : number, size, ...orders },
      ...(Object.keys(below).length === 0 ? {} : { aggs: below }),
    };
    return {
      body,
      answer: (items, all) => {
        const groups = grouped<string | number>(items, byText ? textsOf : numbersOf);
        const valuesIn = (own: readonly Item[]): number => own.flatMap(numbersOf).length;
        const sign = direction === 'asc' ? 1 : -1;
        const compareKeys = (a: string | number, b: string | number): number =>
          a < b ? -1 : a > b ? 1 : 0;
        const sorted = [...groups].sort(([a, one], [b, other]) => {
          const byCount = one.length - other.length;
          const byOrder =
            order === ''
              ? -byCount
              : order === '_count'
                ? sign * byCount
                : order === '_term'
                  ? sign * compareKeys(a, b)
                  : sign * (valuesIn(one) - valuesIn(other));
          return byOrder || compareKeys(a, b);
        });
        const shown = size === 0 ? sorted : sorted.slice(0, size);
        const others = sum(sorted.slice(shown.length).map(([, own]) => own.length));
        return {
          sum_other_doc_count: others,
          buckets: shown.map(([key, own]) => ({
            key,
            doc_count: own.length,
            ...subs.of(own, all),
            ...(order === 'm' ? { m: { value: valuesIn(own) } } : {}),
          })),
        };
      },
    };
  }

  private histogram(depth: number, path: '' | 'parts', field: string): Tree {
    const interval = this.random.pick([1, 3, 10]);
    const showsEmpty = this.random.chance(0.3);
    const subs = this.subs(depth, path);
    return {
      body: { histogram: { field, interval, min_doc_count: showsEmpty ? 0 : 1 }, ...subs.body },
      answer: (items, all) => {
        const groups = grouped(items, (item) =>
          numbersOf(item).map((value) => Math.floor(value / interval) * interval + 0),
        );
        const keys = [...groups.keys()].sort((a, b) => a - b);
        const shown: number[] = [];
        if (showsEmpty && keys.length > 0)
          for (let key = keys[0]!; key <= keys.at(-1)!; key += interval) shown.push(key);
        return {
          buckets: (showsEmpty ? shown : keys).map((key) => {
            const own = groups.get(key) ?? [];
            return { key, doc_count: own.length, ...subs.of(own, all) };
          }),
        };
      },
    };
  }

  private range(depth: number, path: '' | 'parts', field: string): Tree {
    const bounds = Array.from({ length: 3 }, () => this.random.below(30) - 10);
    const ranges = [
      { key: 'a', from: bounds[0]!, to: bounds[0]! + 9 },
      { key: 'b', from: bounds[1]!, to: bounds[1]! + 15 },
      { key: 'c', from: bounds[2]!, to: bounds[2]! + 2 },
    ];
    const subs = this.subs(depth, path);
    return {
      body: { range: { field, ranges, keyed: true }, ...subs.body },
      answer: (items, all) => ({
        buckets: Object.fromEntries(
          ranges.map(({ key, from, to }) => {
            const own = items.filter((item) => numbersOf(item).some((v) => v >= from && v < to));
            const figures = { from, from_as_string: `${from}.0`, to, to_as_string: `${to}.0` };
            return [key, { ...figures, doc_count: own.length, ...subs.of(own, all) }];
          }),
        ),
      }),
    };
  }

  private filters(depth: number, path: '' | 'parts', text: string): Tree {
    const words = ['a', 'b', 'x'];
    const filters = Object.fromEntries(words.map((word) => [word, { term: { [text]: word } }]));
    const subs = this.subs(depth, path);
    return {
      body: { filters: { filters }, ...subs.body },
      answer: (items, all) => ({
        buckets: Object.fromEntries(
          words.map((word) => {
            const own = items.filter((item) => textsOf(item).includes(word));
            return [word, { doc_count: own.length, ...subs.of(own, all) }];
          }),
        ),
      }),
    };
  }
}

/** Where there are no documents, scripts run only if a shard has the bucket. */
const ZERO_OR_NULL = { asymmetricMatch: (value: unknown) => value === 0 || value === null };

const METRICS = ['stats', 'max', 'sum', 'value_count', 'scripted_metric'] as const;
const BUCKETS = ['terms', 'terms', 'histogram', 'range', 'filters', 'missing'] as const;

function largest(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b));
}

function stats(values: readonly number[]): object {
  if (values.length === 0) return { count: 0, min: null, max: null, avg: null, sum: null };
  const total = sum(values);
  const min = values.reduce((a, b) => Math.min(a, b));
  return {
    count: values.length,
    min,
    max: largest(values),
    avg: total / values.length,
    sum: total,
  };
}

/** Without what the reference says of counts that it does not know. */
function withoutErrors(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutErrors);
  if (typeof answer !== 'object' || answer === null) return answer;
  const members = Object.entries(answer).filter(([name]) => name !== 'doc_count_error_upper_bound');
  return Object.fromEntries(members.map(([name, value]) => [name, withoutErrors(value)]));
}

describe.each([0, 1, 3])('%i workers', (workers) => {
  const random = new Random(testSeed(1700 + workers));
  let http: HttpClient;
  const docs = new Map<string, Doc>();

  beforeAll(async () => {
    http = await HttpClient.start({ 'node.workers': String(workers) });
    for (const [index, shards] of [
      ['one', 1],
      ['many', 3],
    ] as const) {
      const settings = { number_of_shards: shards, refresh_interval: '-1' };
      await http.ok('PUT', `/${index}`, { settings, mappings: MAPPINGS });
    }
  });
  afterAll(() => http.close());

  const list = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: random.below(most + 1) }, make);

  async function write(): Promise<void> {
    const lines: object[] = [];
    for (let i = 0; i < 25; i++) {
      const id = String(random.below(60));
      if (random.chance(0.2)) {
        docs.delete(id);
        lines.push({ delete: { _id: id } });
        continue;
      }
      const doc: Doc = {
        id,
        tags: list(3, () => random.pick(['a', 'b', 'c', 'd', 'é'])),
        n: list(3, () => random.between(-12, 25)),
        w: random.chance(0.3) ? null : random.between(-8, 8) / 4,
        parts: list(3, () => ({ kind: random.pick(['a', 'x', 'y']), q: random.between(-5, 20) })),
      };
      docs.set(id, doc);
      const { tags, n, w, parts } = doc;
      lines.push({ index: { _id: id } }, { tags, n, w, parts });
    }
    const body = lines.map((line) => JSON.stringify(line)).join('\n') + '\n';
    for (const index of ['one', 'many'])
      await http.ok('POST', `/${index}/t/_bulk?refresh=true`, body);
  }

  test('trees of aggregations count exactly', async () => {
    const trees = new Trees(random);
    const kept: Tree[] = [];
    for (let run = 0; run < rounds(4, 60); run++) {
      await write();
      const all = [...docs.values()].map((doc): Item => ({ doc, part: null }));
      kept.push(...Array.from({ length: 12 }, () => trees.make(DEPTH - 1, '', true)));
      const asked = random.chance(0.5) ? null : random.pick(['a', 'b']);
      const found = asked === null ? all : all.filter(({ doc }) => doc.tags.includes(asked));
      const query = asked === null ? { match_all: {} } : { term: { tags: asked } };
      // Those of earlier rounds are asked again: parts of them are remembered.
      for (const [i, { body, answer }] of kept.slice(-30).entries()) {
        const index = i % 2 === 0 ? 'one' : 'many';
        const response = (await http.ok('POST', `/${index}/_search?search_type=count`, {
          query,
          aggs: { it: body },
        })) as { readonly aggregations: { readonly it: unknown } };
        const place = { seed: random.seed, run, index, asked, body };
        expect({ place, it: withoutErrors(response.aggregations.it) }).toEqual({
          place,
          it: answer(found, all),
        });
      }
    }
  });
});
