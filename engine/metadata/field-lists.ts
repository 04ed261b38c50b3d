// Which fields somebody may see, by lists of patterns as grants of keys have them.

import { matchesPattern, someOutward } from '../common/index';

/**
 * Lists of patterns, of which each has to let a field through; without lists every field passes. A pattern is
 * a path, with `*` for any characters, and stands for all that is below it as well.
 */
export type FieldLists = readonly (readonly string[])[];

/** Whether the field at a path may be seen, with all that is below it. */
export function allowsField(lists: FieldLists, path: string): boolean {
  return lists.every((patterns) => patterns.some((pattern) => covers(pattern, path)));
}

/** Whether something below a path may be seen. May say so of paths below which there is nothing. */
export function mayAllowBelow(lists: FieldLists, path: string): boolean {
  const beginning = `${path}.`;
  return lists.every((patterns) =>
    patterns.some((pattern) => {
      if (covers(pattern, path)) return true;
      const star = pattern.indexOf('*');
      if (star < 0) return pattern.startsWith(beginning);
      const fixed = pattern.slice(0, star);
      return fixed.startsWith(beginning) || beginning.startsWith(fixed);
    }),
  );
}

/** Whether a pattern matches a path or that of an object around it. */
function covers(pattern: string, path: string): boolean {
  return someOutward(path, (each) => matchesPattern(pattern, each));
}
