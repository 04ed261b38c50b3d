// The predefined character classes of Java patterns, as members of a class in the linear-time engine's
// syntax.

/** Java's predefined classes that the engine spells differently. */
const POSIX_CLASSES: ReadonlyMap<string, string> = new Map([
  ['Lower', 'a-z'],
  ['Upper', 'A-Z'],
  ['ASCII', '\\x00-\\x7F'],
  ['Alpha', 'a-zA-Z'],
  ['Digit', '0-9'],
  ['Alnum', 'a-zA-Z0-9'],
  ['Punct', '!-/:-@\\[-`{-~'],
  ['Graph', '!-~'],
  ['Print', '\\x20-~'],
  ['Blank', ' \\t'],
  ['Cntrl', '\\x00-\\x1F\\x7F'],
  ['XDigit', '0-9a-fA-F'],
  ['Space', ' \\t\\n\\x0B\\f\\r'],
]);

/** The same where classes go by Unicode's properties. */
const UNICODE_CLASSES: ReadonlyMap<string, string> = new Map([
  ['Lower', '\\p{Ll}'],
  ['Upper', '\\p{Lu}'],
  ['ASCII', '\\x00-\\x7F'],
  ['Alpha', '\\p{L}\\p{Nl}'],
  ['Digit', '\\p{Nd}'],
  ['Alnum', '\\p{L}\\p{Nl}\\p{Nd}'],
  ['Punct', '\\p{P}'],
  ['Graph', '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}'],
  ['Print', '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\p{Zs}'],
  ['Blank', '\\p{Zs}\\t'],
  ['Cntrl', '\\p{Cc}'],
  ['XDigit', '\\p{Nd}a-fA-F'],
  ['Space', '\\p{Z}\\t-\\r\\x{85}'],
]);
const UNICODE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['d', '\\p{Nd}'],
  ['s', '\\p{Z}\\t-\\r\\x{85}'],
  ['w', '\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200C}\\x{200D}'],
]);

/** Of the predefined classes only this one is not the engine's own. */
const JAVA_ESCAPES: ReadonlyMap<string, string> = new Map([['s', ' \\t\\n\\x0B\\f\\r']]);

/**
 * The members of `\p{name}`; undefined: the engine knows it as it is.
 *
 * @param unicode classes go by Unicode's properties
 */
export function propertyMembers(name: string, unicode: boolean): string | undefined {
  return (unicode ? UNICODE_CLASSES : POSIX_CLASSES).get(name);
}

/** The members of the class that a small letter stands for after a backslash; see {@link propertyMembers}. */
export function escapeMembers(letter: string, unicode: boolean): string | undefined {
  return (unicode ? UNICODE_ESCAPES : JAVA_ESCAPES).get(letter);
}
