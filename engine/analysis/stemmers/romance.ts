// Light stemmers for French, Italian, Portuguese and Spanish, and the minimal one for French: the
// algorithms of Jacques Savoy (University of Neuchâtel) as the reference server applies them.

import { characterFolder } from './fold';
import { remembering, type Stemmer } from './stemmer';
import { applyRules, findRule, suffixRules } from './suffixes';

const foldFrench = characterFolder('àáâ:a ô:o èéê:e ùû:u î:i ç:c');
/** Rules that end the search; between them stand those after which it goes on. */
const FRENCH_FIRST = suffixRules('9 issement:ir', '8 issant:ir');
const FRENCH_AGENTS = suffixRules(
  '11 ficatrice:fier',
  '10 ficateur:fier',
  '9 catrice:quer',
  '8 cateur:quer atrice:er',
  '7 ateur:er',
);
const FRENCH_MIDDLE = suffixRules(
  '5 ième',
  '7 teuse:ter',
  '6 teur:ter',
  '5 euse:eu',
  '8 ère:er',
  '7 ive:if',
  '4 folle:fou molle:mou',
  '9 nnelle:n nnel:n',
);
const FRENCH_LAST = suffixRules('8 esse:e', '7 inage:in');

/** Light stems of French words. */
export const lightFrench: Stemmer = remembering((term) => finishFrench(cutFrench(term)));

function cutFrench(term: string): string {
  if (term.length > 5 && term.endsWith('x')) {
    const isPluralInAux = term.endsWith('aux') && term.at(-4) !== 'e';
    term = isPluralInAux ? `${term.slice(0, -2)}l` : term.slice(0, -1);
  }
  if (term.length > 3 && term.endsWith('x')) term = term.slice(0, -1);
  if (term.length > 3 && term.endsWith('s')) term = term.slice(0, -1);
  if (findRule(FRENCH_FIRST, term) !== undefined) return applyRules(FRENCH_FIRST, term);
  if (term.length > 6 && term.endsWith('ement')) {
    term = term.slice(0, -4);
    return term.length > 3 && term.endsWith('ive') ? `${term.slice(0, -2)}f` : term;
  }
  if (findRule(FRENCH_AGENTS, term) !== undefined) return applyRules(FRENCH_AGENTS, term);
  if (term.length > 6 && term.endsWith('trice')) term = `${term.slice(0, -4)}eur`;
  if (findRule(FRENCH_MIDDLE, term) !== undefined) return applyRules(FRENCH_MIDDLE, term);
  if (term.length > 4 && term.endsWith('ète')) term = `${term.slice(0, -3)}et`;
  if (term.length > 8 && term.endsWith('ique')) term = term.slice(0, -4);
  if (findRule(FRENCH_LAST, term) !== undefined) return applyRules(FRENCH_LAST, term);
  if (term.length > 9 && term.endsWith('isation')) {
    term = term.slice(0, -7);
    return term.length > 5 && term.endsWith('ual') ? `${term.slice(0, -2)}el` : term;
  }
  if (term.length > 9 && term.endsWith('isateur')) return term.slice(0, -7);
  return term.length > 8 && /[ai]tion$/.test(term) ? term.slice(0, -5) : term;
}

/** Accents, double letters and the vowels of endings go. */
function finishFrench(term: string): string {
  if (term.length > 4) term = foldFrench(term).replace(/(\p{L})\1+/gu, '$1');
  if (term.length > 4 && term.endsWith('ie')) term = term.slice(0, -2);
  if (term.length > 4) {
    if (term.endsWith('r')) term = term.slice(0, -1);
    if (term.endsWith('e')) term = term.slice(0, -1);
    if (term.endsWith('e')) term = term.slice(0, -1);
    if (/(\p{L})\1$/u.test(term)) term = term.slice(0, -1);
  }
  return term;
}

/** Plurals and endings of French words of six letters and more. */
export const minimalFrench: Stemmer = (term) => {
  if (term.length < 6) return term;
  if (term.endsWith('x')) return term.endsWith('aux') ? `${term.slice(0, -2)}l` : term.slice(0, -1);
  for (const ending of ['s', 'r', 'e', 'é']) if (term.endsWith(ending)) term = term.slice(0, -1);
  return term.at(-1) === term.at(-2) ? term.slice(0, -1) : term;
};

const ROMANCE_VOWELS = 'àáâä:a òóôö:o èéêë:e ùúûü:u ìíîï:i';
const foldVowels = characterFolder(ROMANCE_VOWELS);

/** Light stems of Italian words of six letters and more. */
export const lightItalian: Stemmer = (term) =>
  term.length < 6 ? term : foldVowels(term).replace(/(?:[ih][ei]|i?[ao]|[ei])$/, '');

/** Light stems of Spanish words of five letters and more. */
export const lightSpanish: Stemmer = (term) => {
  if (term.length < 5) return term;
  return applyRules(SPANISH, foldVowels(term));
};

const SPANISH = suffixRules('0 o a e eses:es ces:z os as es');

const PORTUGUESE_PLURALS = suffixRules(
  '4 res:r ses:s les:l zes:z',
  '3 ns:m',
  '4 eis:el éis:el ais:al óis:ol is:il',
  '3 ões:ão ães:ão',
  '6 mente',
  '3 s',
);
const PORTUGUESE_FEMININES = suffixRules(
  '7 inha:inho iaca:iaco eira:eiro',
  '6 osa:oso ica:ico ida:ido ada:ado iva:ivo ama:amo ona:ão ora:or esa:ês na:no',
);
const foldPortuguese = characterFolder(`${ROMANCE_VOWELS} ã:a õ:o ç:c`);

/** Light stems of Portuguese words of four letters and more. */
export const lightPortuguese: Stemmer = remembering((term) => {
  if (term.length < 4) return term;
  term = applyRules(PORTUGUESE_PLURALS, term);
  if (term.length > 3) term = applyRules(PORTUGUESE_FEMININES, term);
  if (term.length > 4 && /[eao]$/.test(term)) term = term.slice(0, -1);
  return foldPortuguese(term);
});
