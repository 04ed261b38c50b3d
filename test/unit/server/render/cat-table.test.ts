import { Params } from '../../../../server/request/params';
import { catHelp, catTable, type CatColumn } from '../../../../server/render/cat-table';
import { bytesText, clockTime, humanBytes } from '../../../../server/render/units';

const COLUMNS: readonly CatColumn[] = [
  { name: 'alias', aliases: ['a'], documentation: 'alias name' },
  { name: 'count', aliases: ['c', 'dc'], documentation: 'documents', isNumeric: true },
  { name: 'size', aliases: [], documentation: 'all', isNumeric: true },
  { name: 'pri.size', aliases: [], documentation: 'primaries', isNumeric: true },
  { name: 'id', aliases: [], documentation: 'hidden', isHidden: true },
];
const ROWS = [
  ['b-al', '7', '1kb', '1kb', 'x'],
  ['z', '12', null, null, 'y'],
];
function table(query: Record<string, string>): string {
  const answer = catTable(new Params(new Map(Object.entries(query))), COLUMNS, ROWS);
  if (answer.kind === 'text') return answer.text;
  return JSON.stringify(
    answer.kind === 'json' &&
      (answer.body as Map<string, string>[]).map((row) => Object.fromEntries(row)),
  );
}

test('pads every column and ends lines with a blank, without a header', () => {
  expect(table({})).toBe('b-al  7 1kb 1kb \nz    12         \n');
});

test('headers count for the width and stand like their column', () => {
  expect(table({ v: '' })).toBe(
    'alias count size pri.size \nb-al      7  1kb      1kb \nz        12               \n',
  );
});

test('columns are chosen by name or alias, shown as typed, unknown ones skipped', () => {
  expect(table({ v: 'true', h: 'dc,bogus,a,id' })).toBe('dc a    id \n 7 b-al x  \n12 z    y  \n');
});

test('without any known column every row is an empty line', () => {
  expect(table({ h: 'bogus' })).toBe('\n\n');
});

test('pri adds the twin of a chosen column', () => {
  expect(table({ v: '', pri: '', h: 'a,size' })).toBe(
    'a    size pri.size \nb-al  1kb      1kb \nz                  \n',
  );
});

test('format=json gives objects of strings', () => {
  expect(table({ format: 'json', h: 'a,size' })).toBe(
    '[{"a":"b-al","size":"1kb"},{"a":"z","size":null}]',
  );
});

test('help is padded and has no data', () => {
  expect(catHelp(COLUMNS.slice(0, 2))).toMatchObject({
    text: 'alias | a    | alias name\ncount | c,dc | documents \n',
  });
});

test.each([
  [0, '0b'],
  [115, '115b'],
  [1024, '1kb'],
  [2480, '2.4kb'],
  [1048576, '1mb'],
  [5637144576, '5.2gb'],
])('%d bytes are %s', (bytes, expected) => {
  expect(humanBytes(bytes)).toBe(expected);
});

test('bytes chooses the unit', () => {
  expect(bytesText(2480, 'b')).toBe('2480');
  expect(bytesText(2480, 'k')).toBe('2');
  expect(bytesText(2480, undefined)).toBe('2.4kb');
});

test('clock times are UTC', () => {
  expect(clockTime(Date.UTC(2014, 0, 1, 9, 5, 52))).toBe('09:05:52');
});
