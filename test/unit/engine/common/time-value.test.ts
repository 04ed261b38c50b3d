// Durations in milliseconds; which texts are refused, and with which words, as the reference server answers.

import { parseTimeValue, tryTimeValue } from '../../../../engine/common/time-value';
import { errorOf } from '../mapping/support';

test.each([
  ['500', 500],
  ['+5', 5],
  ['-1', -1],
  ['5ms', 5],
  ['5 ms', 5],
  ['1S', 1],
  ['1.5s', 1500],
  [' 1s', 1000],
  ['1 s', 1000],
  ['-5s', -5000],
  ['+5s', 5000],
  ['1e1s', 10_000],
  ['5.s', 5000],
  ['5fs', 5000],
  ['1.5m', 90_000],
  ['.5h', 1_800_000],
  ['1H', 3_600_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  ['0.0001s', 0],
  ['NaNs', 0],
  ['Infinitys', 2 ** 63],
  ['99999999999999d', 2 ** 63],
])('%j is %s ms', (text, millis) => {
  expect(parseTimeValue(text)).toBe(millis);
  expect(tryTimeValue(text)).toBe(millis);
});

test.each([
  ['', 'For input string: ""'],
  [' 5', 'For input string: " 5"'],
  ['1s ', 'For input string: "1s "'],
  ['s', 'empty String'],
  ['1.5', 'For input string: "1.5"'],
  ['1.5S', 'For input string: "1.5"'],
  ['x', 'For input string: "x"'],
  ['5M', 'For input string: "5M"'],
  ['1d2h', 'For input string: "1d2"'],
  ['0x10s', 'For input string: "0x10"'],
  ['1.5.2s', 'multiple points'],
  ['99999999999999999999', 'For input string: "99999999999999999999"'],
])('%j is refused', (text, cause) => {
  expect(errorOf(() => parseTimeValue(text))).toBe(
    `ElasticsearchParseException[Failed to parse [${text}]]; nested: NumberFormatException[${cause}]; `,
  );
  expect(tryTimeValue(text)).toBeNull();
});
