// Mappings with random damage: read, merged and compiled, or refused with an error of the reference server,
// and never anything else.

import type { JsonObject } from '../../engine/json/json';
import { writeJson } from '../../engine/json/write';
import { mappingContext } from '../../engine/mapping/schema/mapping-context';
import { TypeMapping } from '../../engine/mapping/schema/type-mapping';
import { propertyRuns, Random, testSeed } from '../support/random';
import { copyOf, damage, trees } from '../support/tree-damage';
import { withoutStacks } from '../support/without-stacks';
import { errorOf, TestIndex } from '../unit/engine/mapping/support';

const RUNS = propertyRuns(20_000);
/** Every so many readable mappings one is merged and compiled as well. */
const MERGED = 50;

const BASES = trees([
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
]) as readonly JsonObject[];

const VALUES = trees([
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
]);

test(`${RUNS} damaged mappings throw nothing but errors of the reference`, () =>
  withoutStacks(() => {
    const random = new Random(testSeed(20141117));
    const index = new TestIndex({ t: writeJson(BASES[0]!) });
    const before = index.metadata;
    const context = mappingContext(index.analysis, before.settings);
    let accepted = 0;
    for (let run = 0; run < RUNS; run++) {
      const body = copyOf(random.pick(BASES)) as JsonObject;
      damage(random, body, VALUES);
      try {
        let error = errorOf(() => TypeMapping.parse('t', body, context));
        if (error === null && ++accepted % MERGED === 0) {
          index.metadata = before;
          error = errorOf(() => {
            index.put(accepted % (2 * MERGED) === 0 ? 't' : 'u', writeJson(body));
            index.compile();
          });
        }
        if (error !== null && !/^\w+(\[|$)/.test(error)) throw new Error(error);
      } catch (cause) {
        throw new Error(`seed ${random.seed}, run ${run}: ${writeJson(body)}`, { cause });
      }
    }
    expect(accepted).toBeGreaterThan(RUNS / 20);
  }));
