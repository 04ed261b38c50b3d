// What became of an import: for programs as JSON, for people line by line.

import type { Refusal, Tally } from './state';
import type { IndexVerdict, VerifyLevel } from './verify';

/** An index of an import. */
export interface IndexReport {
  /** Everything is there. */
  readonly ok: boolean;
  /** As they were copied, over all runs. */
  readonly documents: Tally;
  /** Null: it was not compared. */
  readonly verified: IndexVerdict | null;
  /** What differs, and why. */
  readonly differences: readonly string[];
  /** Documents that the target has not taken when they came first. */
  readonly refusals: readonly Refusal[];
  /** What is told differently and is no loss. */
  readonly notes: readonly string[];
}

/** All of an import. */
export interface ImportReport {
  readonly ok: boolean;
  readonly from: string;
  readonly to: string;
  readonly level: VerifyLevel;
  readonly documents: Tally;
  readonly indices: Readonly<Record<string, IndexReport>>;
  /** What concerns no single index. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** The report for people. */
export function reportLines(report: ImportReport): readonly string[] {
  const lines: string[] = [];
  for (const [name, { ok, documents, verified, differences, refusals, notes }] of Object.entries(
    report.indices,
  )) {
    lines.push(`${ok ? 'ok       ' : 'DIFFERS  '}${name}: ${described(documents, verified)}`);
    for (const difference of differences) lines.push(`           ${difference}`);
    for (const { reason, count, examples } of refusals) {
      lines.push(`           refused ${count}, such as ${examples[0] ?? ''}: ${reason}`);
    }
    for (const note of notes) lines.push(`         note: ${note}`);
  }
  for (const problem of report.problems) lines.push(`DIFFERS  ${problem}`);
  for (const note of report.notes) lines.push(`note: ${note}`);
  return lines;
}

function described(documents: Tally, verified: IndexVerdict | null): string {
  const { read, present, newer, expired } = documents;
  const parts = [`${number(read)} documents read`];
  if (present > 0) parts.push(`${number(present)} there already`);
  if (newer > 0) parts.push(`${number(newer)} newer in the target`);
  if (expired > 0) parts.push(`${number(expired)} expired`);
  if (verified === null) return [...parts, 'not verified'].join(', ');
  const { source, target, fields, mended } = verified;
  if (mended > 0) parts.push(`${number(mended)} copied again or deleted`);
  const isSame = source.documents === target.documents && source.checksum === target.checksum;
  parts.push(
    isSame
      ? `${number(target.documents)} on both sides`
      : `${number(source.documents)} in the source and ${number(target.documents)} in the target`,
  );
  if (target.checksum !== null) {
    parts.push(`checksums ${source.checksum === target.checksum ? 'equal' : 'differ'}`);
  }
  if (fields > 0) parts.push(`${fields} keyword fields compared`);
  return parts.join(', ');
}

function number(value: number): string {
  return value.toLocaleString('en');
}
