// Patterns over names: `*` stands for any run of characters, everything else for itself.

import { type EngineError, illegalArgument } from '../errors';

/** Comparisons of patterns with names that one request may ask for. */
const MAX_COMPARED = 1_000_000;

/** Counts the comparisons of patterns with names of fields that one request asks for. */
export class PatternWork {
  private compared = 0;

  /** @param refusal made of the limit; unless given, ElasticsearchIllegalArgumentException (400) */
  constructor(private readonly refusal: (most: number) => EngineError = tooManyNames) {}

  /**
   * Counts in a pattern that is compared with so many names, or one of as many characters.
   *
   * @throws EngineError the refusal when it is too much
   */
  add(names: number): void {
    this.compared += names;
    if (this.compared > MAX_COMPARED) throw this.refusal(MAX_COMPARED);
  }
}

function tooManyNames(most: number): EngineError {
  return illegalArgument(
    `patterns of field names would be compared with more than [${most}] names of fields`,
  );
}

/** Whether `name` matches `pattern`. Linear in their lengths apart from repeated searches for parts. */
export function matchesPattern(pattern: string, name: string): boolean {
  return pattern.includes('*') ? matchesParts(pattern.split('*'), name) : pattern === name;
}

/** The same for many names: the pattern is taken apart once. */
export function patternTest(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*');
  return parts.length === 1 ? (name) => name === pattern : (name) => matchesParts(parts, name);
}

function matchesParts(parts: readonly string[], name: string): boolean {
  const prefix = parts[0]!;
  const suffix = parts[parts.length - 1]!;
  if (name.length < prefix.length + suffix.length) return false;
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false;
  const limit = name.length - suffix.length;
  let position = prefix.length;
  for (let i = 1; i < parts.length - 1; i++) {
    const found = name.indexOf(parts[i]!, position);
    if (found < 0 || found + parts[i]!.length > limit) return false;
    position = found + parts[i]!.length;
  }
  return true;
}

/** Whether `name` matches one of `patterns`. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, name));
}
