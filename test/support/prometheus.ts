// A strict reader of the Prometheus text format 0.0.4: whatever a scraper might stumble over is an error
// here.

/** A metric with its values. */
export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ParsedSample[];
}

/** One line: its name may end in `_bucket`, `_sum` or `_count`. */
interface ParsedSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"/;
const VALUE = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/;

/** @throws Error naming the line that is wrong */
export function parsePrometheus(text: string): ReadonlyMap<string, ParsedFamily> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, ParsedFamily & { samples: ParsedSample[] }>();
  const seen = new Set<string>();
  let current: (ParsedFamily & { samples: ParsedSample[] }) | null = null;
  const lines = text.split('\n').slice(0, -1);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const fail = (why: string): never => {
      throw new Error(`line ${i + 1}: ${why}: ${line}`);
    };
    if (line.startsWith('# HELP ')) {
      const [name = '', ...words] = line.slice('# HELP '.length).split(' ');
      const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(lines[++i] ?? '');
      if (type === null || type[1] !== name) fail('no type follows');
      if (families.has(name)) fail('twice');
      current = { name, type: type![2]!, help: words.join(' '), samples: [] };
      families.set(name, current);
      continue;
    }
    const sample = parseSample(line) ?? fail('not a sample');
    if (current === null || !belongsTo(sample, current)) fail('does not belong here');
    const key = `${sample.name} ${[...sample.labels].map(String).sort().join(' ')}`;
    if (seen.has(key)) fail('twice');
    seen.add(key);
    current!.samples.push(sample);
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function parseSample(line: string): ParsedSample | null {
  const name = NAME.exec(line)?.[0];
  if (name === undefined) return null;
  let rest = line.slice(name.length);
  const labels = new Map<string, string>();
  if (rest.startsWith('{')) {
    do {
      rest = rest.slice(1);
      const [whole = '', label = '', value = ''] = LABEL.exec(rest) ?? [];
      if (whole === '' || labels.has(label)) return null;
      const unescaped = value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
      labels.set(label, unescaped);
      rest = rest.slice(whole.length);
    } while (rest.startsWith(','));
    if (!rest.startsWith('}')) return null;
    rest = rest.slice(1);
  }
  if (!rest.startsWith(' ') || !VALUE.test(rest.slice(1))) return null;
  return { name, labels, value: numberOf(rest.slice(1)) };
}

function numberOf(text: string): number {
  return Number(text.replace('Inf', 'Infinity'));
}

function belongsTo({ name, labels }: ParsedSample, family: ParsedFamily): boolean {
  if (family.type !== 'histogram') return name === family.name && !labels.has('le');
  const suffix = name.slice(family.name.length);
  if (!name.startsWith(family.name)) return false;
  return suffix === '_bucket' ? labels.has('le') : ['_sum', '_count'].includes(suffix);
}

function checkFamily({ name, type, help, samples }: ParsedFamily): void {
  if (help === '') throw new Error(`${name} has no help`);
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is a ${type}`);
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) {
    throw new Error(`${name} counts backwards`);
  }
  if (type === 'histogram') checkHistogram(name, samples);
}

/** Buckets ascend and are cumulative; the last is +Inf and equals the count. */
function checkHistogram(name: string, samples: readonly ParsedSample[]): void {
  const series = new Map<string, ParsedSample[]>();
  for (const sample of samples) {
    const labels = [...sample.labels].filter(([label]) => label !== 'le');
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, own] of series) {
    const fail = (why: string): never => {
      throw new Error(`${name}${key}: ${why}`);
    };
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => numberOf(labels.get('le')!));
    if (bounds.at(-1) !== Infinity) fail('no +Inf');
    if (bounds.some((bound, i) => i > 0 && bound <= bounds[i - 1]!)) fail('bounds do not ascend');
    if (buckets.some(({ value }, i) => i > 0 && value < buckets[i - 1]!.value)) {
      fail('buckets are not cumulative');
    }
    const count = own.find((sample) => sample.name === `${name}_count`)?.value;
    if (count !== buckets.at(-1)?.value) fail('the count is not that of +Inf');
    if (!own.some((sample) => sample.name === `${name}_sum`)) fail('no sum');
  }
}
