// Patterns over names: `*` stands for any run of characters, everything else for itself.

/** Whether `name` matches `pattern`. Linear in their lengths apart from repeated searches for parts. */
export function matchesPattern(pattern: string, name: string): boolean {
  const firstStar = pattern.indexOf('*');
  if (firstStar < 0) return pattern === name;
  const parts = pattern.split('*');
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
