// Flags of regular expressions, and what `^`, `$` and `.` mean under them.

import { charSet, range, type CharSet } from './char-set';
import type { AssertionKind } from './tree';

/** Flags in force, as the letters of inline flags. */
export type Flags = ReadonlySet<string>;

/** What `^` or `$` stands for under the flags. */
export function lineAssertion(
  flags: Flags,
  multiLine: AssertionKind,
  unix: AssertionKind,
  whole: AssertionKind,
): AssertionKind {
  if (!flags.has('m')) return whole;
  return flags.has('d') ? unix : multiLine;
}

/** What `.` stands for under the flags. */
export function anyChar(flags: Flags): CharSet {
  if (flags.has('s')) return range(0, 0x10ffff);
  if (flags.has('d')) return charSet((codePoint) => codePoint !== 10);
  return charSet(
    (codePoint) =>
      codePoint !== 10 &&
      codePoint !== 13 &&
      codePoint !== 0x85 &&
      codePoint !== 0x2028 &&
      codePoint !== 0x2029,
  );
}

/** The flags after an inline flag turned some on and others off. */
export function changed(flags: Flags, on = '', off = ''): Flags {
  const result = new Set([...flags, ...on]);
  for (const flag of off) result.delete(flag);
  return result;
}
