import { EntryList, memberLead } from '../../../../engine/json/entry-list';
import { Double } from '../../../../engine/json/json';
import { writeJson } from '../../../../engine/json/write';
import { Random } from '../../../support/random';

const INTEGERS = [
  0,
  -0,
  1,
  -1,
  9,
  10,
  999_999_999,
  1e9,
  -1e9,
  1_000_000_001,
  2 ** 31,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1.5,
  NaN,
  Infinity,
];
const DOUBLES = [
  ...INTEGERS,
  9_999_999,
  1e7,
  -1e7,
  12_345_678,
  123_450_000,
  1e15,
  2 ** 60,
  0.1,
  1e-3,
  9e-4,
  1.5e300,
  -Infinity,
  5e-324,
];

describe('lists of rendered entries', () => {
  it('spell numbers as JSON output does', () => {
    for (const value of INTEGERS) expect(integer(value)).toBe(`[{"n":${writeJson(value)}}]`);
    for (const value of DOUBLES)
      expect(double(value)).toBe(`[{"n":${writeJson(new Double(value))}}]`);
  });

  it('spell random numbers as JSON output does', () => {
    const random = new Random(20);
    const wrong: string[] = [];
    const compare = (entries: string, number: string): void => {
      if (entries !== `[{"n":${number}}]`) wrong.push(`${entries} for ${number}`);
    };
    for (let i = 0; i < 20_000; i++) {
      const size = 2 ** Math.floor(random.next() * 70);
      const whole = Math.trunc((random.next() - 0.5) * size);
      compare(integer(whole), writeJson(whole));
      for (const value of [whole, whole / 1024, whole * 1000])
        compare(double(value), writeJson(new Double(value)));
    }
    expect(wrong).toEqual([]);
  });

  it('grow, and know their length', () => {
    const list = new EntryList();
    const lead = memberLead('{"a":');
    const next = memberLead(',"b":');
    const expected: object[] = [];
    for (let i = 0; i < 5000; i++) {
      list.open(lead);
      list.integer(i);
      list.member(next);
      list.double(i / 7);
      list.close();
      expected.push({ a: i, b: i / 7 });
    }
    const rendered = list.rendered();
    expect(rendered.length).toBe(5000);
    expect(JSON.parse(writeJson({ all: rendered }))).toEqual({ all: expected });
    expect(writeJson(new EntryList().rendered())).toBe('[]');
  });
});

function integer(value: number): string {
  return entry((list) => list.integer(value));
}

function double(value: number): string {
  return entry((list) => list.double(value));
}

function entry(write: (list: EntryList) => void): string {
  const list = new EntryList();
  list.open(memberLead('{"n":'));
  write(list);
  list.close();
  return writeJson(list.rendered());
}
