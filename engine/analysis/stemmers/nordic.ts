// Light and minimal stemmers for Finnish, Norwegian and Swedish (University of Neuchâtel and others), as
// the reference server applies them.

import { characterFolder } from './fold';
import { remembering, type Stemmer } from './stemmer';
import { applyRules, findRule, suffixRules, type SuffixRule } from './suffixes';

const cutGenitive = (term: string): string =>
  term.length > 4 && term.endsWith('s') ? term.slice(0, -1) : term;

/** A stemmer that takes off the s of the genitive, then the first ending of a table. */
function endings(rules: readonly SuffixRule[]): Stemmer {
  return (term) => applyRules(rules, cutGenitive(term));
}

/** Light stems of Norwegian words in Bokmål. */
export const lightNorwegian: Stemmer = endings(
  suffixRules(
    '7 heter heten',
    '5 dom het',
    '7 elser elsen',
    '6 ende else este eren',
    '5 ere est ene',
    '4 er en et st te',
    '3 a e n',
  ),
);

/** Light stems of Norwegian words in Nynorsk. */
export const lightNynorsk: Stemmer = endings(
  suffixRules(
    '7 heita',
    '8 heiter leiken leikar',
    '5 dom',
    '6 heit semd leik',
    '7 elser elsen',
    '6 ande else aste aren',
    '5 are ast ene ane',
    '4 er en et ar te',
    '3 a e n',
  ),
);

/** Plurals and articles of Norwegian words in Bokmål. */
export const minimalNorwegian: Stemmer = endings(suffixRules('5 ene', '4 er en et', '3 a e'));

/** Plurals and articles of Norwegian words in Nynorsk. */
export const minimalNynorsk: Stemmer = endings(suffixRules('5 ene ane', '4 er en et ar', '3 a e'));

/** Light stems of Swedish words. */
export const lightSwedish: Stemmer = endings(
  suffixRules(
    '7 elser heten',
    '6 arne erna ande else aste orna aren',
    '5 are ast het',
    '4 ar er or en at te et',
    '3 t a e n',
  ),
);

const foldFinnish = characterFolder('äå:a ö:o');
const FINNISH_PARTICLES = suffixRules('8 kin ko');
const FINNISH_ADJECTIVES = suffixRules('11 dellinen dellisuus');
const FINNISH_ADVERBS = suffixRules('5 lla tse sti ni aa:a');
const FINNISH_CASES = suffixRules('8 nnen:s ntena:s tten eiden', '6 neen niin seen teen inen');
const FINNISH_LOCATIVES = suffixRules('6 den:s ksen:s ssa sta lla lta tta ksi lle', '5 na ne nei');
const FINNISH_SHORT = suffixRules('4 ja ta a');
const FINNISH_NORMAL = suffixRules('5 hde:ksi', '4 ei at', '3 t s j e a i');

/** Light stems of Finnish words of four letters and more. */
export const lightFinnish: Stemmer = remembering((term) => {
  if (term.length < 4) return term;
  let stem = foldFinnish(term);
  while (findRule(FINNISH_PARTICLES, stem) !== undefined)
    stem = applyRules(FINNISH_PARTICLES, stem);
  stem = applyRules(FINNISH_ADVERBS, applyRules(FINNISH_ADJECTIVES, stem));
  stem = applyRules(FINNISH_NORMAL, cutFinnishCase(stem));
  if (stem.length > 8 && /[eou]$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.length <= 4) return stem;
  if (stem.endsWith('i')) stem = stem.slice(0, -1);
  return stem.length > 4 ? stem.replace(/([kpt])\1+/g, '$1') : stem;
});

function cutFinnishCase(term: string): string {
  let stem = applyRules(FINNISH_CASES, term);
  if (stem !== term) return stem;
  if (term.length > 6 && /h[aeiouy]n$/.test(term)) return term.slice(0, -3);
  stem = applyRules(FINNISH_LOCATIVES, term);
  if (stem !== term) return stem;
  if (term.length > 4 && term.endsWith('n')) {
    return term.slice(0, /[aeiouy]n$/.test(term) ? -2 : -1);
  }
  return applyRules(FINNISH_SHORT, term);
}
