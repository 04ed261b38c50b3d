import { join } from 'node:path';
import { appendAll, greatestOf, leastOf } from '../../../../engine/common/lists';

const MANY = Array.from({ length: 500_000 }, (_, i) => i);

test('lists have any length', () => {
  const list: number[] = [];
  appendAll(list, MANY);
  expect(list).toHaveLength(MANY.length);
  expect([greatestOf(MANY), leastOf(MANY)]).toEqual([499_999, 0]);
  expect([greatestOf([], 7), leastOf([], 7), greatestOf([1], 7)]).toEqual([7, 7, 7]);
});

test('lint refuses lists as arguments', async () => {
  const { Linter } = await import('eslint');
  // oxlint-disable-next-line typescript/no-require-imports
  const config = require(join(__dirname, '../../../../eslint.config.js')) as readonly {
    files?: readonly string[];
    rules?: Record<string, unknown>;
  }[];
  const own = config.find(({ files }) => files?.[0] === '{engine,server,storage}/**/*.ts');
  const rule = own?.rules?.['no-restricted-syntax'] as never;
  const problems = (code: string): number =>
    new Linter().verify(code, { rules: { 'no-restricted-syntax': rule } }).length;
  for (const code of [
    'f(...x)',
    'new F(1, ...x)',
    'f.apply(null, x)',
    'Reflect.apply(f, null, x)',
  ]) {
    expect([code, problems(code)]).toEqual([code, 1]);
  }
  for (const code of ['[...x]', 'a.apply(1, 2, 3)', 'f(x)', '({ ...x })']) {
    expect([code, problems(code)]).toEqual([code, 0]);
  }
});
