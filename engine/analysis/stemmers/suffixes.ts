// Suffix rules: the first rule that fits a term is applied.

/** When a suffix is taken off and what takes its place. */
export interface SuffixRule {
  /** The term must be longer than this, in UTF-16 units. */
  readonly longerThan: number;
  readonly suffix: string;
  readonly replacement: string;
}

/**
 * Reads rules such as `4 ais:al eis:el` and `6 mente` from lines: the length that terms must exceed, then
 * suffixes with what replaces them.
 */
export function suffixRules(...lines: readonly string[]): readonly SuffixRule[] {
  return lines.flatMap((line) => {
    const [length, ...suffixes] = line.split(' ');
    return suffixes.map((entry) => {
      const [suffix = '', replacement = ''] = entry.split(':');
      return { longerThan: Number(length), suffix, replacement };
    });
  });
}

/** The first rule that fits, or undefined. */
export function findRule(rules: readonly SuffixRule[], term: string): SuffixRule | undefined {
  for (const rule of rules) {
    if (term.length > rule.longerThan && term.endsWith(rule.suffix)) return rule;
  }
  return undefined;
}

/** `term` with the first rule that fits applied. */
export function applyRules(rules: readonly SuffixRule[], term: string): string {
  const rule = findRule(rules, term);
  return rule === undefined
    ? term
    : term.slice(0, term.length - rule.suffix.length) + rule.replacement;
}
