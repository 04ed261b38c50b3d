import { seenMembers } from '../../../../engine/json/members';
import { allowsField, mayAllowBelow } from '../../../../engine/metadata/field-lists';

const shown = (document: string, ...lists: string[][]): string =>
  seenMembers(Buffer.from(document), {
    whole: (path) => allowsField(lists, path),
    some: (path) => mayAllowBelow(lists, path),
  }).toString();

test.each<[string, string[][], string]>([
  // As it was written, in its order.
  ['{"a": 1.50, "b" : {"c": [1, 2]}, "d":"x"}', [['b', 'a']], '{"a":1.50,"b":{"c": [1, 2]}}'],
  ['{"a":{"b":1,"c":2},"ab":3}', [['a.b']], '{"a":{"b":1}}'],
  ['{"a":{"b":1,"c":2},"ab":3}', [['a*']], '{"a":{"b":1,"c":2},"ab":3}'],
  ['{"a":{"x":{"q":1,"r":2},"y":{"q":3}}}', [['a.*.q']], '{"a":{"x":{"q":1},"y":{"q":3}}}'],
  ['{"x":{"y":{"last":1}},"z":{"w":2}}', [['*.last']], '{"x":{"y":{"last":1}}}'],
  ['{"a.b":1,"a":{"b.c":2,"d":3}}', [['a.b']], '{"a.b":1,"a":{"b.c":2}}'],
  // Scalars beside objects are no member of them.
  [
    '{"a":["secret",{"b":1},{"c":2},["x",{"b":3}],null]}',
    [['a.b']],
    '{"a":[{"b":1},{},[{"b":3}]]}',
  ],
  ['{"a":"secret"}', [['a.b']], '{}'],
  ['{"a":[{"c":2},[]]}', [['a.b']], '{}'],
  ['{"a":1}', [[]], '{}'],
  ['{"a":1}', [], '{"a":1}'],
  // Each list has to let it through.
  [
    '{"a":1,"b":2,"c":{"d":3,"e":4}}',
    [
      ['a', 'c'],
      ['b', 'c.d'],
    ],
    '{"c":{"d":3}}',
  ],
])('of %s lists %j show %s', (document, lists, expected) => {
  expect(shown(document, ...lists)).toBe(expected);
});
