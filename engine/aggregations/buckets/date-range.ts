// date_range: instants by ranges, whose bounds may be dates in a format and date math (reference server).

import { readsOfValues } from '../contract/values';
import { javaText, JsonNumber, type JsonValue } from '../../json/index';
import { DEFAULT_DATE_FORMAT, instantOf } from '../../mapping/index';
import { numbersOf } from '../contract/open-values';
import type { ValueFormat } from '../contract/value-format';
import { leadOfRanges, type NumberRangesSpec, parseRanges } from './range';
import { rangesKind } from './ranges';

export const DATE_RANGE_AGGREGATION = rangesKind<NumberRangesSpec>('date_range', {
  parse: (name, body, context) => {
    const { now } = context.search.services;
    const { values, ranges, keyed } = parseRanges(name, body, context, (range, source) => {
      const { pattern } = dateFormatOf(source.format);
      const bound = (value: JsonValue, open: number): number => {
        if (value === null) return open;
        return value instanceof JsonNumber ? value.value : instantOf(javaText(value), pattern, now);
      };
      return { key: range.key, from: bound(range.from, -Infinity), to: bound(range.to, Infinity) };
    });
    return { values, ranges, keyed, format: dateFormatOf(values.format), showsTexts: true };
  },
  numbers: ({ values }, scoresOf) => numbersOf(values, scoresOf),
  lead: leadOfRanges,
  reads: readsOfValues,
});

function dateFormatOf(format: ValueFormat): Extract<ValueFormat, { kind: 'date' }> {
  if (format.kind === 'date') return format;
  const pattern = format.kind === 'number' ? format.pattern : DEFAULT_DATE_FORMAT;
  return { kind: 'date', pattern };
}
