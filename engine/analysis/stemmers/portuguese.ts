// The minimal stemmer for Portuguese: the plural step of RSLP (Federal University of Rio Grande do Sul), as
// the reference server applies it.

import type { Stemmer } from './stemmer';

/** A plural ending, what takes its place, the letters that must stay, and words that keep it. */
interface PluralRule {
  readonly ending: string;
  readonly singular: string;
  readonly stay: number;
  readonly exceptions: ReadonlySet<string>;
}

const PLURALS: readonly PluralRule[] = (
  [
    ['ns', 'm', 1, ''],
    ['ões', 'ão', 3, ''],
    ['ães', 'ão', 1, 'mães'],
    ['ais', 'al', 1, 'cais mais'],
    ['éis', 'el', 2, ''],
    ['eis', 'el', 2, ''],
    ['óis', 'ol', 2, ''],
    ['is', 'il', 2, 'lápis cais mais crúcis biquínis pois depois dois leis'],
    ['les', 'l', 3, ''],
    ['res', 'r', 3, 'árvores'],
    [
      's',
      '',
      2,
      'aliás pires lápis cais mais mas menos férias fezes pêsames crúcis gás atrás moisés através convés ês ' +
        'país após ambas ambos messias depois',
    ],
  ] as const
).map(([ending, singular, stay, exceptions]) => ({
  ending,
  singular,
  stay,
  exceptions: new Set(exceptions.split(' ')),
}));

/** The singular of Portuguese words. */
export const minimalPortuguese: Stemmer = (term) => {
  if (!term.endsWith('s')) return term;
  for (const { ending, singular, stay, exceptions } of PLURALS) {
    if (!term.endsWith(ending) || term.length < ending.length + stay) continue;
    if (!exceptions.has(term)) return term.slice(0, -ending.length) + singular;
  }
  return term;
};
