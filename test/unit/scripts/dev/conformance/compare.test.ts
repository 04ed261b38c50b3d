import { parseJson } from '../../../../../engine/json/parse';
import type { Answer } from '../../../../../scripts/dev/conformance/cases';
import { compareAnswers } from '../../../../../scripts/dev/conformance/compare';

function json(text: string, status = 200): Answer {
  return { status, type: 'application/json', body: parseJson(text), text };
}

function differ(expected: string, got: string, ignore: string[] = []): string | null {
  return compareAnswers(json(expected), json(got), ignore, false);
}

test.each([
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"score":0.1234567}', '{"score":0.12345671}'],
  ['{"took":3}', '{"took":99}'],
  [
    '{"error":"IndexMissingException[[a] missing]"}',
    '{"error":"IndexMissingException[other text]"}',
  ],
  [
    // Two shards and one.
    '{"error":"SearchPhaseExecutionException[{[a][0]: ParseException[x]}{[a][1]: ParseException[x]}]"}',
    '{"error":"SearchPhaseExecutionException[{[a][0]: ParseException[y]}]"}',
  ],
  [
    '{"hits":{"hits":[{"_id":"1","_score":1.0},{"_id":"2","_score":1.0}]}}',
    '{"hits":{"hits":[{"_id":"2","_score":1.0},{"_id":"1","_score":1.0}]}}',
  ],
])('%s equals %s', (expected, got) => {
  expect(differ(expected, got)).toBeNull();
});

test.each([
  ['{"a":1}', '{"a":1.0}'],
  ['{"a":1}', '{"a":1,"b":2}'],
  ['{"a":1,"b":2}', '{"a":1}'],
  ['{"n":9007199254740993}', '{"n":9007199254740992}'],
  ['{"_source":{"took":3}}', '{"_source":{"took":99}}'],
  ['{"error":"IndexMissingException[x]"}', '{"error":"IndexClosedException[x]"}'],
  [
    '{"error":"MapperParsingException[x]; nested: NumberFormatException[y]; "}',
    '{"error":"MapperParsingException[x]; nested: IllegalArgumentException[y]; "}',
  ],
  [
    '{"error":"MapperParsingException[x]; nested: NumberFormatException[y]; "}',
    '{"error":"MapperParsingException[x]"}',
  ],
  ['[1,2]', '[2,1]'],
  [
    '{"hits":{"hits":[{"_id":"1","_score":2.0},{"_id":"2","_score":1.0}]}}',
    '{"hits":{"hits":[{"_id":"2","_score":2.0},{"_id":"1","_score":1.0}]}}',
  ],
])('%s differs from %s', (expected, got) => {
  expect(differ(expected, got)).not.toBeNull();
});

test('ignored paths are not compared, nor what lies below them', () => {
  expect(differ('{"a":{"b":[{"c":1}]}}', '{"a":{"b":[{"c":2}]}}', ['a.b.c'])).toBeNull();
  expect(differ('{"a":{"x":1}}', '{"a":{"x":2,"y":3}}', ['a.*'])).toBeNull();
});

test('a status that differs is told first', () => {
  expect(compareAnswers(json('{}', 200), json('{}', 404), [], false)).toMatch(/^status/);
  expect(compareAnswers(json('{"a":1}'), json('{"a":2}'), [], true)).toBeNull();
});

test('what differs is told in the same words each time', () => {
  const answer = (took: number, id: string) => json(`{"took":${took},"node":"${id}"}`);
  const [a, b] = [answer(3, 'AAAAAAAAAAAAAAAAAAAA_1'), answer(1234, 'b-2XXXXXXXXXXXXXXXXXXX')].map(
    (got) => compareAnswers(json('{}', 404), got, [], false),
  );
  expect(a).toBe(b);
  expect(a).toContain('"took":0,"node":"<id>"');
});
