// Random mappings: what was rendered reads back as itself, merges with itself without a change, and
// documents of random values never crash the parser.

import fc from 'fast-check';
import { writeJson } from '../../engine/json/write';
import { withoutStacks } from '../support/without-stacks';
import { TestIndex } from '../unit/engine/mapping/support';
import { propertyRuns } from '../support/random';

const name = fc.constantFrom('a', 'b', 'c', 'dd', '__proto__', 'constructor', 'x.y', 'é');

const shared = {
  store: fc.boolean(),
  boost: fc.constantFrom(1, 2, 0.5),
  index_name: fc.constantFrom('n1', 'n2'),
  include_in_all: fc.boolean(),
  copy_to: fc.constantFrom('a', ['b', 'c']),
};

const text = fc.record(
  {
    type: fc.constant('string'),
    index: fc.constantFrom('analyzed', 'not_analyzed', 'no'),
    analyzer: fc.constantFrom('simple', 'standard', 'default'),
    search_analyzer: fc.constantFrom('keyword', 'default'),
    null_value: fc.string(),
    ignore_above: fc.integer({ min: 1, max: 99 }),
    norms: fc.record(
      { enabled: fc.boolean(), loading: fc.constantFrom('lazy', 'eager') },
      { requiredKeys: [] },
    ),
    index_options: fc.constantFrom('docs', 'freqs', 'positions', 'offsets'),
    position_offset_gap: fc.integer({ min: 0, max: 9 }),
    term_vector: fc.constantFrom('no', 'yes', 'with_positions'),
    ...shared,
  },
  { requiredKeys: ['type'] },
);

const number = fc.record(
  {
    type: fc.constantFrom('byte', 'short', 'integer', 'long', 'float', 'double'),
    index: fc.constantFrom('not_analyzed', 'no'),
    null_value: fc.integer({ min: -100, max: 100 }),
    ignore_malformed: fc.boolean(),
    coerce: fc.boolean(),
    doc_values: fc.boolean(),
    precision_step: fc.integer({ min: 1, max: 64 }),
    ...shared,
  },
  { requiredKeys: ['type'] },
);

const other = fc.record(
  {
    type: fc.constantFrom('date', 'boolean', 'ip', 'binary', 'geo_point'),
    store: fc.boolean(),
    lat_lon: fc.boolean(),
    geohash: fc.boolean(),
    normalize: fc.boolean(),
    validate_lat: fc.boolean(),
    format: fc.constantFrom('yyyy', 'dateOptionalTime', 'dd/MM/yyyy||yyyy'),
    numeric_resolution: fc.constantFrom('seconds', 'milliseconds'),
  },
  { requiredKeys: ['type'] },
);

const special = fc.record(
  {
    type: fc.constantFrom('geo_shape', 'murmur3'),
    tree: fc.constantFrom('geohash', 'quadtree'),
    tree_levels: fc.integer({ min: 1, max: 20 }),
    orientation: fc.constantFrom('cw', 'right'),
    distance_error_pct: fc.constantFrom(0, 0.025, 0.1),
    precision_step: fc.integer({ min: 1, max: 70 }),
    term_vector: fc.constantFrom('yes', 'with_positions_offsets'),
    fielddata: fc.constantFrom({}, { filter: { frequency: { min: 0.1 } } }),
  },
  { requiredKeys: ['type'] },
);

const completion = fc.record(
  {
    type: fc.constant('completion'),
    search_analyzer: fc.constantFrom('keyword', 'default'),
    payloads: fc.boolean(),
    max_input_length: fc.integer({ min: 1, max: 99 }),
    context: fc.constantFrom(
      { c: { type: 'category', default: 'x' } },
      { l: { type: 'geo', precision: '5km', default: { lat: 1.5, lon: 2.5 } } },
    ),
  },
  { requiredKeys: ['type'] },
);

const tokenCount = fc.record(
  {
    type: fc.constant('token_count'),
    analyzer: fc.constantFrom('simple', 'standard'),
    index: fc.constantFrom('not_analyzed', 'no'),
    null_value: fc.integer({ min: 0, max: 9 }),
    doc_values: fc.boolean(),
    ...shared,
  },
  { requiredKeys: ['type', 'analyzer'] },
);

const leaf = fc.oneof(text, number, other, special, completion, tokenCount);
const withSubFields = fc
  .tuple(leaf, fc.dictionary(name, leaf, { maxKeys: 2 }))
  .map(([field, fields]) => ({ ...field, fields }));

const { properties } = fc.letrec((tie) => ({
  properties: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, leaf, withSubFields, tie('object')), {
    maxKeys: 4,
  }),
  object: fc.record(
    {
      type: fc.constantFrom('object', 'nested'),
      dynamic: fc.constantFrom(true, false, 'strict'),
      enabled: fc.boolean(),
      include_in_all: fc.boolean(),
      include_in_parent: fc.boolean(),
      path: fc.constantFrom('full', 'just_name'),
      properties: tie('properties'),
    },
    { requiredKeys: ['type'] },
  ),
}));

/** Some of these options. */
function some<T>(options: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record(options, { requiredKeys: [] });
}

const root = fc.record(
  {
    properties,
    dynamic: fc.constantFrom(true, false),
    include_in_all: fc.boolean(),
    date_detection: fc.boolean(),
    _all: fc.record({ enabled: fc.boolean() }),
    numeric_detection: fc.boolean(),
    analyzer: fc.constantFrom('simple', 'keyword'),
    search_analyzer: fc.constantFrom('simple', 'whitespace'),
    dynamic_date_formats: fc.constantFrom(['yyyy'], ['dd/MM/yyyy', 'dateOptionalTime'], []),
    dynamic_templates: fc.constantFrom(
      [{ t: { match: '*_s', mapping: { type: '{dynamic_type}', store: true } } }],
      [
        { a: { path_match: 'o.*', match_mapping_type: 'string', mapping: { index: 'no' } } },
        { b: { match_pattern: 'regex', match: 'x.*', unmatch: 'xy', mapping: { type: 'long' } } },
      ],
    ),
    _timestamp: some({
      enabled: fc.boolean(),
      store: fc.boolean(),
      path: fc.constant('ts'),
      format: fc.constantFrom('yyyy', 'dateOptionalTime'),
      default: fc.constantFrom('1970', 'now'),
    }),
    _source: some({
      enabled: fc.boolean(),
      includes: fc.constantFrom(['a*'], ['a', 'b.c']),
      excludes: fc.constantFrom(['b'], []),
    }),
    _ttl: some({ enabled: fc.boolean(), default: fc.constantFrom('1d', 10_000) }),
    _routing: some({ required: fc.boolean(), path: fc.constant('a') }),
    _parent: fc.record({ type: fc.constantFrom('p', 'q') }),
    _id: some({ path: fc.constant('a'), store: fc.boolean() }),
    _size: some({ enabled: fc.boolean(), store: fc.boolean() }),
    _index: some({ enabled: fc.boolean() }),
    _boost: some({ name: fc.constantFrom('b', '_boost'), null_value: fc.constantFrom(1, 2.5) }),
    _analyzer: some({ path: fc.constant('an') }),
    _meta: fc.dictionary(name, fc.integer()),
  },
  { requiredKeys: ['properties'] },
);

test('a canonical mapping reads back as itself and compiles', () => {
  fc.assert(
    fc.property(root, (body) => {
      const first = new TestIndex({ t: body });
      const printed = JSON.stringify(first.get());
      const second = new TestIndex();
      second.put('t', printed);
      expect(second.get()).toEqual(first.get());
      expect([...second.metadata.fields.keys()].sort()).toEqual(
        [...first.metadata.fields.keys()].sort(),
      );
      first.put('t', printed);
      expect(first.get()).toEqual(second.get());
      const mapping = second.compile();
      for (const { field } of mapping.match('*', [])) expect(field?.id).toBeGreaterThan(0);
      expect(writeJson(second.metadata.mappings.get('t') ?? null)).toContain('properties');
    }),
    { numRuns: 200 },
  );
});

test('documents never crash, and what is accepted is accepted again', () =>
  withoutStacks(() => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const document = fc.dictionary(name, value, { maxKeys: 5 });
    fc.assert(
      fc.property(root, fc.array(document, { minLength: 1, maxLength: 4 }), (body, documents) => {
        const index = new TestIndex({ t: body });
        for (const each of documents) {
          const source = JSON.stringify(each);
          const error = index.check(source);
          if (error === null) expect(() => index.index(source)).not.toThrow();
          else expect(error).toMatch(/^\w+\[/);
        }
        const again = new TestIndex();
        again.put('t', JSON.stringify(index.get()));
        expect(again.get()).toEqual(index.get());
      }),
      { numRuns: propertyRuns(300) },
    );
  }));
