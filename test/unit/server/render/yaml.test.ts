import fc from 'fast-check';
import { parse } from 'yaml';
import { toYaml } from '../../../../server/render/yaml';
import { isYaml, yamlToJson } from '../../../../server/render/yaml-body';

describe('responses', () => {
  test('are laid out as the reference does', () => {
    const text =
      '{"count":1,"_shards":{"total":1},"hits":[{"_id":"1","_score":1.0,"a":{"b":2}},{"_id":"2"}],"e":{},"l":[],"ll":[[1,2],[3]]}';
    expect(toYaml(text)).toBe(`---
count: 1
_shards:
  total: 1
hits:
- _id: "1"
  _score: 1.0
  a:
    b: 2
- _id: "2"
e: {}
l: []
ll:
- - 1
  - 2
- - 3
`);
    expect(toYaml('{}')).toBe('---\n{}\n');
    expect(toYaml('[{"a":1}]')).toBe('---\n- a: 1\n');
  });

  test('mean what the JSON means', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'small' }), (value) => {
        expect(parse(toYaml(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('request bodies', () => {
  const read = (text: string) => yamlToJson(Buffer.from(text)).toString();

  test('become JSON; numbers keep their spelling', () => {
    expect(isYaml(Buffer.from('---\na: 1\n'))).toBe(true);
    expect(isYaml(Buffer.from('{"a":1}'))).toBe(false);
    expect(read('---\na: 12345678901234567890\nb: 1.50\nc: [x, true, null, "1"]\nd: {e: }\n')).toBe(
      '{"a":12345678901234567890,"b":1.50,"c":["x",true,null,"1"],"d":{"e":null}}',
    );
  });

  test.each(['---\na: [1', '---\n? [a]\n: 1', '---\na: &x 1\nb: *x\n'])('%j is refused', (text) => {
    expect(() => read(text)).toThrow(/^Failed to parse YAML/);
  });

  test('that are damaged are refused with the place', () => {
    expect(() => read('---\na: 1\nb: [1\n')).toThrow(/at line 4, column 1$/);
  });

  test('with one more document are refused', () => {
    expect(() => read('---\na: 1\n---\nb: 1\n')).toThrow('more than one document');
  });

  test.each([
    ['brackets', '['.repeat(20_000)],
    ['brackets between quotes that close nothing', '[ "]", '.repeat(20_000)],
    ['braces', '{a: '.repeat(20_000)],
    ['dashes', '- '.repeat(20_000)],
    ['questions', '? '.repeat(20_000)],
    ['colons', ': '.repeat(20_000)],
    ['lines', Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')],
  ])('nested by %s are refused before they are gone into', (_, text) => {
    expect(() => read(`---\n${text}`)).toThrow('Failed to parse YAML: more than 200 levels');
  });

  test('may have 200 levels', () => {
    const nested = '['.repeat(200) + ']'.repeat(200);
    expect(read(`---\n${nested}`)).toBe(nested);
    expect(() => read(`---\n[[${nested}]]`)).toThrow('more than 200 levels');
    expect(read(`---\n${'- '.repeat(200)}1`)).toBe('['.repeat(200) + '1' + ']'.repeat(200));
  });

  test.each([
    ['bytes', `a: ${'x'.repeat(1024 * 1024)}`, 'more than 1048576 bytes'],
    ['tokens', '- a\n'.repeat(100_000), 'more than 100000 tokens'],
  ])('of too many %s are refused', (_, text, message) => {
    expect(() => read(`---\n${text}`)).toThrow(message);
  });

  test('with many names take linear time', () => {
    const names = Array.from({ length: 12_000 }, (_, i) => `k${i}: 1\n`).join('');
    const started = performance.now();
    expect(read(`---\n${names}`).length).toBeGreaterThan(100_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
