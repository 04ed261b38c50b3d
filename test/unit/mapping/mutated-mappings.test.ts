// Mappings with random damage: read, merged and compiled, or refused with an error of the reference server,
// and never anything else.

import { mappingContext } from '../../../engine/mapping/mapping-context';
import { TypeMapping } from '../../../engine/mapping/type-mapping';
import { Random, testSeed } from '../../support/random';
import { errorOf, json, TestIndex } from './support';

const RUNS = 100_000;
/** Every so many readable mappings one is merged and compiled as well. */
const MERGED = 50;

const BASES = [
  {
    properties: {
      s: { type: 'string', analyzer: 'simple', fields: { raw: { type: 'string', norms: {} } } },
      l: { type: 'long', null_value: 5, copy_to: ['s', 'o.x'], precision_step: 8 },
      d: { type: 'date', format: 'yyyy||dateOptionalTime', fielddata: { loading: 'eager' } },
    },
    dynamic_templates: [{ t: { match: '*_s', mapping: { type: '{dynamic_type}', store: true } } }],
    dynamic_date_formats: ['yyyy/MM/dd'],
  },
  {
    properties: {
      o: { dynamic: 'strict', properties: { x: { type: 'boolean' }, y: { type: 'ip' } } },
      n: { type: 'nested', include_in_parent: true, properties: { z: { type: 'double' } } },
      m: { type: 'multi_field', path: 'just_name', fields: { m: { type: 'short' }, r: {} } },
      c: { type: 'token_count', analyzer: 'standard', doc_values: true },
    },
    _all: { enabled: true, analyzer: 'simple' },
    _source: { includes: ['a*'], excludes: [] },
    _ttl: { enabled: true, default: '1d' },
  },
  {
    properties: {
      g: { type: 'geo_point', lat_lon: true, geohash_precision: '1km' },
      p: { type: 'geo_shape', precision: '10m', tree: 'quadtree', orientation: 'cw' },
      k: { type: 'completion', context: { c: { type: 'geo', precision: [3, '5km'] } } },
      h: { type: 'murmur3', precision_step: 4 },
      b: { type: 'binary', compress_threshold: '10kb' },
    },
    _timestamp: { enabled: true, path: 'd', format: 'yyyy', default: '2014' },
    _routing: { required: true, path: 'o.x' },
    _parent: { type: 'p' },
  },
];

const VALUES: readonly unknown[] = [
  null,
  true,
  '',
  'x',
  'nested',
  'string',
  'no',
  '__proto__',
  -1,
  0,
  1.5,
  1e30,
  2 ** 53,
  [],
  [[]],
  [null],
  {},
  { type: 'string' },
  { a: { b: [1] } },
];

/** Several times as fast as structuredClone. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

type Node = Record<string, unknown> | unknown[];

/** All places of a tree: a node and a key in it. */
function places(node: unknown, found: [Node, string][] = []): [Node, string][] {
  if (typeof node !== 'object' || node === null) return found;
  for (const key of Object.keys(node)) {
    found.push([node as Node, key]);
    places((node as Record<string, unknown>)[key], found);
  }
  return found;
}

function damage(random: Random, body: object): void {
  const all = places(body);
  for (let times = 1 + random.below(3); times > 0 && all.length > 0; times--) {
    const [node, key] = all[random.below(all.length)]!;
    const target = node as Record<string, unknown>;
    const value = VALUES[random.below(VALUES.length)];
    switch (random.below(4)) {
      case 0:
        Reflect.deleteProperty(target, key);
        break;
      case 1:
        target[all[random.below(all.length)]![1]] = copyOf(value);
        break;
      case 2:
        target[key] = copyOf(all[random.below(all.length)]![0]);
        break;
      default:
        target[key] = copyOf(value);
    }
  }
}

test(`${RUNS} damaged mappings throw nothing but errors of the reference`, () => {
  const random = new Random(testSeed(20141117));
  const index = new TestIndex({ t: BASES[0]! });
  const before = index.metadata;
  const context = mappingContext(index.analysis, before.settings);
  let accepted = 0;
  for (let run = 0; run < RUNS; run++) {
    const body = copyOf(BASES[random.below(BASES.length)]!);
    damage(random, body);
    const text = JSON.stringify(body);
    try {
      let error = errorOf(() => TypeMapping.parse('t', json(text), context));
      if (error === null && ++accepted % MERGED === 0) {
        index.metadata = before;
        error = errorOf(() => {
          index.put(accepted % (2 * MERGED) === 0 ? 't' : 'u', text);
          index.compile();
        });
      }
      if (error !== null && !/^\w+(\[|$)/.test(error)) throw new Error(error);
    } catch (cause) {
      throw new Error(`seed ${random.seed}, run ${run}: ${text}`, { cause });
    }
  }
  expect(accepted).toBeGreaterThan(RUNS / 20);
});
