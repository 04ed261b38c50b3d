import { EngineError } from '../../../../engine/errors';
import { EMPTY_STATE } from '../../../../engine/metadata/changes';
import {
  indexCreationFailed,
  newIndex,
  planIndex,
  readSections,
} from '../../../../engine/admin/create-index';
import { validateMappingTypeName, validateTypeName } from '../../../../engine/metadata/names';
import { parseJson } from '../../../../engine/json/parse';
import type { JsonObject } from '../../../../engine/json/json';
import { add, create, errorOf, stateOf, withAliases } from '../metadata/support';

const state = withAliases(stateOf('i'), [add('i', 'taken')]);

const plan = (body: string, name = 'new', defaults = new Map<string, string>()) =>
  planIndex(
    state,
    name,
    readSections(parseJson(body) as JsonObject),
    defaults,
    1024,
    1234,
    'uuid-1',
  );

const settingsOf = (body: string): Record<string, unknown> =>
  Object.fromEntries(plan(body).settings);

describe('settings of a new index', () => {
  const always = {
    'index.creation_date': '1234',
    'index.uuid': 'uuid-1',
    'index.version.created': '1070699',
  };

  test('have defaults', () => {
    expect(settingsOf('{}')).toEqual({
      'index.number_of_shards': '5',
      'index.number_of_replicas': '1',
      ...always,
    });
  });

  test('take what they do not say from the node', () => {
    const defaults = new Map([
      ['index.number_of_shards', '2'],
      ['index.number_of_replicas', '0'],
      ['index.refresh_interval', '5s'],
    ]);
    expect(Object.fromEntries(plan('{}', 'new', defaults).settings)).toEqual({
      'index.number_of_shards': '2',
      'index.number_of_replicas': '0',
      'index.refresh_interval': '5s',
      ...always,
    });
    const own = plan('{"refresh_interval":"7s"}', 'new', defaults).settings;
    expect(own.get('index.refresh_interval')).toBe('7s');
  });

  test('take analysis components from the node, lists as a whole', () => {
    const own =
      '{"settings":{"analysis":{"filter":{"f":{"stopwords":["x"]}},"analyzer":{"b":{"type":"stop"}}}}}';
    const { settings } = plan(
      own,
      'new',
      new Map([
        ['index.analysis.filter.f.type', 'stop'],
        ['index.analysis.filter.f.stopwords.0', 'y'],
        ['index.analysis.filter.f.stopwords.1', 'z'],
        ['index.analysis.analyzer.b.type', 'simple'],
        ['index.analysis.analyzer.c.type', 'simple'],
      ]),
    );
    const analysis = [...settings].filter(([name]) => name.startsWith('index.analysis.'));
    expect(new Map(analysis)).toEqual(
      new Map<string, unknown>([
        ['index.analysis.filter.f.stopwords', ['x']],
        ['index.analysis.analyzer.b.type', 'stop'],
        ['index.analysis.filter.f.type', 'stop'],
        ['index.analysis.analyzer.c.type', 'simple'],
      ]),
    );
  });

  test.each([
    ['{"settings":{"number_of_shards":1}}'],
    ['{"settings":{"index":{"number_of_shards":"1"}}}'],
    ['{"settings":{"index.number_of_shards":1}}'],
    ['{"number_of_shards":1}'],
    ['{"index":{"number_of_shards":1}}'],
    ['{"settings":{"number_of_shards":1,"index.number_of_shards":3}}'],
    ['{"settings":{"index.number_of_shards":3,"number_of_shards":1}}'],
    ['{"settings":{"number_of_shards":1},"number_of_shards":3}'],
  ])('%s asks for one shard', (body) => {
    const planned = plan(body);
    expect(planned.shards).toBe(1);
    expect(planned.settings.get('index.number_of_shards')).toBe('1');
  });

  test('are kept as texts and lists', () => {
    expect(
      settingsOf(
        '{"settings":{"foo":["a",1],"bar":[],"n":null,"t":true,"f":1.50,"d":2.0,"o":{"x":[{"y":1},"z"]},"e":{},"index":{"q":"r"},"creation_date":5,"uuid":"mine"}}',
      ),
    ).toEqual({
      ...always,
      'index.number_of_shards': '5',
      'index.number_of_replicas': '1',
      'index.foo': ['a', '1'],
      'index.t': 'true',
      'index.f': '1.5',
      'index.d': '2.0',
      'index.o.x.0.y': '1',
      'index.o.x.1': 'z',
      'index.q': 'r',
      'index.creation_date': '5',
    });
  });
});

describe('a create request that fails', () => {
  const failed = 'IndexCreationException[[new] failed to create index]; nested: ';
  test.each([
    [
      '{"settings":{"number_of_shards":0,"number_of_replicas":-1}}',
      `400 ${failed}ElasticsearchIllegalArgumentException[Validation Failed: 1: index must have 1 or more primary shards;2: index must have 0 or more replica shards;]; `,
    ],
    [
      '{"settings":{"number_of_shards":1000000}}',
      `400 ${failed}ElasticsearchIllegalArgumentException[Validation Failed: 1: index must have at most 1024 primary shards (cluster.max_shards_per_index);]; `,
    ],
    [
      '{"settings":{"number_of_shards":"x"}}',
      '500 SettingsException[Failed to parse int setting [index.number_of_shards] with value [x]]; nested: NumberFormatException[For input string: "x"]; ',
    ],
    [
      '{"settings":{"number_of_shards":1.5}}',
      '500 SettingsException[Failed to parse int setting [index.number_of_shards] with value [1.5]]; nested: NumberFormatException[For input string: "1.5"]; ',
    ],
    [
      '{"settings":{"refresh_interval":"bogus"}}',
      `400 ${failed}ElasticsearchIllegalArgumentException[can't process the settings: [[index.refresh_interval] - cannot parse value [bogus] as time]]; `,
    ],
    ['{"settings":"x"}', '400 ElasticsearchParseException[[settings] must be an object]'],
    ['{"mappings":{"a":"x"}}', '400 ElasticsearchParseException[[mappings.a] must be an object]'],
    ['{"aliases":["x"]}', '400 ElasticsearchParseException[[aliases] must be an object]'],
    ['{"aliases":{"x":"y"}}', '400 ElasticsearchIllegalArgumentException[No alias is specified]'],
    ['{"aliases":{"":{}}}', '400 ElasticsearchIllegalArgumentException[alias name is required]'],
    [
      '{"aliases":{"i":{}}}',
      '400 InvalidAliasNameException[[new] Invalid alias name [i], an index exists with the same name as the alias]',
    ],
    [
      '{"aliases":{"x":{"routing":"1,2"}}}',
      '400 ElasticsearchIllegalArgumentException[alias [x] has several index routing values associated with it]',
    ],
  ])('%s', (body, expected) => {
    expect(errorOf(() => plan(body))).toBe(expected);
  });

  test.each([
    ['i', 'IndexAlreadyExistsException[[i] already exists]'],
    ['taken', 'already exists as alias'],
    ['A', 'must be lowercase'],
    ['_a', "must not start with '_'"],
    ['a#b', "must not contain '#'"],
    ['a b', 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]'],
    ['a,b', 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]'],
    ['_A#*', 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]'],
    ['_A#', "must not contain '#'"],
    ['é'.repeat(142), 'index name is too long, (284 > 255)'],
    ['.', "must not be '.' or '..'"],
    ['..', "must not be '.' or '..'"],
    ['', 'must not be empty'],
  ])('over its name %s', (name, reason) => {
    const expected =
      reason.endsWith(']') && reason.startsWith('Index')
        ? reason
        : `InvalidIndexNameException[[${name}] Invalid index name [${name}], ${reason}]`;
    expect(errorOf(() => plan('{}', name))).toBe(`400 ${expected}`);
  });

  test.each(['-a', '+a', '.a', '1', 'a:b', 'é', 'constructor', '__proto__'.slice(2)])(
    'but not over the name %s',
    (name) => {
      expect(plan('{}', name).name).toBe(name);
    },
  );

  test('is reported with the status of its cause', () => {
    const status = (cause: unknown): number => indexCreationFailed('i', cause).status;
    expect(status(new EngineError('IllegalArgumentException', 'x'))).toBe(400);
    expect(status(new EngineError('MapperParsingException', 'x'))).toBe(400);
    expect(status(new EngineError('SettingsException', 'x'))).toBe(500);
    expect(status(new TypeError('x'))).toBe(500);
  });
});

describe('a new index', () => {
  test('has the next ids, and its sections at hand', () => {
    const body =
      '{"settings":{"number_of_shards":3},"mappings":{"t":{"properties":{}}},"aliases":{"x":{"routing":"1"}},"warmers":{"w":{"source":{}}}}';
    const planned = plan(body);
    const index = newIndex(state, planned);
    expect(index.id).toBe(2);
    expect(index.shardIds).toEqual([6, 7, 8]);
    expect(index.uuid).toBe('uuid-1');
    expect([...index.aliases.keys()]).toEqual(['x']);
    expect([...planned.mappings.keys()]).toEqual(['t']);
    expect([...index.warmers.keys()]).toEqual(['w']);
  });

  test('leaves ids behind that are never given again', () => {
    const first = create(EMPTY_STATE, 'a');
    const second = create(first, 'b');
    expect(second.indices.get('b')!.id).toBe(first.nextIndexId);
    expect(second.indices.get('b')!.shardIds[0]).toBe(first.nextShardId);
    expect(second.nextShardId).toBe(11);
  });

  test('may carry an alias of its own name', () => {
    expect([...plan('{"aliases":{"new":{}}}').aliases.keys()]).toEqual(['new']);
  });
});

describe('type names', () => {
  test.each([
    ['', 'mapping type name is empty'],
    ['_x', "mapping type name [_x] can't start with '_'"],
    ['a#b', "mapping type name [a#b] should not include '#' in it"],
    ['a,b', "mapping type name [a,b] should not include ',' in it"],
  ])('%s is refused', (type, message) => {
    expect(errorOf(() => validateTypeName(type))).toBe(`400 InvalidTypeNameException[${message}]`);
  });

  test('are checked when a mapping is put', () => {
    expect(errorOf(() => validateMappingTypeName('_x'))).toBe(
      "400 InvalidTypeNameException[Document mapping type name can't start with '_']",
    );
    expect(() => validateMappingTypeName('_default_')).not.toThrow();
    expect(() => validateMappingTypeName('.x y.é')).not.toThrow();
  });
});
