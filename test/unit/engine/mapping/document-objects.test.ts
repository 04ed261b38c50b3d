// Values that reach several documents or fields: `_all`, nested objects, `copy_to`.

import { TestIndex } from './support';

const string = { type: 'string' };
const whole = { type: 'string', index: 'not_analyzed' };

function only(calls: string[], ...names: string[]): string[] {
  return calls.filter((call) => names.some((name) => call.startsWith(`${name}=`)));
}

describe('_all', () => {
  test('texts in document order, without booleans, unindexed fields and numbers of dates', () => {
    const index = new TestIndex({
      t: {
        properties: {
          a: { ...string, copy_to: 'c', fields: { raw: whole } },
          c: string,
          out: { ...string, include_in_all: false },
          o: {
            include_in_all: false,
            properties: { x: string, y: { ...string, include_in_all: true } },
          },
          n: { type: 'integer', null_value: 7 },
          d: { type: 'date' },
          bo: { type: 'boolean' },
          ip: { type: 'ip' },
          no: { ...string, index: 'no' },
          boosted: { ...string, boost: 3 },
        },
      },
    });
    const calls = index.index(
      '{"a":"A","out":"O","o":{"x":"X","y":"Y"},"n":[1.50,null],"d":["2014-01-01",5],"bo":true,"ip":"1.2.3.4","no":"N","boosted":"B"}',
    );
    expect(only(calls, '_all')).toEqual([
      '_all="A"',
      '_all="Y"',
      '_all="1.50"',
      '_all="7"',
      '_all="2014-01-01"',
      '_all="1.2.3.4"',
      '_all="B"^3',
    ]);
  });

  test('disabled per type', () => {
    const index = new TestIndex({ t: { _all: { enabled: false } } });
    expect(only(index.index('{"a":"x"}'), '_all')).toEqual([]);
  });

  test('holds the texts of nested objects, in the root', () => {
    const index = new TestIndex({
      t: { properties: { n: { type: 'nested', properties: { x: string } } } },
    });
    expect(index.index('{"n":[{"x":"a"},{"x":"b"}],"r":"c"}')).toEqual([
      '<n>',
      'n.x="a"',
      '</>',
      '<n>',
      'n.x="b"',
      '</>',
      'r="c"',
      '_all="a"',
      '_all="b"',
      '_all="c"',
    ]);
  });
});

describe('nested objects', () => {
  const quiet = { _all: { enabled: false } };

  test('brackets nest; objects inside are flattened', () => {
    const index = new TestIndex({
      t: {
        ...quiet,
        properties: {
          a: {
            type: 'nested',
            properties: { x: string, o: { properties: { p: string } }, b: { type: 'nested' } },
          },
        },
      },
    });
    expect(index.index('{"a":{"x":"1","b":[{"y":2}],"o":{"p":"3"}},"z":4}')).toEqual([
      '<a>',
      'a.x="1"',
      '<a.b>',
      'a.b.y=2',
      '</>',
      'a.o.p="3"',
      '</>',
      'z=4',
    ]);
  });

  test('include_in_parent and include_in_root copy after the object', () => {
    const inner = { type: 'nested', include_in_root: true, properties: { y: string } };
    const index = new TestIndex({
      t: {
        ...quiet,
        properties: {
          a: { type: 'nested', include_in_parent: true, properties: { x: string, b: inner } },
        },
      },
    });
    expect(index.index('{"a":{"b":{"y":"Y"},"x":"X"}}')).toEqual([
      '<a>',
      '<a.b>',
      'a.b.y="Y"',
      '</>',
      'a.x="X"',
      '</>',
      'a.x="X"',
      'a.b.y="Y"',
    ]);
  });

  test('both flags copy to the root once', () => {
    const index = new TestIndex({
      t: {
        ...quiet,
        properties: {
          a: {
            type: 'nested',
            include_in_parent: true,
            include_in_root: true,
            properties: { x: string },
          },
        },
      },
    });
    expect(index.index('{"a":{"x":"X"}}')).toEqual(['<a>', 'a.x="X"', '</>', 'a.x="X"']);
  });
});

describe('copy_to', () => {
  const quiet = { _all: { enabled: false } };

  test('reaches existing fields with their sub-fields, does not chain, and creates fields', () => {
    const index = new TestIndex({
      t: {
        ...quiet,
        properties: {
          a: { ...string, copy_to: ['c', 'o.p', 'fresh', 'n'] },
          c: { ...string, copy_to: 'chain', fields: { raw: whole } },
          o: { type: 'object' },
          n: { type: 'integer' },
        },
      },
    });
    expect(index.index('{"a":"5"}')).toEqual([
      'a="5"',
      'c="5"',
      'c.raw="5"',
      'o.p="5"',
      'fresh="5"',
      'n=5',
    ]);
    expect(index.getProperties()).toMatchObject({
      fresh: { type: 'string' },
      o: { properties: { p: { type: 'string' } } },
    });
  });

  test('an unknown object is an error', () => {
    const index = new TestIndex({ t: { properties: { a: { ...string, copy_to: 'q.x' } } } });
    expect(index.check('{"a":"x"}')).toBe(
      'MapperParsingException[attempt to copy value to non-existing object [q.x]]',
    );
  });

  test('inside nested objects: targets below stay there, others wait for the root', () => {
    const index = new TestIndex({
      t: {
        ...quiet,
        properties: {
          n: {
            type: 'nested',
            properties: { y: { ...string, copy_to: ['c', 'n.z'] }, z: string },
          },
          c: string,
        },
      },
    });
    expect(index.index('{"n":[{"y":"1"},{"y":"2"}]}')).toEqual([
      '<n>',
      'n.y="1"',
      'n.z="1"',
      '</>',
      'c="1"',
      '<n>',
      'n.y="2"',
      'n.z="2"',
      '</>',
      'c="2"',
    ]);
  });
});
