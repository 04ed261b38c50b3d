import { EngineError, type BulkAction } from '../../../../engine/index';
import { parseBulk, type BulkDefaults } from '../../../../server/routes/bulk-parser';

const NO_DEFAULTS: BulkDefaults = { index: undefined, type: undefined, routing: undefined };
function parse(text: string, defaults: Partial<BulkDefaults> = {}) {
  return [...parseBulk(Buffer.from(text), { ...NO_DEFAULTS, ...defaults })].flatMap(
    (parsed) => parsed?.action ?? [],
  );
}
function summary(action: BulkAction): string {
  const { kind, request } = action;
  const source = action.kind === 'index' ? action.request.source.toString() : '';
  return `${kind} ${request.index}/${request.type}/${request.id ?? '-'} ${source}`.trim();
}
function wireText(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof EngineError) return `${error.status} ${error.toWireString()}`;
    throw error;
  }
  return 'nothing thrown';
}

test('reads the four actions', () => {
  const actions = parse(
    '{"index":{"_index":"i","_type":"t","_id":"1"}}\n{"a":1}\n' +
      '{"create":{"_index":"i","_type":"t","_id":2}}\n{"a":2}\n' +
      '{"delete":{"_index":"i","_type":"t","_id":"3"}}\n' +
      '{"update":{"_index":"i","_type":"t","_id":"4","_retry_on_conflict":3}}\n{"doc":{"a":4}}\n',
  );
  expect(actions.map(summary)).toEqual([
    'index i/t/1 {"a":1}',
    'index i/t/2 {"a":2}',
    'delete i/t/3',
    'update i/t/4',
  ]);
  expect(actions[1]).toMatchObject({ request: { create: true } });
  expect(actions[3]).toMatchObject({ request: { retryOnConflict: 3 } });
});

test('the URL gives defaults', () => {
  const [action] = parse('{"index":{}}\n{}\n', { index: 'i', type: 't', routing: 'r' });
  expect(action).toMatchObject({ request: { index: 'i', type: 't', id: undefined, routing: 'r' } });
});

test.each([
  [
    'a last line without a line feed does not count',
    '{"delete":{"_id":"1"}}\n{"delete":{"_id":"2"}}',
    1,
  ],
  ['nor does an action whose source is cut off', '{"index":{}}\n{"a":1}\n{"index":{}}\n{"a":2}', 1],
  [
    'blank lines between actions are skipped',
    '\n{"delete":{"_id":"1"}}\n\n\n{"delete":{"_id":"2"}}\n',
    2,
  ],
  ['carriage returns are blanks', '{"index":{"_id":"1"}}\r\n{"a":1}\r\n', 1],
  ['unknown actions swallow two lines', '{"INDEX":{}}\n{"a":1}\n{"delete":{"_id":"1"}}\n', 1],
  ['the last brace may be missing', '{"index":{"_id":"e1"}\n{"a":1}\n', 1],
  ['text after the metadata is not looked at', '{"delete":{"_id":"1"}} {"index":\n', 1],
])('%s', (_name, text, count) => {
  expect(parse(text)).toHaveLength(count);
});

test('a blank source line belongs to its action', () => {
  expect(parse('{"index":{"_id":"1"}}\n\n{"delete":{"_id":"2"}}\n').map(summary)).toEqual([
    'index //1',
    'delete //2',
  ]);
});

test('all spellings of metadata are known', () => {
  const [action] = parse(
    '{"index":{"_id":null,"routing":"r","parent":"p","timestamp":"t","ttl":"1d","version":"7","_version_type":"external_gt","opType":"create"}}\n{}\n',
  );
  expect(action).toMatchObject({
    request: {
      id: undefined,
      routing: 'r',
      parent: 'p',
      timestamp: 't',
      ttl: 86_400_000,
      version: 7,
      versionType: 'external',
      create: true,
    },
  });
});

test.each([
  ['', '400 ElasticsearchParseException[Failed to derive xcontent]'],
  ['\n\n', '400 ElasticsearchParseException[Failed to derive xcontent]'],
  [
    '{"index":{"_id":"1","bogus":3}}\n{}\n',
    '500 IllegalArgumentException[Action/metadata line [1] contains an unknown parameter [bogus]]',
  ],
  [
    '{"delete":{"_id":"0"}}\n{"index":{"bogus":{}}}\n{}\n',
    '500 IllegalArgumentException[Malformed action/metadata line [2], expected a simple value for field [bogus] but found [START_OBJECT]]',
  ],
  [
    '{"index":{"bogus":[]}}\n{}\n',
    '500 IllegalArgumentException[Malformed action/metadata line [1], expected a simple value for field [bogus] but found [START_ARRAY]]',
  ],
  [
    '{"index":"x"}\n{}\n',
    '500 IllegalArgumentException[Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [VALUE_STRING]]',
  ],
  [
    '{}\n{}\n',
    '500 IllegalArgumentException[Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT but found [null]]',
  ],
  ['{"index":{"_version":"x"}}\n{}\n', '500 NumberFormatException[For input string: "x"]'],
  [
    '{"index":{"_version_type":"x"}}\n{}\n',
    '400 ElasticsearchIllegalArgumentException[No version type match [x]]',
  ],
])('%j fails the whole request', (text, expected) => {
  expect(wireText(text)).toBe(expected);
});

test('an action line that is not JSON is a 500', () => {
  expect(wireText('{"index":{"_id" 1}}\n{}\n')).toMatch(/^500 JsonParseException\[Unexpected/);
});

test('missing names are told apart from empty ones', () => {
  const missing = (text: string) =>
    [...parseBulk(Buffer.from(text), NO_DEFAULTS)].flatMap((parsed) => parsed?.missing ?? []);
  expect(missing('{"index":{}}\n{}\n')).toEqual(['index is missing', 'type is missing']);
  expect(missing('{"delete":{"_index":"i","_type":"t"}}\n')).toEqual(['id is missing']);
  expect(missing('{"update":{"_index":"i","_type":"t","_id":""}}\n{}\n')).toEqual([]);
});

test.each([
  [
    'x',
    '400 ElasticsearchParseException[Failed to parse [x]]; nested: NumberFormatException[For input string: "x"]; ',
  ],
  [
    '0',
    '400 ElasticsearchIllegalArgumentException[TTL value must be > 0. Illegal value provided [0]]',
  ],
])('the time to live %s fails the whole request', (ttl, expected) => {
  expect(wireText(`{"index":{"_ttl":"${ttl}"}}\n{}\n`)).toBe(expected);
});

test('sources are slices of the body, never copies', () => {
  const body = Buffer.from('{"index":{}}\n{"a":1}\n');
  const action = [...parseBulk(body, NO_DEFAULTS)][0]?.action;
  expect(action?.kind === 'index' && action.request.source.buffer).toBe(body.buffer);
});
