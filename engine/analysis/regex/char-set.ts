// Sets of characters for regular expressions: ranges, properties and what classes make of them.

/** Whether a code point belongs to a set. */
export interface CharSet {
  has(codePoint: number): boolean;
}

/** A set by its test; membership of ASCII characters is worked out once. */
export function charSet(test: (codePoint: number) => boolean): CharSet {
  const ascii = new Uint8Array(128);
  for (let i = 0; i < ascii.length; i++) ascii[i] = test(i) ? 1 : 0;
  return { has: (codePoint) => (codePoint < 128 ? ascii[codePoint] === 1 : test(codePoint)) };
}

/** The code points from .. to, both included. */
export function range(from: number, to: number): CharSet {
  return { has: (codePoint) => codePoint >= from && codePoint <= to };
}

/** What is in any of the sets; of none, nothing. */
export function union(sets: readonly CharSet[]): CharSet {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) return only;
  return charSet((codePoint) => sets.some((set) => set.has(codePoint)));
}

/** What is in all of the sets. */
export function intersection(sets: readonly CharSet[]): CharSet {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) return only;
  return charSet((codePoint) => sets.every((set) => set.has(codePoint)));
}

/** What is not in the set. */
export function complement(set: CharSet): CharSet {
  return charSet((codePoint) => !set.has(codePoint));
}

/** A set that also has the other case of its letters. */
export function caseInsensitive(set: CharSet, unicode: boolean): CharSet {
  return charSet((codePoint) => {
    if (set.has(codePoint)) return true;
    if (!unicode && codePoint > 0x7f) return false;
    const char = String.fromCodePoint(codePoint);
    return [char.toLowerCase(), char.toUpperCase()].some((other) => {
      const point = other.codePointAt(0)!;
      return other.length === (point > 0xffff ? 2 : 1) && set.has(point);
    });
  });
}

/** Characters that a pattern for one character matches. */
function matching(pattern: RegExp): CharSet {
  return charSet((codePoint) => pattern.test(String.fromCodePoint(codePoint)));
}

const ASCII = range(0, 0x7f);
const within = (pattern: RegExp): CharSet => intersection([ASCII, matching(pattern)]);

export const DIGIT = within(/[0-9]/);
export const WORD = within(/[A-Za-z0-9_]/);
export const SPACE = within(/[ \t\n\v\f\r]/);
export const UNICODE_DIGIT = matching(/\p{Nd}/u);
export const UNICODE_WORD = matching(/[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u);
export const UNICODE_SPACE = matching(/\p{White_Space}/u);
export const HORIZONTAL_SPACE = matching(/[ \t\u00a0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000]/u);
export const VERTICAL_SPACE = matching(/[\n\v\f\r\u0085\u2028\u2029]/u);
/** What a word boundary takes for part of a word. */
export const BOUNDARY_WORD = matching(/[\p{L}\p{Nd}_]/u);

const POSIX: ReadonlyMap<string, CharSet> = new Map([
  ['Lower', within(/[a-z]/)],
  ['Upper', within(/[A-Z]/)],
  ['ASCII', ASCII],
  ['Alpha', within(/[A-Za-z]/)],
  ['Digit', DIGIT],
  ['Alnum', within(/[A-Za-z0-9]/)],
  ['Punct', within(/[!-/:-@[-`{-~]/)],
  ['Graph', within(/[!-~]/)],
  ['Print', within(/[ -~]/)],
  ['Blank', within(/[ \t]/)],
  ['Cntrl', charSet((codePoint) => codePoint < 0x20 || codePoint === 0x7f)],
  ['XDigit', within(/[0-9A-Fa-f]/)],
  ['Space', SPACE],
  ['javaLowerCase', matching(/\p{Lowercase}/u)],
  ['javaUpperCase', matching(/\p{Uppercase}/u)],
  ['javaLetter', matching(/\p{L}/u)],
  ['javaDigit', UNICODE_DIGIT],
  ['javaLetterOrDigit', matching(/[\p{L}\p{Nd}]/u)],
  ['L1', range(0, 0xff)],
  ['all', range(0, 0x10ffff)],
]);

/** The set of a property such as `L`, `Lu`, `IsLatin`, `Alpha`; null for one that is not known. */
export function property(name: string): CharSet | null {
  const posix = POSIX.get(name);
  if (posix !== undefined) return posix;
  const [key = '', value] = name.split('=');
  const bare = value ?? key.replace(/^Is/, '');
  const candidates =
    value === undefined
      ? [`\\p{${bare}}`, `\\p{Script=${bare}}`, `\\p{Script=${capitalized(bare)}}`]
      : [`\\p{${/^(sc|script)$/i.test(key) ? 'Script' : 'General_Category'}=${value}}`];
  if (!/^\w+$/.test(bare)) return null;
  for (const candidate of candidates) {
    try {
      return matching(new RegExp(candidate, 'u'));
    } catch {
      // Not a property of that kind.
    }
  }
  return null;
}

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase();
}
