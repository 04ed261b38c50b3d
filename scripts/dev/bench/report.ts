// Tables: the same cells as aligned text for a terminal and as Markdown for a page.

import type { LoadResult } from './load';
import { combine, cpuRatio, rateRatio, type RowResult, type Sample } from './measure';
import { geometricMean } from './statistics';

/** Longest text that a table shows. */
const MAX_REASON = 160;

/** Statistics of a server that belong to no row. */
export interface ServerFacts {
  readonly label: string;
  readonly load: LoadResult | null;
  /** Bytes after everything was measured. */
  readonly memory: number;
  /** Bytes after the rows were measured. */
  readonly disk: number;
  /** Only of a server that the benchmark started. */
  readonly restartMs: number | null;
  readonly loopDelayP99: number | null;
}

/** Everything that was measured. */
export interface BenchResult {
  readonly date: string;
  readonly documents: number;
  readonly machine: string;
  readonly runs: number;
  readonly servers: readonly ServerFacts[];
  readonly rows: readonly RowResult[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** A table of texts; the first column is text, the others are numbers. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The geometric mean of a family's rows. */
export interface FamilyRatio {
  readonly family: string;
  readonly connections: number;
  readonly cpu: number;
  readonly rate: number;
}

/** Ratios per family and number of connections, in the order of the rows; empty for a single server. */
export function familyRatios(rows: readonly RowResult[]): FamilyRatio[] {
  const groups = new Map<string, RowResult[]>();
  for (const row of rows) {
    if (row.samples.length < 2) continue;
    const key = `${row.family}\n${row.connections}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => ({
    family: group[0]!.family,
    connections: group[0]!.connections,
    cpu: geometricMean(group.map(cpuRatio)),
    rate: geometricMean(group.map(rateRatio)),
  }));
}

/** All tables of a result. */
export function tablesOf(result: BenchResult): Table[] {
  const isComparison = result.servers.length > 1;
  return [
    serverTable(result),
    ...(isComparison ? [familyTable(result)] : []),
    ...rowTables(result),
    ...(result.skipped.length > 0 ? [skippedTable(result)] : []),
  ];
}

function serverTable({ servers, documents }: BenchResult): Table {
  const facts: [string, (server: ServerFacts) => string][] = [
    ['bulk, docs/s', ({ load }) => round(load === null ? NaN : load.documents / load.seconds)],
    ['bulk, CPU µs/doc', ({ load }) => figure(load?.cpu ?? NaN)],
    ['bulk and settling, CPU µs/doc', ({ load }) => figure(load?.cpuSettled ?? NaN)],
    ['settling after the last answer, s', ({ load }) => figure(load?.settleSeconds ?? NaN)],
    ['disk, bytes/doc', ({ disk }) => round(disk / documents)],
    ['RssAnon at the end, MB', ({ memory }) => round(memory / 1e6)],
    ['restart to first answer, ms', ({ restartMs }) => round(restartMs ?? NaN)],
    ['event loop delay p99, ms', ({ loopDelayP99 }) => figure(loopDelayP99 ?? NaN)],
  ];
  return {
    title: `${documents.toLocaleString('en')} documents`,
    head: ['', ...servers.map(({ label }) => label)],
    rows: facts.map(([name, of]) => [name, ...servers.map(of)]),
  };
}

function familyTable({ rows }: BenchResult): Table {
  return {
    title: 'Geometric means per family',
    head: ['family', 'connections', 'CPU ×', 'requests/s ×'],
    rows: familyRatios(rows).map(({ family, connections, cpu, rate }) => [
      family,
      String(connections),
      figure(cpu),
      figure(rate),
    ]),
  };
}

function rowTables({ rows, servers }: BenchResult): Table[] {
  const families = [...new Set(rows.map(({ family }) => family))];
  const [, other] = servers;
  const head = ['row', 'conn.', 'median ms', 'p99 ms', 'req/s', 'CPU ms'];
  const otherHead = head.slice(2).map((name) => `${other?.label ?? ''} ${name}`);
  return families.map((family) => ({
    title: family,
    head: other === undefined ? head : [...head, ...otherHead, 'CPU ×', 'req/s ×'],
    rows: rows
      .filter((row) => row.family === family)
      .map((row) => {
        const cells = [row.name, String(row.connections)];
        for (const samples of row.samples) cells.push(...sampleCells(combine(samples)));
        if (row.samples.length > 1) cells.push(figure(cpuRatio(row)), figure(rateRatio(row)));
        return cells;
      }),
  }));
}

function sampleCells({ median, p99, perSecond, cpu }: Sample): string[] {
  return [figure(median), figure(p99), round(perSecond), figure(cpu)];
}

function skippedTable({ skipped }: BenchResult): Table {
  return {
    title: 'Not measured',
    head: ['row', 'why'],
    rows: skipped.map(({ name, reason }) => [
      name,
      reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason,
    ]),
  };
}

/** Three significant digits; a dash for what is not known. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return round(value);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

function round(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '–';
}

/** A table for a terminal. */
export function plainTable({ title, head, rows }: Table): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  const rule = '─'.repeat(title.length);
  return `${title}\n${rule}\n${[line(head), ...rows.map(line)].join('\n')}\n`;
}

/** A table for a Markdown page. */
export function markdownTable({ title, head, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = `| ${head.map((_, column) => (column === 0 ? '---' : '---:')).join(' | ')} |`;
  return `### ${title}\n\n${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

/** What was measured, when and where, in one sentence. */
export function describe({ date, documents, machine, runs }: BenchResult): string {
  const count = documents.toLocaleString('en');
  return `${count} documents, ${runs} ${runs === 1 ? 'run' : 'runs'}, ${date}, ${machine}.`;
}
