// Id, routing, parent, timestamp and expiry of documents (reference server).

import {
  resolveEnvelope,
  type EnvelopeRequest,
} from '../../../../engine/mapping/document/envelope';
import { errorOf, TestIndex } from './support';

const NOW = 1_400_000_000_000;

const index = new TestIndex({
  plain: {},
  id: { _id: { path: 'o.i' } },
  req: { _routing: { required: true } },
  rp: { _routing: { required: true, path: 'o.r' } },
  ts: { _timestamp: { enabled: true, path: 'ts' } },
  year: { _timestamp: { enabled: true, path: 'ts', format: 'yyyy-MM' } },
  must: { _timestamp: { enabled: true, ignore_missing: false } },
  std: { _timestamp: { enabled: true, default: '1970-01-05' } },
  ttl: { _ttl: { enabled: true, default: '1d' } },
  ttlx: { _ttl: { enabled: true } },
  child: { _parent: { type: 'plain' } },
});
const mapping = index.compile();

function resolve(type: string, source = '{}', given: Partial<EnvelopeRequest> = {}) {
  return resolveEnvelope(mapping, {
    index: 'i',
    type,
    id: '1',
    routing: undefined,
    parent: undefined,
    timestamp: undefined,
    ttl: undefined,
    source: Buffer.from(source),
    now: NOW,
    ...given,
  });
}

const failure = (...args: Parameters<typeof resolve>) => errorOf(() => resolve(...args));

test('nothing asked for, nothing found', () => {
  expect(resolve('plain', '{"a":1}', { routing: 'r', timestamp: '5', ttl: 86_400_000 })).toEqual({
    id: '1',
    routing: 'r',
    parent: null,
    timestamp: null,
    expiry: null,
  });
  expect(resolve('unmapped', 'no json').id).toBe('1');
});

test.each([
  ['{"o":{"i":"k1"}}', 'k1'],
  ['{"x":{"o":{"i":1}},"o":{"y":[{"i":2}],"i":7}}', '7'],
  ['{"o":{"i":true}}', 'true'],
  ['{"o":[{"i":"x"}]}', null],
  ['{"o.i":"dotted"}', null],
  ['{"i":"x"}', null],
])('id from %s', (source, id) => {
  expect(resolve('id', source, { id: undefined }).id).toBe(id);
  expect(resolve('id', source, { id: 'explicit' }).id).toBe('explicit');
});

test('an id that is no scalar', () => {
  for (const value of ['["p"]', '{"a":1}', 'null']) {
    expect(failure('id', `{"o":{"i":${value}}}`, { id: undefined })).toBe(
      'MapperParsingException[id field must be a value but was either an object or an array]',
    );
  }
});

test('routing: required, from the document, contradicted', () => {
  expect(failure('req')).toBe('RoutingMissingException[routing is required for [i]/[req]/[1]]');
  expect(failure('req', '{}', { id: undefined })).toBe(
    'RoutingMissingException[routing is required for [i]/[req]/[null]]',
  );
  expect(resolve('req', '{}', { routing: 'x' }).routing).toBe('x');
  expect(resolve('rp', '{"o":{"r":5}}').routing).toBe('5');
  expect(resolve('rp', '{"o":{"r":5}}', { routing: '5' }).routing).toBe('5');
  expect(failure('rp', '{"o":{"r":5}}', { routing: '6' })).toBe(
    "MapperParsingException[The provided routing value [6] doesn't match the routing key stored in the document: [5]]",
  );
  expect(failure('rp', '{"o":{}}', { routing: 'z' })).toContain('[null]]');
  expect(failure('rp', '{"o":')).toMatch(
    /^ElasticsearchParseException\[failed to parse doc to extract routing\/timestamp\/id\]; nested: JsonParseException\[/,
  );
});

test('parents', () => {
  expect(failure('child')).toBe('RoutingMissingException[routing is required for [i]/[child]/[1]]');
  expect(resolve('child', '{}', { parent: '9', routing: '9' })).toMatchObject({
    parent: '9',
    routing: '9',
  });
  expect(failure('plain', '{}', { parent: '5', routing: '5' })).toBe(
    "ElasticsearchIllegalArgumentException[Can't specify parent if no parent field has been configured]",
  );
});

test('timestamps', () => {
  expect(resolve('ts', '{"ts":"2014-01-01"}').timestamp).toBe(1388534400000);
  expect(resolve('ts', '{"ts":1388534400000}').timestamp).toBe(1388534400000);
  expect(resolve('ts', '{"ts":2014}').timestamp).toBe(2014);
  expect(resolve('ts').timestamp).toBe(NOW);
  expect(resolve('ts', '{"ts":"2014"}', { timestamp: '2013-01-01' }).timestamp).toBe(1356998400000);
  expect(resolve('year', '{"ts":"2014-05"}').timestamp).toBe(1398902400000);
  expect(resolve('std').timestamp).toBe(345600000);
  expect(failure('ts', '{"ts":"bad"}')).toBe(
    'ElasticsearchParseException[failed to parse doc to extract routing/timestamp/id]; nested: TimestampParsingException[failed to parse timestamp [bad]]; ',
  );
  expect(failure('plain', '{}', { timestamp: 'bogus' })).toBe(
    'TimestampParsingException[failed to parse timestamp [bogus]]',
  );
  expect(failure('must')).toBe(
    'TimestampParsingException[failed to parse timestamp [timestamp is required by mapping]]',
  );
});

test('the place of a timestamp is read even where none are kept', () => {
  const at = new TestIndex({ t: { _timestamp: { path: 'ts' } } }).compile();
  const read = (source: string) =>
    errorOf(() =>
      resolveEnvelope(at, {
        index: 'i',
        type: 't',
        id: '1',
        routing: undefined,
        parent: undefined,
        timestamp: undefined,
        ttl: undefined,
        source: Buffer.from(source),
        now: NOW,
      }),
    );
  expect(read('{"ts":"2014-01-01"}')).toBeNull();
  expect(read('{"ts":null}')).toBeNull();
  expect(read('{"ts":"x"}')).toMatch(/failed to parse timestamp \[x\]/);
  expect(read('{"ts":["2014"]}')).toMatch(/failed to parse timestamp \[\[\]/);
  expect(read('{"ts":{}}')).toMatch(/failed to parse timestamp \[{\]/);
});

test('time to live', () => {
  expect(resolve('ttlx').expiry).toBeNull();
  expect(resolve('ttlx', '{}', { ttl: 5_400_000 }).expiry).toBe(NOW + 5_400_000);
  expect(resolve('ttlx', '{"_ttl":"1d"}').expiry).toBe(NOW + 86_400_000);
  expect(resolve('ttl').expiry).toBe(NOW + 86_400_000);
  expect(resolve('ttl', '{}', { ttl: 1000 }).expiry).toBe(NOW + 1000);
  expect(failure('ttlx', '{"_ttl":0}')).toBe(
    'ElasticsearchIllegalArgumentException[TTL value must be > 0. Illegal value provided [0]]',
  );
  expect(failure('ttlx', '{"_ttl":"zz"}')).toBe(
    'ElasticsearchParseException[Failed to parse [zz]]; nested: NumberFormatException[For input string: "zz"]; ',
  );
  expect(failure('ttlx', '{}', { ttl: 1, timestamp: '1000' })).toBe(
    `MapperParsingException[failed to parse [_ttl]]; nested: AlreadyExpiredException[already expired [i]/[ttlx]/[1] due to expire at [1001] and was processed at [${NOW}]]; `,
  );
});

test('unmapped types follow _default_', () => {
  const other = new TestIndex({ _default_: { _routing: { required: true } } }).compile();
  expect(other.routingRequired('any')).toBe(true);
  expect(mapping.routingRequired('any')).toBe(false);
  expect(mapping.parentType('child')).toBe('plain');
});

test('source filters', () => {
  const other = new TestIndex({
    off: { _source: { enabled: false } },
    some: { _source: { includes: ['a*'], excludes: ['ab'] } },
  }).compile();
  expect(other.sourceFilter('off')).toBe(false);
  expect(other.sourceFilter('some')).toEqual({ includes: ['a*'], excludes: ['ab'] });
  expect(other.sourceFilter('any')).toBe(true);
});
