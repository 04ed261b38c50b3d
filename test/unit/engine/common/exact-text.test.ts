// Texts that tell plain data apart.

import { exactText } from '../../../../engine/common/index';

const different = (): readonly unknown[] => [
  ...[null, undefined, true, false, 0, -0, 1, 1n, NaN, Infinity, '', '1', 'null', '[1,]'],
  ...[
    [],
    [1],
    ['1'],
    [[1]],
    [1, 2],
    [12],
    {},
    { a: 1 },
    { a: undefined },
    { a: 1, b: 2 },
    { b: 1 },
  ],
  ...[new Map(), new Map([['a', 1]]), new Map([['a', [1]]]), new Set(), new Set(['a', 1])],
  ...[new Float64Array(1), new Uint32Array(1), new Float64Array([-0]), { 'a":1,"b': 2 }],
];

test('different data have different texts, equal data the same', () => {
  const texts = different().map(exactText);
  expect(new Set(texts).size).toBe(texts.length);
  expect(different().map(exactText)).toEqual(texts);
});

test('what is no plain data has none', () => {
  for (const data of [() => 1, Symbol('s'), new Date(0), new DataView(new ArrayBuffer(1))]) {
    expect(() => exactText({ data })).toThrow(TypeError);
  }
});
