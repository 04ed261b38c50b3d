import { equalJson, mergeDocument, parseUpdate } from '../../../../engine/documents/update-body';
import { parseJsonObject } from '../../../../engine/json/parse';
import { writeJson } from '../../../../engine/json/write';

function merge(source: string, changes: string): [string, boolean] {
  const { merged, changed } = mergeDocument(parseJsonObject(source), parseJsonObject(changes));
  return [writeJson(merged), changed];
}

test('objects are merged member by member, everything else is replaced', () => {
  expect(merge('{"a":{"b":1,"c":2},"l":[1,2]}', '{"a":{"c":3,"d":4},"l":[9]}')).toEqual([
    '{"a":{"b":1,"c":3,"d":4},"l":[9]}',
    true,
  ]);
  expect(merge('{"a":{"b":1}}', '{"a":5}')).toEqual(['{"a":5}', true]);
  expect(merge('{"a":5}', '{"a":{"b":1}}')).toEqual(['{"a":{"b":1}}', true]);
  expect(merge('{"a":1}', '{"a":null}')).toEqual(['{"a":null}', true]);
});

test('a change that is none is noticed as such', () => {
  const source = '{"a":{"b":[1,{"x":"y"}]},"n":10,"s":"t","z":null}';
  for (const same of ['{}', '{"n":10}', '{"a":{}}', '{"a":{"b":[1,{"x":"y"}]}}', '{"z":null}']) {
    expect([same, merge(source, same)]).toEqual([same, [source, false]]);
  }
  for (const other of ['{"n":11}', '{"n":"10"}', '{"n":10.0}', '{"a":{"b":[1]}}', '{"new":null}']) {
    expect([other, merge(source, other)[1]]).toEqual([other, true]);
  }
});

test('names that objects have by nature are names like others', () => {
  expect(merge('{"__proto__":{"a":1}}', '{"__proto__":{"b":2},"constructor":3}')).toEqual([
    '{"__proto__":{"a":1,"b":2},"constructor":3}',
    true,
  ]);
});

test('neither argument is modified', () => {
  const source = parseJsonObject('{"a":{"b":1}}');
  const changes = parseJsonObject('{"a":{"c":2}}');
  mergeDocument(source, changes);
  expect([writeJson(source), writeJson(changes)]).toEqual(['{"a":{"b":1}}', '{"a":{"c":2}}']);
});

test('large integers are compared with all their digits', () => {
  const [a, b] = ['{"n":9007199254740993}', '{"n":9007199254740992}'].map((text) =>
    parseJsonObject(text).get('n'),
  );
  expect(equalJson(a!, b!)).toBe(false);
  expect(equalJson(a!, a!)).toBe(true);
});

test.each([
  ['1.0', '1.00', true],
  ['1.0', '10e-1', true],
  ['1', '1.0', false],
  ['-0', '0', true],
  ['12345678901234567890123', '12345678901234567890124', false],
])('%s and %s are the same number: %s', (a, b, same) => {
  const [x, y] = [a, b].map((n) => parseJsonObject(`{"n":${n}}`).get('n'));
  expect(equalJson(x!, y!)).toBe(same);
});

test.each([
  ['true', true],
  ['"true"', true],
  ['1', true],
  ['"no"', false],
  ['0', false],
  ['null', false],
])('a flag may be %s', (value, expected) => {
  const plan = parseUpdate(parseJsonObject(`{"doc":{},"detect_noop":${value}}`));
  expect(plan.detectNoop).toBe(expected);
});

test('the order of members does not matter, that of list elements does', () => {
  const value = (text: string) => parseJsonObject(`{"v":${text}}`).get('v')!;
  expect(equalJson(value('{"a":1,"b":2}'), value('{"b":2,"a":1}'))).toBe(true);
  expect(equalJson(value('[1,2]'), value('[2,1]'))).toBe(false);
});

test('doc_as_upsert makes the document of doc', () => {
  const { doc, upsert, detectNoop } = parseUpdate(
    parseJsonObject('{"doc":{"a":1},"doc_as_upsert":true,"detect_noop":true,"unknown":1}'),
  );
  expect(upsert).toBe(doc);
  expect(detectNoop).toBe(true);
});
