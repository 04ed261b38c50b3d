// The text format in which Prometheus reads metrics, version 0.0.4.

import type { HistogramStats } from '../../engine/index';

/** Content type of the format. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Label names are ours, values anything. */
type Labels = Readonly<Record<string, string>>;

/** A value of a metric under its labels; a counter or gauge has a number, a histogram its buckets. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number | HistogramStats;
}

/** A metric: what it is called, what it means, and its values in `F`. */
export interface Metric<F> {
  /** By Prometheus conventions: base units, counters end in `_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** One value, or a value for each combination of labels there is. */
  readonly read: (stats: F) => number | HistogramStats | readonly Sample[];
}

/** All metrics as text. */
export function renderMetrics<F>(metrics: readonly Metric<F>[], stats: F): string {
  let text = '';
  for (const { name, type, help, read } of metrics) {
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    const values = read(stats);
    const samples: readonly Sample[] = isSamples(values) ? values : [{ value: values }];
    for (const { labels = {}, value } of samples) {
      if (typeof value === 'number') text += line(name, labels, value);
      else text += histogramLines(name, labels, value);
    }
  }
  return text;
}

function isSamples(
  values: number | HistogramStats | readonly Sample[],
): values is readonly Sample[] {
  return Array.isArray(values);
}

function histogramLines(name: string, labels: Labels, stats: HistogramStats): string {
  const { bounds, counts, count, sum } = stats;
  let text = '';
  let cumulative = 0;
  bounds.forEach((bound, i) => {
    cumulative += counts[i]!;
    text += line(`${name}_bucket`, { ...labels, le: String(bound) }, cumulative);
  });
  text += line(`${name}_bucket`, { ...labels, le: '+Inf' }, count);
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, count);
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}\n`;
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replace(/"/g, '\\"');
}
