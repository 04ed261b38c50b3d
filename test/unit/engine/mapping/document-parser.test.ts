// What documents hand to the sink: values, metadata and names. Copies of values are in
// document-objects.test.ts.

import { ENVELOPE, RecordingSink, TestIndex } from './support';

const string = { type: 'string' };
const whole = { type: 'string', index: 'not_analyzed' };

describe('values', () => {
  test('arrays, nested arrays, null and empty arrays', () => {
    const index = new TestIndex({ t: { _all: { enabled: false }, properties: { a: string } } });
    expect(index.index('{"a":["x",[["y"]],null,[],"z"]}')).toEqual(['a="x"', 'a="y"', 'a="z"']);
    expect(index.index('{"a":[]}')).toEqual([]);
    expect(index.index('{"a":null}')).toEqual([]);
  });

  test('strings keep the spelling of numbers, longs all their digits', () => {
    const index = new TestIndex({
      t: { _all: { enabled: false }, properties: { s: whole, l: { type: 'long' } } },
    });
    expect(index.index('{"s":[1.50,7e0,true],"l":[9223372036854775807,-5,"12"]}')).toEqual([
      's="1.50"',
      's="7e0"',
      's="true"',
      'l=9223372036854775807n',
      'l=-5',
      'l=12',
    ]);
  });

  test('one element of an array may be dropped by ignore_malformed', () => {
    const index = new TestIndex({
      t: {
        _all: { enabled: false },
        properties: {
          n: { type: 'integer', ignore_malformed: true },
          d: { type: 'date', ignore_malformed: true },
          ip: { type: 'ip', ignore_malformed: true },
        },
      },
    });
    const source = '{"n":[4,"x",{"a":{"b":[1]}},5],"d":["x",7],"ip":["x","1.2.3.4",{"a":1}]}';
    expect(index.index(source)).toEqual(['n=4', 'n=5', 'd=7', 'ip=16909060']);
  });

  test('index-wide ignore_malformed and coerce', () => {
    const settings = { 'index.mapping.ignore_malformed': 'true', 'index.mapping.coerce': 'false' };
    const index = new TestIndex(
      { t: { _all: { enabled: false }, properties: { n: { type: 'integer' } } } },
      settings,
    );
    expect(index.index('{"n":["5",6,"x"]}')).toEqual(['n=6']);
  });

  test('null_value in field and sub-field; ignore_above; value and boost', () => {
    const index = new TestIndex({
      t: {
        _all: { enabled: false },
        properties: {
          a: { ...string, null_value: 'none', fields: { raw: { ...whole, null_value: 'rn' } } },
          n: { type: 'integer', null_value: -1 },
          c: { ...whole, ignore_above: 3 },
          b: { ...string, boost: 2 },
        },
      },
    });
    expect(
      index.index(
        '{"a":null,"n":[null,1,""],"c":["abc","abcd"],"b":[{"value":"v","boost":3},"w"]}',
      ),
    ).toEqual(['a="none"', 'a.raw="rn"', 'n=-1', 'n=1', 'n=-1', 'c="abc"', 'b="v"^6', 'b="w"^2']);
  });

  test('stored fields that are not indexed are present, others leave no trace', () => {
    const index = new TestIndex({
      t: {
        properties: {
          kept: { ...string, index: 'no', store: true },
          gone: { ...string, index: 'no' },
          bytes: { type: 'binary' },
          stored: { type: 'binary', store: true },
        },
      },
    });
    expect(index.index('{"kept":"x","gone":"y","bytes":"AAAA","stored":"AAAA"}')).toEqual([
      'kept=present',
      'stored=present',
    ]);
  });

  test.each([
    ['double', '-0', '0'],
    ['double', '-0.0', '0'],
    ['float', '-0', '0'],
    ['long', '"١٢"', '12'],
    ['integer', '"𝟗"', '9'],
    ['long', '9223372036854775807.5', '9223372036854775807n'],
  ])('%s %s', (type, value, stored) => {
    const index = new TestIndex({ t: { _all: { enabled: false }, properties: { n: { type } } } });
    expect(index.index(`{"n":${value}}`)).toEqual([`n=${stored}`]);
  });

  test('an integer has no negative zero, a decimal has', () => {
    const signs: boolean[] = [];
    const sink = new RecordingSink();
    sink.number = (_field, value) => void signs.push(Object.is(value, -0));
    const properties = { d: { type: 'double' } };
    const index = new TestIndex({ t: { _all: { enabled: false }, properties } });
    const mapper = index.compile().documentMapper('t')!;
    for (const value of ['-0', '-0.0']) mapper.parse(Buffer.from(`{"d":${value}}`), ENVELOPE, sink);
    expect(signs).toEqual([false, true]);
  });

  test('without coercion a date takes no fractions of milliseconds', () => {
    const of = (options: object) =>
      new TestIndex({ t: { properties: { d: { type: 'date', coerce: false, ...options } } } });
    expect(of({}).check('{"d":1.5}')).toBe(
      'MapperParsingException[failed to parse [d]]; nested: IllegalArgumentException[1.5 cannot be converted to Long without data loss]; ',
    );
    expect(of({}).index('{"d":2.0}')).toEqual(['d=2']);
    expect(of({ ignore_malformed: true }).index('{"d":1.5}')).toEqual([]);
  });

  test('a value that does not fit is told before a boost that cannot be kept', () => {
    const index = new TestIndex({ t: { properties: { f: { type: 'float' } } } });
    expect(index.check('{"f":{"value":"a","boost":2}}')).toMatch(/NumberFormatException/);
    expect(index.check('{"f":{"value":1,"boost":2}}')).toMatch(
      /You cannot set an index-time boost/,
    );
  });

  test('without coercion empty text is still no value', () => {
    const properties = { n: { type: 'long', coerce: false } };
    const index = new TestIndex({ t: { properties } });
    expect(index.check('{"n":""}')).toBeNull();
    expect(index.check('{"n":1e400}')).toMatch(/nested: JsonParseException/);
  });

  test('a boolean takes numbers of 32 bits', () => {
    const index = new TestIndex({ t: { properties: { b: { type: 'boolean' } } } });
    expect(index.index('{"b":[2147483647,0.5,"0.0"]}')).toEqual(['b="T"', 'b="F"', 'b="T"']);
    expect(index.check('{"b":2147483648}')).toMatch(/nested: JsonParseException/);
  });

  test('dates in seconds end where 64 bits end', () => {
    const properties = { d: { type: 'date', numeric_resolution: 'seconds' } };
    const index = new TestIndex({ t: { _all: { enabled: false }, properties } });
    expect(index.index('{"d":[1,9223372036854775807]}')).toEqual([
      'd=1000',
      'd=9223372036854775807n',
    ]);
  });

  test('a scalar for a strict object is an unknown member first', () => {
    const properties = { o: { dynamic: 'strict', properties: { a: string } } };
    const index = new TestIndex({ t: { properties } });
    expect(index.check('{"o":1}')).toBe(
      'StrictDynamicMappingException[mapping set to strict, dynamic introduction of [o] within [o] is not allowed]',
    );
  });

  test('a term that is too long refuses the document with 500', () => {
    const index = new TestIndex({ t: { properties: { k: whole } } });
    expect(index.check(JSON.stringify({ k: 'é'.repeat(16383) }))).toBeNull();
    const error = index.check(JSON.stringify({ k: 'é'.repeat(16384) }));
    expect(error).toMatch(
      /^IllegalArgumentException\[Document contains at least one immense term in field="k" .*\[-61, -87, .*got 32768\]; nested: MaxBytesLengthExceededException\[bytes can be at most 32766 in length; got 32768\]; $/,
    );
  });

  test('geo points: value, coordinates, geohash, sub-fields', () => {
    const index = new TestIndex({
      t: {
        properties: {
          g: {
            type: 'geo_point',
            lat_lon: true,
            geohash_prefix: true,
            geohash_precision: 3,
            fields: { h: whole },
          },
        },
      },
    });
    expect(index.index('{"g":{"lat":52.5,"lon":13.4}}')).toEqual([
      'g=52.5,13.4',
      'g.lat=52.5',
      'g.lon=13.4',
      'g.geohash="u33"',
      'g.geohash="u3"',
      'g.geohash="u"',
      'g.h="u33d8vmddtk4"',
    ]);
  });

  test('token counts are positions', () => {
    const index = new TestIndex({
      t: {
        _all: { enabled: false },
        properties: {
          a: { ...string, fields: { n: { type: 'token_count', analyzer: 'stop' } } },
        },
      },
    });
    expect(index.index('{"a":"a quick of brown"}')).toEqual(['a="a quick of brown"', 'a.n=4']);
  });
});

describe('metadata', () => {
  function calls(index: TestIndex, type: string, envelope: object): string[] {
    const sink = new RecordingSink();
    const full = {
      id: '7',
      routing: null,
      parent: null,
      timestamp: null,
      expiry: null,
      ...envelope,
    };
    index.compile().documentMapper(type)!.parse(Buffer.from('{"_id":"7"}'), full, sink);
    return sink.calls;
  }

  test('by default the uid, the type and the routing', () => {
    const index = new TestIndex({ t: {} });
    const envelope = { routing: 'r', parent: 'p', timestamp: 5, expiry: 9 };
    expect(calls(index, 't', envelope)).toEqual(['_uid="t#7"', '_type="t"', '_routing="r"']);
  });

  test('what the type enables', () => {
    const on = { enabled: true };
    const index = new TestIndex({
      t: { _parent: { type: 'p' }, _timestamp: on, _ttl: on, _size: on, _index: on },
    });
    const envelope = { routing: 'r', parent: '3', timestamp: 5, expiry: 9 };
    expect(calls(index, 't', envelope)).toEqual([
      '_uid="t#7"',
      '_type="t"',
      '_routing="r"',
      '_parent="p#3"',
      '_timestamp=5',
      '_ttl=9',
      '_size=11',
      '_index="i"',
    ]);
  });

  test('a document boost multiplies into every text', () => {
    const index = new TestIndex({ t: { properties: { a: string } } });
    expect(index.index('{"a":"x","_boost":2}')).toEqual(['a="x"^2', '_all="x"^2']);
    const renamed = new TestIndex({ t: { _boost: { name: 'w' }, properties: { a: string } } });
    expect(renamed.index('{"w":"3","a":"x"}')).toEqual(['a="x"^3', '_all="x"^3']);
  });
});

describe('index names', () => {
  test('index_name, just_name for objects and for sub-fields', () => {
    const index = new TestIndex({
      t: {
        _all: { enabled: false },
        properties: {
          o: { path: 'just_name', properties: { first: { ...string, fields: { raw: whole } } } },
          a: { ...string, index_name: 'renamed' },
          m: { ...string, path: 'just_name', fields: { bare: whole } },
        },
      },
    });
    expect(index.index('{"o":{"first":"x"},"a":"y","m":"z"}')).toEqual([
      'first="x"',
      'o.first.raw="x"',
      'renamed="y"',
      'm="z"',
      'bare="z"',
    ]);
  });
});

describe('hostile documents', () => {
  test('names of built-in properties are data', () => {
    const index = new TestIndex();
    expect(
      index.index(
        '{"__proto__":{"constructor":"a"},"toString":"b","hasOwnProperty":["c"]}',
        '__proto__',
      ),
    ).toEqual([
      '__proto__.constructor="a"',
      'toString="b"',
      'hasOwnProperty="c"',
      '_all="a"',
      '_all="b"',
      '_all="c"',
    ]);
    const mapping = index.compile();
    expect(mapping.types).toEqual(['__proto__']);
    expect(mapping.find('__proto__.constructor', [])?.mapped.type).toBe('string');
    expect(mapping.find('constructor', ['__proto__'])?.mapped.path).toBe('__proto__.constructor');
    expect(mapping.find('valueOf', [])).toBeNull();
    expect([...index.metadata.fields.keys()]).toContain('toString\u0000string');
  });

  test('depth is limited, and limited depth is fine', () => {
    const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    const index = new TestIndex();
    expect(index.check(deep(250))).toBeNull();
    expect(index.check(deep(251))).toMatch(
      /^MapperParsingException\[failed to parse\]; nested: JsonParseException\[/,
    );
    expect(index.check(`{"x":${'['.repeat(249)}1${']'.repeat(249)}}`)).toBeNull();
  });

  test('bytes that are no UTF-8', () => {
    const index = new TestIndex({ t: {} });
    const { error } = index
      .compile()
      .documentMapper('t')!
      .parse(
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        { id: '1', routing: null, parent: null, timestamp: null, expiry: null },
        new RecordingSink(),
      );
    expect(error?.wireName).toBe('MapperParsingException');
  });

  test('a value with an unknown shape after a failure keeps the fields seen before it', () => {
    const index = new TestIndex({ t: { properties: { n: { type: 'integer' } } } });
    expect(index.check('{"before":"x","n":"bad","after":1}')).toContain('failed to parse [n]');
    expect(index.getProperties()).toEqual({ before: { type: 'string' }, n: { type: 'integer' } });
  });
});

test('integers of a million digits', () => {
  const index = new TestIndex({
    t: { properties: { l: { type: 'long' }, d: { type: 'double' } } },
  });
  const digits = '9'.repeat(1_000_000);
  expect(index.check(`{"l":${digits}}`)).toContain('out of range of long');
  expect(index.check(`{"fresh":${digits}}`)).toContain('[BIG_INTEGER]');
  expect(index.check(`{"d":${digits}}`)).toBeNull();
});
