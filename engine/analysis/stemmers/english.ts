// Light treatment of English words: possessives and plurals.

/** `term` without `'s` at its end, with any of the apostrophes in use. */
export function possessiveEnglish(term: string): string {
  return /['\u2019\uff07][sS]$/.test(term) ? term.slice(0, -2) : term;
}

/** The singular of a plural in s (Harman's s-stemmer): ponies, dogs. */
export function minimalEnglish(term: string): string {
  const { length } = term;
  if (length < 3 || !term.endsWith('s')) return term;
  const before = term[length - 2];
  const third = term[length - 3];
  if (before === 'u' || before === 's') return term;
  if (before === 'e') {
    if (length > 3 && third === 'i' && term[length - 4] !== 'a' && term[length - 4] !== 'e') {
      return `${term.slice(0, -3)}y`;
    }
    if (third === 'i' || third === 'a' || third === 'o' || third === 'e') return term;
  }
  return term.slice(0, -1);
}
