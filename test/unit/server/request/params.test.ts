import { EngineError } from '../../../../engine/index';
import { indicesOptions, SEARCH_OPTIONS } from '../../../../server/request/indices-options';
import { Params } from '../../../../server/request/params';

function params(values: Record<string, string>): Params {
  return new Params(new Map(Object.entries(values)));
}
function wireText(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return `${error.status} ${error.toWireString()}`;
    throw error;
  }
  return 'nothing thrown';
}

test.each([
  ['false', false, false],
  ['0', false, false],
  ['off', false, false],
  ['no', false, true],
  ['', true, true],
  ['true', true, true],
  ['bogus', true, true],
])('the boolean %j is %p ordinarily and %p in the indices options', (text, ordinary, lenient) => {
  expect(params({ x: text }).flag('x')).toBe(ordinary);
  expect(params({ x: text }).lenientFlag('x', false)).toBe(lenient);
});

test('missing booleans take the default', () => {
  expect(params({}).flag('x', true)).toBe(true);
  expect(params({}).lenientFlag('x', true)).toBe(true);
});

test.each([
  ['10', 10],
  ['-1', -1],
  ['+7', 7],
  ['2147483647', 2147483647],
])('int %s', (text, value) => {
  expect(params({ size: text }).int('size')).toBe(value);
});

test.each(['abc', '99999999999', '1.5', ''])(
  'int %j is refused in the reference’s words',
  (text) => {
    expect(wireText(() => params({ size: text }).int('size'))).toBe(
      `400 ElasticsearchIllegalArgumentException[Failed to parse int parameter [size] with value [${text}]]; ` +
        `nested: NumberFormatException[For input string: "${text}"]; `,
    );
  },
);

test('lists drop empty parts', () => {
  expect(params({ index: ',a,,b,' }).list('index')).toEqual(['a', 'b']);
  expect(params({}).list('index')).toEqual([]);
});

test('naming an expansion replaces the default one', () => {
  const of = (text: string) => indicesOptions(params({ expand_wildcards: text }), SEARCH_OPTIONS);
  expect(of('closed')).toMatchObject({ expandOpen: false, expandClosed: true });
  expect(of('open,closed')).toMatchObject({ expandOpen: true, expandClosed: true });
  expect(of('open,none')).toMatchObject({ expandOpen: false, expandClosed: false });
  expect(of('all')).toMatchObject({ expandOpen: true, expandClosed: true, forbidClosed: true });
  expect(wireText(() => of('bogus'))).toBe(
    '400 ElasticsearchIllegalArgumentException[No valid expand wildcard value [bogus]]',
  );
});
