// range: numbers by ranges with bounds of the request (reference server).

import { numberRangesKind } from './number-ranges';

export const RANGE_AGGREGATION = numberRangesKind('range', {});
