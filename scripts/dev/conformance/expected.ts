// The cases that do not pass yet, each with the first thing that differs in it. Of a case that fails in
// another place than before something else has changed, perhaps for the worse.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceCase } from './cases';

/** What differs first, by `area/name` of the case. */
export type ExpectedFailures = ReadonlyMap<string, string>;

/** The file, beside the folder of the cases. */
export function expectedFailuresFile(cases: string): string {
  return join(cases, '..', 'expected-failures.json');
}

/** The name of a case there. */
export function nameOf({ area, name }: ConformanceCase): string {
  return `${area}/${name}`;
}

export function readExpectedFailures(file: string): ExpectedFailures {
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>));
}

/**
 * What is not as expected with a case, or null.
 * @param difference what differs first now; null when it passes
 */
export function unexpected(
  expected: ExpectedFailures,
  name: string,
  difference: string | null,
): string | null {
  const before = expected.get(name) ?? null;
  if (difference === before) return null;
  if (difference === null) return `${name}: passes now`;
  return before === null
    ? `${name}: ${difference}`
    : `${name}: ${difference}\n  where it was: ${before}`;
}

/** Replaces what the file says of the cases that were run. */
export function writeExpectedFailures(
  file: string,
  results: ReadonlyMap<string, string | null>,
): void {
  const all = new Map(readExpectedFailures(file));
  for (const [name, difference] of results) {
    if (difference === null) all.delete(name);
    else all.set(name, difference);
  }
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
