// The Dutch stemmer of W. Kraaij and R. Pohlmann ("Porter's stemming algorithm for Dutch", 1994), in the form
// that the Snowball project published as kraaij_pohlmann, as the reference server applies it.
//
// Endings are taken off, then ge- at the beginning or within; what that leaves is spelled as a word of its
// own. A y that is a consonant is written Y meanwhile.

import { remembering, type Stemmer } from './stemmer';

/** A word, and where its regions R1 and R2 begin: behind its first and second syllable with a consonant. */
interface Word {
  readonly text: string;
  readonly r1: number;
  readonly r2: number;
}

/**
 * What an ending becomes.
 * @param rest what stands before it
 * @returns the word that takes the place of rest and ending; null when the ending stays
 */
type Rule = (rest: string, word: Word) => string | null;

/** Rules by ending; only that of the longest ending of a word is applied. */
type Step = ReadonlyMap<string, Rule>;

const isVowel = (char: string | undefined): boolean =>
  char !== undefined && 'aeiouy'.includes(char);

const endsInVowel = (text: string): boolean => isVowel(text.at(-1)) || text.endsWith('ij');
const endsInConsonant = (text: string): boolean => text !== '' && !endsInVowel(text);

/** Doubles the vowel of an open syllable that has become a closed one: lopen, lop, loop. */
function lengthen(text: string): string {
  const at = text.length - 2;
  if (at < 0 || 'aeiouywx'.includes(text[at + 1]!)) return text;
  const vowel = text[at]!;
  if (!'aoue'.includes(vowel) || isVowel(text[at - 1])) return text;
  if (vowel === 'e') {
    const isFull = (index: number): boolean => index >= 0 && 'aiou'.includes(text[index]!);
    if (isFull(at - 2) || (isFull(at - 3) && at >= 4 && !isVowel(text[at - 4]))) return text;
  }
  return text.slice(0, at) + vowel + text.slice(at);
}

/** Puts `ending` in the place of the one found when that lies in R1. */
const inR1 =
  (ending: string): Rule =>
  (rest, { r1 }) =>
    rest.length >= r1 ? rest + ending : null;

const inR1AfterConsonant =
  (ending: string): Rule =>
  (rest, { r1 }) =>
    rest.length >= r1 && endsInConsonant(rest) ? rest + ending : null;

const inR1AfterVowel =
  (ending: string): Rule =>
  (rest, { r1 }) =>
    rest.length >= r1 && endsInVowel(rest) ? rest + ending : null;

const always =
  (ending: string): Rule =>
  (rest) =>
    rest + ending;

const lengthened =
  (rule: Rule): Rule =>
  (rest, word) => {
    const text = rule(rest, word);
    return text === null ? null : lengthen(text);
  };

/** The rule of `before` where it stands before the ending and its own applies, else `otherwise`. */
const after =
  (before: string, rule: Rule, otherwise: Rule): Rule =>
  (rest, word) => {
    const own = rest.endsWith(before)
      ? rule(rest.slice(0, rest.length - before.length), word)
      : null;
    return own ?? otherwise(rest, word);
  };

function step(...rules: readonly (readonly [endings: string, rule: Rule])[]): Step {
  const entries = rules.flatMap(([endings, rule]) =>
    endings.split(' ').map((ending) => [ending, rule] as const),
  );
  return new Map(entries.sort(([a], [b]) => b.length - a.length));
}

/** `word` after a step; null when the step leaves it alone. */
function take(rules: Step, word: Word): string | null {
  for (const [ending, rule] of rules) {
    if (word.text.endsWith(ending)) {
      return rule(word.text.slice(0, word.text.length - ending.length), word);
    }
  }
  return null;
}

/** The -s of a plural or genitive, unless a t of R1 stands before it. */
const genitive: Rule = (rest, word) =>
  rest.endsWith('t') && rest.length > word.r1 ? null : inR1AfterConsonant('')(rest, word);

const pluralEn: Rule = after(
  'hed',
  inR1('heid'),
  after(
    'nd',
    always('nd'),
    after('d', inR1AfterConsonant(''), (rest, word) =>
      /[ij]$/.test(rest) && endsInVowel(rest.slice(0, -1))
        ? rest
        : lengthened(inR1AfterConsonant(''))(rest, word),
    ),
  ),
);

const diminutive: Rule = [
  ['et', inR1AfterConsonant('')],
  ['rnt', always('rn')],
  [
    't',
    (rest: string, { r1 }: Word) =>
      rest.length >= r1 && rest !== '' && endsInVowel(rest.slice(0, -1)) ? rest : null,
  ],
  ['ink', always('ing')],
  ['mp', always('m')],
  ["'", inR1('')],
].reduceRight<Rule>(
  (otherwise, [before, rule]) => after(before as string, rule as Rule, otherwise),
  inR1AfterConsonant(''),
);

const INFLECTIONS = step(
  ["'s", always('')],
  ['s', genitive],
  ['ies', inR1('ie')],
  [
    'es',
    after(
      'ar',
      lengthened(inR1AfterConsonant('')),
      after('er', inR1AfterConsonant(''), inR1AfterConsonant('e')),
    ),
  ],
  ['aus', inR1AfterVowel('au')],
  ['en', pluralEn],
  ['nde', always('nd')],
);

const FINAL_E = step(
  ['je', after("'t", always(''), diminutive)],
  ['ge', inR1('g')],
  ['lijke', inR1('lijk')],
  ['ische', inR1('isch')],
  ['de', inR1AfterConsonant('')],
  ['te', inR1('t')],
  ['se', inR1('s')],
  ['re', inR1('r')],
  ['le', lengthened(inR1('l'))],
  ['ene', lengthened(inR1AfterConsonant('en'))],
  ['ieve', inR1AfterConsonant('ief')],
);

const inR2 =
  (ending: string): Rule =>
  (rest, { r2 }) =>
    rest.length >= r2 ? rest + ending : null;

const NOUNS = step(
  ['atie', inR1('eer')],
  ['iteit ing isme erij', lengthened(inR1(''))],
  ['heid sel ster', inR1('')],
  ['rder', always('r')],
  ['arij', inR1AfterConsonant('aar')],
  ['fie', lengthened(inR2('f'))],
  ['gie', lengthened(inR2('g'))],
  ['tst', inR1AfterConsonant('t')],
  ['dst', inR1AfterConsonant('d')],
);

const ADJECTIVES = step(
  ['ioneel', inR1('ie')],
  ['atief', inR1('eer')],
  ['baar achtig achtiger achtigst', inR1('')],
  ['naar', inR1AfterVowel('n')],
  ['laar', inR1AfterVowel('l')],
  ['raar', inR1AfterVowel('r')],
  ['tant', inR1('teer')],
  ['lijker lijkst', inR1('lijk')],
  ['eriger erigst erig end', lengthened(inR1AfterConsonant(''))],
);

const SHORT_ADJECTIVES = step(['iger igst ig', lengthened(inR1AfterConsonant(''))]);

/** The -d and -t of participles. */
const PARTICIPLES = step(
  ['d', (rest, word) => (endsInR1(rest, 'n', word) ? null : inR1AfterConsonant('')(rest, word))],
  ['t', (rest, word) => (endsInR1(rest, 'h', word) ? null : inR1AfterConsonant('')(rest, word))],
);

function endsInR1(rest: string, letter: string, { r1 }: Word): boolean {
  return rest.endsWith(letter) && rest.length > r1;
}

/** Divides a word into its regions. */
function measure(text: string): Word {
  const found = /^[^aeiouy]*(?:ij|[aeiouy])+[^aeiouy]/.exec(text);
  if (found === null) return { text, r1: text.length, r2: text.length };
  const r1 = found[0].length;
  const next = /^[^aeiouy]*(?:ij|[aeiouy])+[^aeiouy]/.exec(text.slice(r1));
  return { text, r1, r2: next === null ? text.length : r1 + next[0].length };
}

/** `text` without the `ge` at `at`, or null when there is none or too little of a word follows. */
function withoutGe(text: string, at: number): string | null {
  if (at < 0 || at + 5 > text.length) return null;
  const rest = text.slice(at + 2);
  return /^[^aeiouy]*[aeiouy]+[^aeiouy]/.test(rest) ? text.slice(0, at) + rest : null;
}

/** Spells the end of what was a part of a word: no doubled consonants, f and s for v and z. */
function spell(text: string): string {
  if (/([bcdfghjklmnpqrstvwxz])\1$/.test(text)) return text.slice(0, -1);
  return text.replace(/v$/, 'f').replace(/z$/, 's');
}

/** Writes each y that is a consonant as Y: at the beginning and behind vowels. */
function markConsonants(text: string): string {
  let marked = text.startsWith('y') ? `Y${text.slice(1)}` : text;
  for (let i = 1; i < marked.length; i++) {
    if (marked[i] === 'y' && isVowel(marked[i - 1])) {
      marked = `${marked.slice(0, i)}Y${marked.slice(i + 1)}`;
    }
  }
  return marked;
}

/** Stems of Dutch words. */
export const kraaijPohlmannStemmer: Stemmer = remembering((term) => {
  const marked = markConsonants(term);
  let word = measure(marked);
  let stemmed = false;
  const set = (text: string | null): boolean => {
    if (text === null) return false;
    word = { ...word, text };
    stemmed = true;
    return true;
  };
  set(take(INFLECTIONS, word));
  set(take(FINAL_E, word));
  set(take(NOUNS, word));
  if (!set(take(ADJECTIVES, word))) set(take(SHORT_ADJECTIVES, word));
  let inner = withoutGe(word.text, word.text.startsWith('ge') ? 0 : -1);
  if (inner !== null) word = participle(inner);
  inner = withoutGe(word.text, word.text.indexOf('ge', 1));
  if (inner !== null) word = participle(inner);
  let { text } = word;
  if (/[kfp]t$/.test(text)) {
    text = text.slice(0, -1);
    stemmed = true;
  }
  if (stemmed || inner !== null) text = spell(text);
  return marked === term ? text : text.replaceAll('Y', 'y');
});

/** What was behind ge-, without the ending of a participle. */
function participle(text: string): Word {
  const word = measure(text);
  return { ...word, text: take(PARTICIPLES, word) ?? text };
}
