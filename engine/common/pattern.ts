// Patterns over names: `*` stands for any run of characters, everything else for itself.

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
