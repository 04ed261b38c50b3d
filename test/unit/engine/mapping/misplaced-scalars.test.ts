// Scalars where objects are mapped: the document is refused, and leaves the fields that the reference
// server's parser takes the rest of it for.

import { TestIndex } from './support';

const EOF = 'as object, but got EOF, has a concrete value been provided to it?]';

describe('a scalar where an object is mapped', () => {
  const index = new TestIndex({
    t: {
      properties: {
        o: { properties: { e: { type: 'object' } } },
        n: { type: 'nested', properties: { q: { type: 'string' } } },
        d: { properties: { d: { type: 'object' } } },
      },
    },
  });

  // Error texts and what they leave are recorded answers.
  test.each([
    ['{"o":5,"x":1}', `[t] tried to parse field [o] ${EOF}`],
    ['{"o":{"e":7,"x":1},"y":2}', `[t] tried to parse field [o] ${EOF}`],
    ['{"n":"v","z":{"w":1}}', `[t] tried to parse field [n] ${EOF}`],
    ['{"d":5}', `[d] tried to parse field [d] ${EOF}`],
    [
      '{"o":[5]}',
      'object mapping [o] trying to serialize a value with no field associated with it, current value [5]]',
    ],
  ])('%s', (source, text) => {
    expect(index.check(source)).toContain(text);
  });

  test('leaves the fields that follow as members of the object', () => {
    const long = { type: 'long' };
    expect(index.get()).toEqual({
      properties: {
        o: { properties: { e: { properties: { e: long, x: long } }, o: long, x: long, y: long } },
        n: {
          type: 'nested',
          properties: {
            q: { type: 'string' },
            n: { type: 'string' },
            z: { properties: { w: long } },
          },
        },
        d: { properties: { d: { properties: { d: long } } } },
      },
    });
  });
});
