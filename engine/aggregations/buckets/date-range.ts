// date_range: instants by ranges, whose bounds may be dates in a format and date math (reference server). A
// field of numbers or addresses has bounds of its own kind.

import { numberRangesKind } from './number-ranges';

export const DATE_RANGE_AGGREGATION = numberRangesKind('date_range', { type: 'date' });
