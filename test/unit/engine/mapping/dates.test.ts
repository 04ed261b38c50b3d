// Date formats, time zones and the calendar under them.

import fc from 'fast-check';
import { EngineError } from '../../../../engine/errors';
import { assertFewFormats, dateFormat } from '../../../../engine/mapping/dates/date-format';
import { timeZone, UTC } from '../../../../engine/mapping/dates/time-zone';
import { parseDateMath } from '../../../../engine/mapping/dates/date-math';
import { civilDate, dayNumber, dayOfWeek, weekOf } from '../../../../engine/mapping/dates/calendar';
import { parseIsoDate } from '../../../../engine/mapping/dates/iso-date';

const DAY = 86_400_000;
const instants = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });

describe('calendar', () => {
  test('agrees with the indexService', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const date = new Date(instant);
        const day = Math.floor(instant / DAY);
        expect(civilDate(day)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        expect(dayNumber(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())).toBe(
          day,
        );
        expect(dayOfWeek(day) % 7).toBe(date.getUTCDay());
      }),
    );
  });

  test('far years', () => {
    fc.assert(
      fc.property(fc.integer({ min: -106_000_000_000, max: 106_000_000_000 }), (day) => {
        const { year, month, day: dayOfMonth } = civilDate(day);
        expect(dayNumber(year, month, dayOfMonth)).toBe(day);
      }),
    );
  });

  test.each([
    ['2014-12-29', 2015, 1],
    ['2014-12-28', 2014, 52],
    ['2016-01-03', 2015, 53],
    ['2016-01-04', 2016, 1],
    ['2000-01-02', 1999, 52],
  ])('week of %s', (text, weekyear, week) => {
    expect(weekOf(Date.parse(text) / DAY)).toEqual({ weekyear, week });
  });
});

describe('parsing', () => {
  test('the fast path and the general parser agree', () => {
    const digits = (n: number, min: number, max: number) =>
      fc.integer({ min, max }).map((v) => String(v).padStart(n, '0'));
    const shapes = fc
      .tuple(
        digits(4, 0, 2030),
        digits(2, 0, 14),
        digits(2, 0, 33),
        fc.constantFrom('', 'T', 't', ' '),
        digits(2, 0, 25),
        fc.constantFrom(
          '',
          ':00',
          ':59',
          ':61',
          ':00:00',
          ':30:59',
          ':30:59.5',
          ':30:59.123456789',
          ':3',
        ),
        fc.constantFrom('', 'Z', 'z', '+02:00', '-0530', '+05', '+25:00', 'x'),
      )
      .map(([y, m, d, t, h, rest, zone]) => `${y}-${m}-${d}${t === '' ? '' : t + h + rest + zone}`);
    // The alternative switches the fast path off.
    const general = dateFormat('dateOptionalTime||yyyy');
    fc.assert(
      fc.property(shapes, (text) => {
        const fast = parseIsoDate(text);
        if (!Number.isNaN(fast)) expect(general.parse(text)).toBe(fast);
      }),
      { numRuns: 500 },
    );
  });

  test('printed and parsed again', () => {
    const formats = [
      'dateOptionalTime',
      'date_time',
      'basic_date_time',
      'week_date_time',
      'ordinal_date_time',
      "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
      'EEE, d MMM yyyy HH:mm:ss.SSS Z',
      'yyyy MMMM dd hh:mm:ss.SSS a',
      'dd/MM/yyyy kk:mm:ss.SSS',
      "xxxx-'W'ww-e HH:mm:ss.SSS",
      'yyyy.DDD KK:mm:ss.SSS a',
    ];
    const recent = fc.integer({ min: -30_000_000_000_000, max: 30_000_000_000_000 });
    fc.assert(
      fc.property(recent, fc.constantFrom(...formats), (instant, pattern) => {
        const format = dateFormat(pattern);
        expect(format.parse(format.print(instant))).toBe(instant);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['date_optional_time', '2014-06-01T10:20:30.5+02:00', '2014-06-01T08:20:30.500Z'],
    ['basic_date', '20140601', '2014-06-01T00:00:00.000Z'],
    ['basicDateTimeNoMillis', '20140601T102030Z', '2014-06-01T10:20:30.000Z'],
    ['basic_week_date', '2014W231', '2014-06-02T00:00:00.000Z'],
    ['basic_ordinal_date', '2014152', '2014-06-01T00:00:00.000Z'],
    ['date_hour_minute', '2014-06-01T10:20', '2014-06-01T10:20:00.000Z'],
    ['date_hour_minute_second_millis', '2014-06-01T10:20:30.123', '2014-06-01T10:20:30.123Z'],
    ['year_month', '2014-06', '2014-06-01T00:00:00.000Z'],
    ['year', '2014', '2014-01-01T00:00:00.000Z'],
    ['weekyear_week', '2014-W23', '2014-06-02T00:00:00.000Z'],
    ['hour_minute', '10:20', '1970-01-01T10:20:00.000Z'],
    ['t_time_no_millis', 'T10:20:30Z', '1970-01-01T10:20:30.000Z'],
    ['MMM d, yyyy', 'jun 1, 2014', '2014-06-01T00:00:00.000Z'],
    ['MMMM d, yyyy', 'June 1, 2014', '2014-06-01T00:00:00.000Z'],
    ['EEEE dd MMM yyyy', 'Sunday 01 Jun 2014', '2014-06-01T00:00:00.000Z'],
    ["yyyy 'o''clock' HH", "2014 o'clock 05", '2014-01-01T05:00:00.000Z'],
    ['yyyyMMddHHmmss', '20140601102030', '2014-06-01T10:20:30.000Z'],
    ['YYYY G', '44 BC', '-000043-01-01T00:00:00.000Z'],
  ])('%s: %s', (pattern, text, expected) => {
    expect(dateFormat(pattern).parse(text)).toBe(Date.parse(expected));
  });

  test('two digits of a year pivot around now', () => {
    const year = new Date().getUTCFullYear();
    const format = dateFormat('yy');
    const of = (y: number) =>
      new Date(Number(format.parse(String(y % 100).padStart(2, '0')))).getUTCFullYear();
    expect(of(year)).toBe(year);
    expect(of(year + 19)).toBe(year + 19);
    expect(of(year + 20)).toBe(year - 80);
  });

  test.each(['', ' ', '||'])('no pattern: %j', (pattern) => {
    expect(() => dateFormat(pattern)).toThrow('No date pattern provided');
  });

  test('formats that are too long or have too many alternatives are refused', () => {
    const alternatives = (count: number) => Array.from({ length: count }, () => 'yyyy').join('||');
    expect(dateFormat(alternatives(100)).tryParse('2014')).toBe(Date.parse('2014-01-01'));
    expect(() => dateFormat(alternatives(101))).toThrow(
      'more than [100] date formats are alternatives of each other',
    );
    expect(() => dateFormat('yyyy-'.repeat(900))).toThrow(
      'has [4500] characters, more than [4096]',
    );
    expect(() => assertFewFormats([alternatives(60), alternatives(41)])).toThrow('more than [100]');
    assertFewFormats([alternatives(60), alternatives(40)]);
  });

  test('years beyond 2^53 milliseconds keep every digit', () => {
    expect(dateFormat('dateOptionalTime').parse('20140101')).toBe(635498033356800000n);
    expect(dateFormat('dateOptionalTime').parse('292278993-12-31')).toBe(9223372017043200000n);
    expect(dateFormat('dateOptionalTime').print(635498033356800000n)).toBe(
      '20140101-01-01T00:00:00.000Z',
    );
  });

  test('time zones', () => {
    const format = dateFormat('dateOptionalTime');
    expect(format.parse('2014-01-01', timeZone('+02:00'))).toBe(Date.parse('2013-12-31T22:00Z'));
    expect(format.parse('2014-07-01T12:00', timeZone('CET'))).toBe(Date.parse('2014-07-01T10:00Z'));
    expect(format.parse('2014-07-01T12:00Z', timeZone('CET'))).toBe(
      Date.parse('2014-07-01T12:00Z'),
    );
    // Twice on the clock: the earlier one. Skipped: read with the offset before.
    const berlin = timeZone('Europe/Berlin');
    expect(format.parse('2014-10-26T02:30', berlin)).toBe(Date.parse('2014-10-26T00:30Z'));
    expect(format.parse('2014-03-30T02:30', berlin)).toBe(Date.parse('2014-03-30T01:30Z'));
    expect(format.print(Date.parse('2014-07-01T10:00Z'), berlin)).toBe(
      '2014-07-01T12:00:00.000+02:00',
    );
    for (const id of ['+1', 'zz', '', '+25:00', '../etc']) {
      expect(() => timeZone(id)).toThrow(EngineError);
    }
    expect(timeZone('+00:00')).toBe(UTC);
  });
});

describe('date math', () => {
  const math = (text: string, roundUp = false, zone = UTC, now = 0) =>
    new Date(
      Number(
        parseDateMath(text, {
          format: dateFormat('dateOptionalTime'),
          zone,
          now: () => now,
          roundUp,
          resolution: 1,
        }),
      ),
    ).toISOString();
  const now = Date.parse('2014-05-14T10:20:30.400Z');

  test('has a limited length', () => {
    expect(math(`now${'+1d'.repeat(1364)}`)).toBe('1973-09-26T00:00:00.000Z');
    expect(() => math(`now${'+1d'.repeat(1365)}`)).toThrow(
      'date [now+1d+1d+1d+1d+1d+1d+1d+1d+1d+1...] has [4098] characters, more than [4096]',
    );
  });

  test.each([
    ['now', '2014-05-14T10:20:30.400Z', '2014-05-14T10:20:30.400Z'],
    ['now/s', '2014-05-14T10:20:30.000Z', '2014-05-14T10:20:30.999Z'],
    ['now/m', '2014-05-14T10:20:00.000Z', '2014-05-14T10:20:59.999Z'],
    ['now/h', '2014-05-14T10:00:00.000Z', '2014-05-14T10:59:59.999Z'],
    ['now/H', '2014-05-14T10:00:00.000Z', '2014-05-14T10:59:59.999Z'],
    ['now/d', '2014-05-14T00:00:00.000Z', '2014-05-14T23:59:59.999Z'],
    ['now/w', '2014-05-12T00:00:00.000Z', '2014-05-18T23:59:59.999Z'],
    ['now/M', '2014-05-01T00:00:00.000Z', '2014-05-31T23:59:59.999Z'],
    ['now/y', '2014-01-01T00:00:00.000Z', '2014-12-31T23:59:59.999Z'],
    ['now-1M/M', '2014-04-01T00:00:00.000Z', '2014-04-30T23:59:59.999Z'],
    ['now+2w-1d', '2014-05-27T10:20:30.400Z', '2014-05-27T10:20:30.400Z'],
    ['2014-01-31||+1M', '2014-02-28T00:00:00.000Z', '2014-02-28T23:59:59.999Z'],
    ['2012-02-29||+1y', '2013-02-28T00:00:00.000Z', '2013-02-28T23:59:59.999Z'],
  ])('%s', (text, down, up) => {
    expect(math(text, false, UTC, now)).toBe(down);
    expect(math(text, true, UTC, now)).toBe(up);
  });

  test('rounding goes by the zone', () => {
    const zone = timeZone('America/New_York');
    expect(math('now/d', false, zone, now)).toBe('2014-05-14T04:00:00.000Z');
    expect(math('now/d', true, zone, now)).toBe('2014-05-15T03:59:59.999Z');
    // A day with 25 hours.
    const autumn = Date.parse('2014-11-02T12:00Z');
    expect(math('now/d', true, zone, autumn)).toBe('2014-11-03T04:59:59.999Z');
    expect(math('now+1d', false, zone, Date.parse('2014-11-01T12:00Z'))).toBe(
      '2014-11-02T13:00:00.000Z',
    );
  });

  test('rounding up and down bracket every instant', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom('y', 'M', 'w', 'd', 'h', 'm', 's'), (instant, unit) => {
        const down = Date.parse(math(`now/${unit}`, false, UTC, instant));
        const up = Date.parse(math(`now/${unit}`, true, UTC, instant));
        expect(down).toBeLessThanOrEqual(instant);
        expect(up).toBeGreaterThanOrEqual(instant);
        expect(math(`now/${unit}`, false, UTC, up + 1)).toBe(new Date(up + 1).toISOString());
      }),
      { numRuns: 300 },
    );
  });
});
