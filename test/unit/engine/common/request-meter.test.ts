import {
  DEFAULT_REQUEST_LIMITS,
  RequestMeter,
  type RequestLimits,
} from '../../../../engine/common/request-meter';

type NotCounted = 'maxClauseCount' | 'patternLength' | 'rescoreWindow';
const NOT_COUNTED: readonly string[] = ['maxClauseCount', 'patternLength', 'rescoreWindow'];
const COUNTED = Object.keys(DEFAULT_REQUEST_LIMITS).filter(
  (name) => !NOT_COUNTED.includes(name),
) as Exclude<keyof RequestLimits, NotCounted>[];

test.each(COUNTED)('%s are counted together, and one too many is refused', (kind) => {
  const meter = new RequestMeter({ ...DEFAULT_REQUEST_LIMITS, [kind]: 10 });
  meter.add(kind, 4);
  meter.add(kind, 6);
  expect(() => meter.add(kind, 1)).toThrow(/^request has more than \[10\] .* \(search\.max_\w+\)$/);
});

test('a request is large when it has much of anything', () => {
  const meter = new RequestMeter({ ...DEFAULT_REQUEST_LIMITS, terms: 160 });
  meter.add('terms', 10);
  expect(meter.isLarge).toBe(false);
  meter.add('terms', 1);
  expect(meter.isLarge).toBe(true);
});

test('patterns and clauses have limits of their own', () => {
  const meter = new RequestMeter({
    ...DEFAULT_REQUEST_LIMITS,
    patternLength: 3,
    maxClauseCount: 2,
  });
  meter.checkPattern('wildcard', 'abc');
  expect(() => meter.checkPattern('wildcard', 'abcd')).toThrow(
    'wildcard of [4] characters is longer than [3] (search.max_pattern_length)',
  );
  meter.checkClauses(2);
  expect(() => meter.checkClauses(3)).toThrow('maxClauseCount is set to 2');
});
