// Stemmers for Arabic, Bulgarian, Czech, Hindi, Latvian and Sorani, as the reference server applies the
// published algorithms.

import { remembering, type Stemmer } from './stemmer';
import { applyRules, findRule, suffixRules } from './suffixes';

const ARABIC_PREFIXES = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و'];
const ARABIC_SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي'];

/** Takes the article, conjunctions and prepositions off the front of Arabic words, and common suffixes. */
export const arabicStemmer: Stemmer = (term) => {
  for (const prefix of ARABIC_PREFIXES) {
    const shortest = prefix.length === 1 ? 4 : prefix.length + 2;
    if (term.length < shortest || !term.startsWith(prefix)) continue;
    term = term.slice(prefix.length);
    break;
  }
  for (const suffix of ARABIC_SUFFIXES) {
    if (term.length >= suffix.length + 2 && term.endsWith(suffix)) {
      term = term.slice(0, -suffix.length);
    }
  }
  return term;
};

const BULGARIAN_ARTICLES = suffixRules('6 ият', '5 ът то те та ия', '4 ят');
const BULGARIAN_PLURALS = suffixRules('6 овци:о ове еве:й', '5 ища та ци:к зи:г');

/** Articles and plurals of Bulgarian words (Savoy). */
export const bulgarianStemmer: Stemmer = (term) => {
  if (term.length < 4) return term;
  if (term.length > 5 && term.endsWith('ища')) return term.slice(0, -3);
  term = bulgarianSingular(applyRules(BULGARIAN_ARTICLES, term));
  if (term.length > 3) {
    if (term.endsWith('я')) term = term.slice(0, -1);
    if (/[аое]$/.test(term)) term = term.slice(0, -1);
  }
  if (term.length > 4 && term.endsWith('ен')) term = `${term.slice(0, -2)}н`;
  if (term.length > 5 && term.at(-2) === 'ъ') term = term.slice(0, -2) + term.slice(-1);
  return term;
};

function bulgarianSingular(term: string): string {
  if (findRule(BULGARIAN_PLURALS, term) !== undefined) return applyRules(BULGARIAN_PLURALS, term);
  const { length } = term;
  if (length > 5 && term[length - 3] === 'е' && term.endsWith('и')) {
    return `${term.slice(0, -3)}я${term[length - 2]!}`;
  }
  if (length > 4 && term.endsWith('си')) return `${term.slice(0, -2)}х`;
  return length > 4 && term.endsWith('и') ? term.slice(0, -1) : term;
}

const CZECH_CASES = suffixRules(
  '7 atech',
  '6 ětem etem atům',
  '5 ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými',
  '4 em es ém ím ům at ám os us ým mi ou',
  '3 a e i o u ů y á é í ý ě',
);
const CZECH_POSSESSIVES = suffixRules('5 ov in ův');
const CZECH_PALATALS = suffixRules('0 čt:ck št:sk c:k č:k z:h ž:h');

/** Case endings and possessives of Czech words (Dolamic and Savoy). */
export const czechStemmer: Stemmer = (term) => {
  term = applyRules(CZECH_POSSESSIVES, applyRules(CZECH_CASES, term));
  if (findRule(CZECH_PALATALS, term) !== undefined) return applyRules(CZECH_PALATALS, term);
  const last = term.slice(-1);
  if (term.length > 1 && term.at(-2) === 'e') return term.slice(0, -2) + last;
  if (term.length > 2 && term.at(-2) === 'ů') return `${term.slice(0, -2)}o${last}`;
  return term;
};

const HINDI = suffixRules(
  '6 ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां',
  '5 ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां',
  '4 ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं',
  '3 कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें',
  '2 ो े ू ु ी ि ा',
);

/** Endings of Hindi words (Ramanathan and Rao). */
export const hindiStemmer: Stemmer = remembering((term) => applyRules(HINDI, term));

/** Endings with the vowels that words must have more than; those with a star harden what is before them. */
const LATVIAN = (
  'ajiem3 ajai3 ajam2 ajām2 ajos2 ajās2 iem2* ajā2 ais2 ai2 ei2 ām1 am1 ēm1 īm1 im1 um1 us1* as1 ās1 es1 ' +
  'os1* ij1 īs1 ēs1 is1 ie1 u1* a1* i1* e1 ā1 ē1 ī1 ū1 o1 s0 š0'
)
  .split(' ')
  .map((entry) => {
    const [, suffix = '', vowels = '', star = ''] = /^(\D+)(\d)(\*?)$/.exec(entry) ?? [];
    return { suffix, vowels: Number(vowels), hardens: star !== '' };
  });
const LATVIAN_GENITIVE = suffixRules('0 kš:kst ņņ:nn');
const LATVIAN_HARD = suffixRules(
  '0 pj:p bj:b mj:m vj:v šņ:sn žņ:zn šļ:sl žļ:zl ļņ:ln ļļ:ll č:c ļ:l ņ:n',
);

/** Endings of nouns and adjectives of Latvian (after Kreslins). */
export const latvianStemmer: Stemmer = remembering((term) => {
  const vowels = (term.match(/[aeiouāīēū]/g) ?? []).length;
  for (const { suffix, vowels: fewer, hardens } of LATVIAN) {
    if (vowels <= fewer || term.length < suffix.length + 3 || !term.endsWith(suffix)) continue;
    const stem = term.slice(0, -suffix.length);
    if (!hardens) return stem;
    if (suffix.startsWith('u') && findRule(LATVIAN_GENITIVE, stem) !== undefined) {
      return applyRules(LATVIAN_GENITIVE, stem);
    }
    return applyRules(LATVIAN_HARD, stem);
  }
  return term;
});

const SORANI_POSTPOSITIONS = suffixRules('5 دا', '4 نا:ن', '6 ەوە');
const SORANI_POSSESSIVES = suffixRules('6 مان یان تان');
const SORANI = suffixRules(
  '6 ێکی',
  '7 یەکی',
  '5 ێک',
  '6 یەک ەکە',
  '5 کە',
  '7 ەکان',
  '6 کان',
  '7 یانی',
  '6 انی یان',
  '5 ان',
  '7 یانە',
  '6 انە',
  '5 ایە:ا ەیە:ە',
  '4 ە ی',
);

/** Postpositions, possessives and articles of Sorani words. */
export const soraniStemmer: Stemmer = (term) =>
  applyRules(SORANI, applyRules(SORANI_POSSESSIVES, applyRules(SORANI_POSTPOSITIONS, term)));
