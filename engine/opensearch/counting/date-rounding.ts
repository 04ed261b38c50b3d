// Rounding of instants where the documents are: facetd's own rounding (engine/counting/date-rounding.ts) in
// Painless, so that no instant has to be sent.

import type { DateRoundingSpec } from '../../counting/index';
import { parameters } from './count-context';

/** Functions for a script: `roundDate(value, params.rounding)`, both ways in epoch milliseconds. */
export const ROUND_DATE = `
long shiftAt(ZoneId zone, long instant) {
  return zone.getRules().getOffset(Instant.ofEpochMilli(instant)).getTotalSeconds() * 1000L;
}
long toUtc(ZoneId zone, long local) {
  long estimate = shiftAt(zone, local);
  long shift = shiftAt(zone, local - estimate);
  if (shift != estimate && estimate < 0 && shiftAt(zone, local - shift) != shift) return local - estimate;
  return local - shift;
}
long floorTo(long value, long width) {
  long quotient = value / width;
  if (value < 0 && value % width != 0) quotient--;
  return quotient * width;
}
long startOf(long local, String unit, long length) {
  if (unit == null) return floorTo(local, length);
  LocalDate day = LocalDate.ofEpochDay(floorTo(local, 86400000L) / 86400000L);
  if (unit == 'week') day = day.minusDays(day.getDayOfWeek().getValue() - 1L);
  else if (unit == 'month') day = day.withDayOfMonth(1);
  else if (unit == 'year') day = day.withDayOfYear(1);
  else day = LocalDate.of(day.getYear(), day.getMonthValue() - (day.getMonthValue() - 1) % 3, 1);
  return day.toEpochDay() * 86400000L;
}
long roundDate(double value, Map r) {
  long scaled;
  if (r.factor == null) scaled = (long) value;
  else {
    float factor = (float) (double) r.factor;
    float single = (float) value;
    scaled = (long) (factor * single);
  }
  long instant = scaled + (long) r.preOffset;
  String unit = r.unit;
  long length = (long) r.length;
  long key;
  if (r.preZone == null) key = startOf(instant, unit, length);
  else {
    ZoneId zone = ZoneId.of((String) r.preZone);
    long shift = shiftAt(zone, instant);
    long local = startOf(instant + shift, unit, length);
    if (r.isLarge && !r.adjusts) key = local;
    else if (r.isLarge || r.isFixed) key = toUtc(zone, local);
    else key = local - shift;
  }
  if (r.postZone != null) key += shiftAt(ZoneId.of((String) r.postZone), key);
  return key + (long) r.postOffset;
}
`;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From this length on keys stay local times. */
const LARGE_MS = 12 * HOUR_MS;

const LENGTHS: Readonly<Record<string, number>> = {
  day: DAY_MS,
  hour: HOUR_MS,
  minute: 60_000,
  second: 1000,
};

/** What {@link ROUND_DATE} rounds by, as parameters of its script. */
export function roundingParameters(spec: DateRoundingSpec) {
  const { interval, preZone, postZone, adjustLargeInterval, preOffset, postOffset } = spec;
  const isFixed = typeof interval === 'number';
  const length = isFixed ? interval : (LENGTHS[interval] ?? null);
  const factor = Math.fround(spec.factor);
  return parameters({
    unit: length === null ? interval : null,
    length: length ?? DAY_MS,
    isFixed,
    isLarge: (length ?? DAY_MS) >= LARGE_MS,
    adjusts: adjustLargeInterval,
    preZone: preZone === 'UTC' ? null : preZone,
    postZone: postZone === 'UTC' ? null : postZone,
    preOffset,
    postOffset,
    factor: factor === 1 ? null : factor,
  });
}
