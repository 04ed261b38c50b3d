import fc from 'fast-check';
import { parse } from 'yaml';
import { isYaml, toYaml, yamlToJson } from '../../../../server/render/yaml';

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
});
