// Fields that documents add: types, templates, and the modes `false` and `strict`.

import { TestIndex } from './support';

const date = { type: 'date', format: 'dateOptionalTime' };

describe('detection', () => {
  test('by JSON type', () => {
    const index = new TestIndex();
    index.index(
      '{"s":"x","l":1,"big":12345678901,"f":1.5,"e":1e3,"b":true,"n":null,"none":[],"nulls":[null],"arr":[null,1],"o":{"x":"y"},"eo":{},"ao":[{"p":1},{"q":"z"}]}',
    );
    expect(index.getProperties()).toEqual({
      ao: { properties: { p: { type: 'long' }, q: { type: 'string' } } },
      arr: { type: 'long' },
      b: { type: 'boolean' },
      big: { type: 'long' },
      e: { type: 'double' },
      eo: { type: 'object' },
      f: { type: 'double' },
      l: { type: 'long' },
      o: { properties: { x: { type: 'string' } } },
      s: { type: 'string' },
    });
  });

  test.each([
    ['2014-01-01', date],
    ['2014-01-01T10:00:00Z', date],
    ['2014-W05-1', date],
    ['1-2-3', date],
    ['2014/01/01', { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd' }],
    ['2014/1/1 10:00:00', { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd' }],
    ['2014/01/01 10:00', { type: 'string' }],
    ['2014-01', { type: 'string' }],
    ['12:30:45', { type: 'string' }],
    ['2014-01-01 12:00:00', { type: 'string' }],
    ['1/2/2014', { type: 'string' }],
    ['9999-99-99', { type: 'string' }],
  ])('text %s', (text, mapping) => {
    const index = new TestIndex();
    index.index(JSON.stringify({ a: text }));
    expect(index.getProperties()).toEqual({ a: mapping });
  });

  test('date_detection off, numeric_detection on, own formats', () => {
    const index = new TestIndex({
      off: { date_detection: false },
      num: { numeric_detection: true },
      own: { dynamic_date_formats: ['dd/MM/yyyy'] },
    });
    index.index('{"a":"2014-01-01"}', 'off');
    index.index('{"a":"1","b":"1.5","c":"x","d":"9999999999999999999","e":"2014-01-01"}', 'num');
    index.index('{"a":"01/02/2014","b":"2014-01-01"}', 'own');
    expect(index.getProperties('off')).toEqual({ a: { type: 'string' } });
    expect(index.getProperties('num')).toEqual({
      a: { type: 'long' },
      b: { type: 'double' },
      c: { type: 'string' },
      d: { type: 'double' },
      e: date,
    });
    expect(index.getProperties('own')).toEqual({
      a: { type: 'date', format: 'dd/MM/yyyy' },
      b: { type: 'string' },
    });
  });

  test('the first value of an array decides, later ones have to fit', () => {
    const index = new TestIndex();
    expect(index.check('{"a":[1,"x"]}')).toBe(
      'MapperParsingException[failed to parse [a]]; nested: NumberFormatException[For input string: "x"]; ',
    );
    expect(index.check('{"b":[{"x":1},5]}')).toBe(
      'MapperParsingException[object mapping [b] trying to serialize a value with no field associated with it, current value [5]]',
    );
    expect(index.check('{"c":{"x":1},"d":[[{"y":1}],{"y":2}]}')).toBeNull();
  });

  test('a field of two documents of one batch keeps its first type', () => {
    const index = new TestIndex();
    expect(index.check('{"a":1}')).toBeNull();
    expect(index.check('{"a":"x"}')).toContain('failed to parse [a]');
    expect(index.index('{"a":2.9}')).toEqual(['a=2', '_all="2.9"']);
  });

  test('fields inside mapped nested objects merge into them', () => {
    const index = new TestIndex({ t: { properties: { n: { type: 'nested' } } } });
    index.index('{"n":[{"x":1,"o":{"y":"z"}}]}');
    expect(index.getProperties()).toEqual({
      n: {
        type: 'nested',
        properties: { o: { properties: { y: { type: 'string' } } }, x: { type: 'long' } },
      },
    });
  });

  test('new fields take over include_in_all and dynamic from the object around them', () => {
    const index = new TestIndex({
      t: {
        properties: {
          ia: { type: 'object', include_in_all: false },
          dy: { type: 'object', dynamic: true },
        },
      },
    });
    const calls = index.index('{"ia":{"q":{"y":"s"},"b":true},"dy":{"q":{"z":1}}}');
    expect(calls).not.toContain('_all="s"');
    expect(index.getProperties()).toEqual({
      dy: {
        dynamic: 'true',
        properties: { q: { dynamic: 'true', properties: { z: { type: 'long' } } } },
      },
      ia: {
        include_in_all: false,
        properties: {
          b: { type: 'boolean' },
          q: {
            include_in_all: false,
            properties: { y: { type: 'string', include_in_all: false } },
          },
        },
      },
    });
  });
});

describe('documents that are refused', () => {
  const long = { type: 'long' };
  const templates = [{ i: { match: '*_i', mapping: { type: 'integer' } } }];

  test.each([
    [
      'what comes before stays',
      '{"a":1,"o":{"x":1},"n":"bad"}',
      { a: long, o: { properties: { x: long } } },
    ],
    ['a new field goes with its first value', '{"a":1,"x_i":"bad"}', { a: long }],
    [
      'later ones do not take it along',
      '{"a":1,"x_i":[1,"bad"]}',
      { a: long, x_i: { type: 'integer' } },
    ],
    ['a new object goes as a whole', '{"a":1,"o":{"p":{"x":1},"q":{"y_i":"bad"}}}', { a: long }],
    [
      'unless an element before it has made it known',
      '{"o":[{"x":1},{"z":1,"y_i":"bad"}]}',
      { o: { properties: { x: long, z: long } } },
    ],
  ])('%s', (_, source, properties) => {
    const index = new TestIndex({
      t: { dynamic_templates: templates, properties: { n: { type: 'integer' } } },
    });
    expect(index.check(source)).toMatch(/^MapperParsingException\[failed to parse/);
    expect(index.getProperties()).toEqual({ ...properties, n: { type: 'integer' } });
  });

  test('nothing new is no change', () => {
    const index = new TestIndex({ t: { dynamic_templates: templates } });
    const before = index.metadata;
    index.check('{"o":{"x_i":"bad"}}');
    expect(index.metadata).toBe(before);
  });
});

describe('modes', () => {
  test('strict names the field and where it is, also for null and empty values', () => {
    const index = new TestIndex({
      t: { dynamic: 'strict', properties: { p: { properties: { q: { type: 'object' } } } } },
    });
    const refused = (name: string, within: string): string =>
      `StrictDynamicMappingException[mapping set to strict, dynamic introduction of [${name}] within [${within}] is not allowed]`;
    for (const value of ['1', 'null', '[]', '{}', '[{"a":1}]']) {
      expect(index.check(`{"z":${value}}`)).toBe(refused('z', 't'));
    }
    expect(index.check('{"p":{"q":{"y":1}}}')).toBe(refused('y', 'p.q'));
  });

  test('false ignores, objects may say otherwise', () => {
    const index = new TestIndex({
      t: {
        dynamic: false,
        properties: {
          on: { type: 'object', dynamic: true },
          off: { type: 'object', enabled: false },
        },
      },
    });
    expect(index.index('{"z":{"a":[1,{"b":2}]},"on":{"x":1},"off":"text"}')).toEqual([
      'on.x=1',
      '_all="1"',
    ]);
    expect(index.index('{"off":[{"any":1},2]}')).toEqual([]);
  });

  test('index.mapper.dynamic: false refuses new types', () => {
    const index = new TestIndex({ known: {} }, { 'index.mapper.dynamic': 'false' });
    expect(() => index.check('{"a":1}')).toThrow(
      '[i] type[[t, trying to auto create mapping, but dynamic mapping is disabled]] missing',
    );
    expect(index.check('{"a":1}', 'known')).toBeNull();
  });
});

describe('templates without end', () => {
  const templates = (count: number, options: object): object[] =>
    Array.from({ length: count }, (_, i) => ({
      [`t${i}`]: { match: `(a*)*b${i}`, mapping: { index: 'no' }, ...options },
    }));
  const document = (fields: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, i) => [`name_${i}`, i])));
  const tooMany = 'would be compared with more than [1000000] dynamic templates';

  test.each([
    ['wildcards', {}, 1_100, 1_000],
    ['regular expressions, by the length of names', { match_pattern: 'regex' }, 1_100, 200],
  ])('%s', (_, options, count, fields) => {
    const index = new TestIndex({ t: { dynamic_templates: templates(count, options) } });
    const before = index.metadata;
    expect(index.check(document(fields))).toContain(tooMany);
    expect(index.metadata).toBe(before);
    expect(index.check(document(20))).toBeNull();
  });
});

describe('templates', () => {
  const index = new TestIndex({
    t: {
      dynamic_templates: [
        { bad: { match: 'x_*', mapping: { type: 'zzz' } } },
        { leaf: { path_match: 'o.*.leaf', mapping: { index: 'not_analyzed' } } },
        { nested: { match: 'ob*', match_mapping_type: 'object', mapping: { type: 'nested' } } },
        { copy: { match: 'cp', mapping: { type: 'string', copy_to: '{name}_c' } } },
        {
          regex: {
            match: '^r\\d+$',
            match_pattern: 'regex',
            mapping: { type: '{dynamic_type}', store: true },
          },
        },
        {
          multi: {
            match: 'mf',
            mapping: {
              type: 'multi_field',
              fields: {
                '{name}': { type: '{dynamic_type}' },
                raw: { type: 'string', index: 'not_analyzed' },
              },
            },
          },
        },
        { dates: { match_mapping_type: 'date', mapping: { type: 'string' } } },
        { not: { match: 'nt*', unmatch: 'ntx*', mapping: { index: 'not_analyzed' } } },
        { point: { match: 'geo', mapping: { type: 'geo_point' } } },
        { cascade: { match: '*_c', mapping: { type: 'string', analyzer: 'simple' } } },
      ],
    },
  });

  test.each([
    [
      '{"o":{"p":{"leaf":"A"}}}',
      'o',
      { properties: { p: { properties: { leaf: { type: 'string', index: 'not_analyzed' } } } } },
    ],
    ['{"ob1":[{"a":1}]}', 'ob1', { type: 'nested', properties: { a: { type: 'long' } } }],
    ['{"cp":"v"}', 'cp_c', { type: 'string', analyzer: 'simple' }],
    ['{"r12":1.5}', 'r12', { type: 'double', store: true }],
    [
      '{"mf":"x"}',
      'mf',
      { type: 'string', fields: { raw: { type: 'string', index: 'not_analyzed' } } },
    ],
    ['{"dt":"2014-01-01"}', 'dt', { type: 'string' }],
    ['{"nt1":"a"}', 'nt1', { type: 'string', index: 'not_analyzed' }],
    ['{"ntx":"a"}', 'ntx', { type: 'string' }],
    ['{"geo":[1,2]}', 'geo', { type: 'geo_point' }],
  ])('%s', (source, name, mapping) => {
    expect(index.check(source)).toBeNull();
    expect(index.getProperties()).toMatchObject({ [name]: mapping });
  });

  test('an unknown type is found out when it is used', () => {
    expect(index.check('{"x_1":5}')).toBe(
      'MapperParsingException[failed to find type parsed [zzz] for [x_1]]',
    );
  });

  test('values of new nested objects and points are written once the mapping knows them', () => {
    const fresh = new TestIndex({ t: { ...(index.get() as object), properties: {} } });
    expect(fresh.index('{"ob":{"a":1},"geo":[1,2]}')).toEqual([
      '<ob>',
      'ob.a=1',
      '</>',
      'geo=2,1',
      '_all="1"',
    ]);
  });
});

test('a document is given up at the first field that there is no room for', () => {
  const index = new TestIndex({ t: { properties: { known: { type: 'long' } } } });
  // The type counts ten.
  index.limits = { fieldsPerIndex: 13, mappingDepth: 100 };
  const source = JSON.stringify({ known: 1, a: 1, b: { c: 1, d: 'no number' }, known2: 'x' });
  expect(index.check(source)).toBe(
    'MapperParsingException[limit of total fields [13] in index [i] has been exceeded (cluster.max_fields_per_index)]',
  );
  // What comes after it is not even read.
  expect(index.check('{"a":1,"b":1,"c":1,"known":{"broken":')).toContain('limit of total fields');
  expect(index.getProperties()).toEqual({ known: { type: 'long' } });
  expect(index.check('{"a":1,"b":1}')).toBeNull();
});

test('a document that is accepted is written, whatever the limits are by then', () => {
  const index = new TestIndex({ t: {} });
  index.check('{"a":1,"b":{"c":2}}');
  index.limits = { fieldsPerIndex: 1, mappingDepth: 1 };
  expect(index.index('{"a":1,"b":{"c":2}}')).toContain('a=1');
});
