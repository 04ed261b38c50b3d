import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readExpectedFailures,
  unexpected,
  writeExpectedFailures,
} from '../../../../../scripts/dev/conformance/expected';

const expected = new Map([['a/known', 'check 0 GET /: n: expected 1, got 2']]);

test.each([
  ['passes as it should', 'a/other', null],
  ['fails as it did', 'a/known', 'check 0 GET /: n: expected 1, got 2'],
])('a case that %s is expected', (_what, name, difference) => {
  expect(unexpected(expected, name, difference)).toBeNull();
});

test.each([
  ['fails now', 'a/other', 'check 1'],
  ['passes now', 'a/known', null],
  ['fails at another place', 'a/known', 'check 3 GET /: n: expected 1, got 2'],
  ['fails in another way', 'a/known', 'check 0 GET /: n: expected 1, got 3'],
])('a case that %s is not', (_what, name, difference) => {
  expect(unexpected(expected, name, difference)).toContain(name);
});

test('only the cases that were run are written again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facetd-expected-'));
  try {
    const file = join(folder, 'expected-failures.json');
    writeFileSync(file, '{"a/1":"x","a/2":"y","b/1":"z"}');
    writeExpectedFailures(
      file,
      new Map([
        ['a/1', null],
        ['a/2', 'other'],
        ['a/0', 'new'],
      ]),
    );
    expect([...readExpectedFailures(file)]).toEqual([
      ['a/0', 'new'],
      ['a/2', 'other'],
      ['b/1', 'z'],
    ]);
    expect(readFileSync(file, 'utf8')).toMatch(/^\{\n {2}"a\/0": "new",\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
