// Whatever comes in, parsing ends with a tree or with an error that a client can be told.

import fc from 'fast-check';
import { EngineError } from '../../engine/errors';
import { isJsonObject } from '../../engine/json/json';
import { FILTERS, QUERIES } from '../../engine/query/parse/kinds/registry';
import { parseFilter, parseQuery } from '../../engine/query/parse/parse';
import { propertyRuns } from '../support/random';
import { context, json, queryString, show } from '../unit/engine/query/parse/support';

/** Runs `parse`; anything thrown must be an EngineError with a 4xx or 5xx status. */
function survives(parse: () => unknown): boolean {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(error.toWireString()).not.toBe('');
  }
  return true;
}

const SYNTAX = [
  ...'+-!():^[]{}"~*?\\/<>=&| \t\u3000.%019aT',
  ' AND ',
  ' OR ',
  ' NOT ',
  'TO',
  't:',
  'n:',
  'dt:',
  'k:',
  'b:',
  'o.\\*:',
  '_id:',
  '_exists_:',
  '_missing_:',
  'now-1d/d',
  '2014-01-01',
  '\\u0041',
  'fox',
  'wi-fi',
  '\u{1f600}',
  '~2',
  '^3',
  '[1 TO 2]',
  '/a.*/',
];

const FIELDS = [
  't',
  'u',
  'k',
  's',
  'st',
  'n',
  'l',
  'fl',
  'db',
  'b',
  'dt',
  'ip',
  'nv',
  'o',
  'o.x',
  'c',
  'c.a',
  'd',
  'd.t',
  '_id',
  '_type',
  '_parent',
  '_all',
  '_uid',
  'nosuch',
  '*',
  'o.*',
  '__proto__',
  'constructor',
];
const OPTIONS = [
  'query',
  'filter',
  'filters',
  'must',
  'should',
  'must_not',
  'queries',
  'positive',
  'negative',
  'negative_boost',
  'boost',
  '_name',
  'path',
  'fields',
  'field',
  'value',
  'values',
  'type',
  'index',
  'indices',
  'minimum_should_match',
  'fuzziness',
  'operator',
  'analyzer',
  'gt',
  'gte',
  'lt',
  'from',
  'to',
  'time_zone',
  'format',
  'execution',
  'slop',
  'tie_breaker',
  'flags',
  'rewrite',
  'id',
  'null_value',
  'existence',
  'no_match_query',
  'default_operator',
  'lenient',
];
const KINDS = [...new Set([...QUERIES.keys(), ...FILTERS.keys()])];
const VALUES = [
  '',
  'a',
  'fox dog',
  '5',
  'AUTO',
  '2014-01-01',
  'now',
  '+02:00',
  'and',
  'all',
  '75%',
  '2<3',
  'd',
  'c',
  '*',
  't^2',
  'yyyy',
  '[a',
  'a(',
];

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constantFrom<unknown>(
        ...VALUES,
        null,
        true,
        false,
        0,
        -1,
        2.7,
        1e300,
        12345678901234567000,
      ),
      fc.string(),
    ),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KINDS), tie('tree'), { minKeys: 1, maxKeys: 2 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('tree'), { minKeys: 1, maxKeys: 2 }),
    fc.dictionary(fc.constantFrom(...OPTIONS), tie('tree'), { maxKeys: 4 }),
  ),
}));

test('random query_string texts', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SYNTAX), { maxLength: 25 }), (parts) =>
      survives(() => queryString(parts.join(''))),
    ),
    { numRuns: propertyRuns(2000) },
  );
});

test('random query_string options', () => {
  const text = fc
    .array(fc.constantFrom(...SYNTAX), { maxLength: 12 })
    .map((parts) => parts.join(''));
  const options = fc.record(
    {
      default_operator: fc.constantFrom('and', 'or'),
      fields: fc.array(fc.constantFrom('t', 't^2', 'n', 'o.*', 'd.t', '*'), { maxLength: 3 }),
      lenient: fc.boolean(),
      analyze_wildcard: fc.boolean(),
      use_dis_max: fc.boolean(),
      escape: fc.boolean(),
      minimum_should_match: fc.constantFrom('1', '-50%', '2<75%'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(text, options, (query, rest) => survives(() => queryString(query, rest))),
    { numRuns: propertyRuns(800) },
  );
});

test('an escaped text never fails', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(typeof queryString(text, { escape: true })).toBe('string');
    }),
    { numRuns: propertyRuns(500) },
  );
});

test('random query bodies', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), tree, (kind, body) =>
      survives(() => {
        const value = json({ [kind]: body });
        if (isJsonObject(value)) show(parseQuery(value, context()));
      }),
    ),
    { numRuns: propertyRuns(1500) },
  );
});

test('random filter bodies', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), tree, (kind, body) =>
      survives(() => {
        const filter = parseFilter(json({ [kind]: body }), context());
        if (filter !== null) show(filter);
      }),
    ),
    { numRuns: propertyRuns(1500) },
  );
});

test('long texts take linear time', () => {
  const texts = [
    '('.repeat(1e6),
    '"'.repeat(1e6),
    '\\'.repeat(1e6),
    '['.repeat(1e6),
    'a/'.repeat(5e5),
    '*'.repeat(1e6),
    '-'.repeat(1e6),
  ];
  // Quadratic time would be hours, more than any time limit.
  for (const text of texts) survives(() => queryString(text));
});
