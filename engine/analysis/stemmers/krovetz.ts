// The Krovetz stemmer (R. Krovetz, "Viewing morphology as an inference process", 1993) as the reference
// server applies it: endings are taken off only as far as a lexicon knows what remains.
//
// Every step looks at one ending. It names words to look for in the lexicon, of which the first known one is
// the stem, and the word with which the next step goes on when none is known.

import { krovetzLexicon, type KrovetzLexicon } from './krovetz-lexicon';
import { remembering, type Stemmer } from './stemmer';

/** What a step makes of a word that has its ending. */
interface Attempt {
  /** Looked for first, unless its inflected forms are those of another word. */
  readonly regular?: string;
  /** Words to look for, in this order. */
  readonly tries: readonly string[];
  readonly otherwise: string;
}

/** Null when the word does not have the ending. */
type Step = (word: string) => Attempt | null;

/** Shorter and longer words stay as they are. */
const SHORTEST = 3;
const LONGEST = 49;

function isConsonant(word: string, index: number): boolean {
  let letter = word.charCodeAt(index);
  // A y is a consonant at the beginning and after a vowel: of several, every other one.
  let negations = 0;
  while (letter === 0x79 && index > 0) {
    negations++;
    letter = word.charCodeAt(--index);
  }
  const consonant = !'aeiou'.includes(word[index]!);
  return negations % 2 === 0 ? consonant : !consonant;
}

function hasVowel(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (!isConsonant(word, i)) return true;
  return false;
}

function endsDoubled(word: string): boolean {
  const last = word.length - 1;
  return last >= 1 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** What stands before an ending; null when the word does not have it or is nothing else. */
function before(word: string, ending: string): string | null {
  return word.length > ending.length && word.endsWith(ending)
    ? word.slice(0, -ending.length)
    : null;
}

/** `word` without its last `count` letters. */
const cut = (word: string, count: number): string => word.slice(0, word.length - count);

/** The stem with one letter of a doubled consonant at its end, if it has one. */
const undoubled = (stem: string): readonly string[] => (endsDoubled(stem) ? [cut(stem, 1)] : []);

/** The word when it is known, else goes on with it all the same. */
const accept = (word: string): Attempt => ({ tries: [word], otherwise: word });

const plural: Step = (word) => {
  if (!word.endsWith('s')) return null;
  let stem = before(word, 'ies');
  if (stem !== null) return { tries: [`${stem}ie`, `${stem}y`], otherwise: `${stem}y` };
  stem = before(word, 'es');
  if (stem !== null) {
    const otherwise = `${stem}e`;
    const keepsE = stem.length > 1 && !stem.endsWith('ss');
    return { tries: keepsE ? [otherwise, stem] : [stem, otherwise], otherwise };
  }
  return word.length > 3 && !/(?:s|ou)s$/.test(word) ? accept(cut(word, 1)) : null;
};

const pastTense: Step = (word) => {
  if (word.length <= 4) return null;
  let stem = before(word, 'ied');
  if (stem !== null) return { tries: [`${stem}ie`, `${stem}y`], otherwise: `${stem}y` };
  stem = before(word, 'ed');
  return stem === null
    ? null
    : inflected(stem, (rest) => (rest.startsWith('un') ? word : `${rest}e`));
};

const presentParticiple: Step = (word) => {
  const stem = word.length > 5 ? before(word, 'ing') : null;
  if (stem === null) return null;
  return inflected(stem, (rest) => {
    const last = rest.length - 1;
    return last > 0 && isConsonant(rest, last) && isConsonant(rest, last - 1) ? rest : `${rest}e`;
  });
};

/** @param unknown what a stem becomes that neither is known nor ends in a doubled consonant */
function inflected(stem: string, unknown: (stem: string) => string): Attempt | null {
  if (!hasVowel(stem)) return null;
  const otherwise = endsDoubled(stem) ? stem : unknown(stem);
  return { regular: `${stem}e`, tries: [stem, ...undoubled(stem)], otherwise };
}

const ity: Step = (word) => {
  const stem = before(word, 'ity');
  if (stem === null) return null;
  const tries = [stem, `${stem}e`];
  if (stem.length > 2 && stem.endsWith('il')) {
    const able = `${cut(stem, 2)}le`;
    return { tries: [...tries, able], otherwise: able };
  }
  return { tries, otherwise: stem.length > 2 && stem.endsWith('iv') ? `${stem}e` : stem };
};

const ness: Step = (word) => {
  const stem = before(word, 'ness');
  return stem === null ? null : accept(stem.replace(/i$/, 'y'));
};

const ion: Step = (word) => {
  const stem = before(word, 'ion');
  if (stem === null) return null;
  const verb = before(word, 'ization');
  if (verb !== null) return accept(`${verb}ize`);
  const tries: string[] = [];
  const ition = before(word, 'ition');
  if (ition !== null) tries.push(`${ition}e`);
  const ation = before(word, 'ation');
  if (ation !== null) tries.push(`${ation}ate`, `${ation}e`, ation);
  const ication = before(word, 'ication');
  if (ication !== null) tries.push(`${ication}y`);
  return { tries: [...tries, `${stem}e`, stem], otherwise: word };
};

const agent: Step = (word) => {
  const stem = before(word, 'er') ?? before(word, 'or');
  if (stem === null) return null;
  const verb = before(word, 'izer');
  if (verb !== null) return accept(`${verb}ize`);
  const tries = [...undoubled(stem)];
  if (stem.endsWith('i')) tries.push(`${cut(stem, 1)}y`, `${stem}e`);
  else {
    if (stem.endsWith('e')) tries.push(cut(stem, 1));
    tries.push(cut(word, 1));
  }
  return { tries: [...tries, stem, `${stem}e`], otherwise: word };
};

const ly: Step = (word) => {
  const stem = before(word, 'ly');
  if (stem === null) return null;
  const tries = [`${stem}le`, stem];
  if (stem.length > 1 && stem.endsWith('ab')) return { tries, otherwise: `${stem}le` };
  if (stem.endsWith('i')) tries.push(`${cut(stem, 1)}y`);
  return { tries, otherwise: stem };
};

const al: Step = (word) => {
  const stem = word.length < 4 ? null : before(word, 'al');
  if (stem === null) return null;
  const tries = [stem, ...undoubled(stem), `${stem}e`, `${stem}um`];
  if (stem.length > 1 && stem.endsWith('ic')) {
    const root = cut(stem, 2);
    return { tries: [...tries, root, `${root}y`], otherwise: stem };
  }
  return { tries: stem.endsWith('i') ? [...tries, cut(stem, 1)] : tries, otherwise: word };
};

const ive: Step = (word) => {
  const stem = before(word, 'ive');
  if (stem === null) return null;
  const root = stem.length > 1 && stem.endsWith('at') ? cut(stem, 2) : null;
  const ative = root === null ? [] : [`${root}e`, root];
  return { tries: [stem, `${stem}e`, ...ative, `${stem}ion`], otherwise: word };
};

const ize: Step = (word) => {
  const stem = before(word, 'ize');
  return stem === null ? null : { tries: [stem, ...undoubled(stem), `${stem}e`], otherwise: word };
};

const ment: Step = (word) => {
  const stem = before(word, 'ment');
  return stem === null ? null : { tries: [stem], otherwise: word };
};

const ble: Step = (word) => {
  const stem = before(word, 'ble');
  if (stem === null || !/[ai]$/.test(stem)) return null;
  const root = cut(stem, 1);
  return { tries: [root, ...undoubled(root), `${root}e`, `${root}ate`], otherwise: word };
};

const ism: Step = (word) => {
  const stem = before(word, 'ism');
  return stem === null ? null : accept(stem);
};

const ic: Step = (word) => {
  const stem = before(word, 'ic');
  return stem === null
    ? null
    : { tries: [`${stem}ical`, `${stem}y`, `${stem}e`, stem], otherwise: word };
};

const ncy: Step = (word) => {
  const stem = before(word, 'ncy');
  if (stem === null || !/[ae]$/.test(stem)) return null;
  return { tries: [`${stem}nt`, `${stem}nce`], otherwise: `${stem}nce` };
};

const nce: Step = (word) => {
  const stem = before(word, 'nce');
  if (stem === null || !/[ae]$/.test(stem)) return null;
  const root = cut(stem, 1);
  return { tries: [`${root}e`, root], otherwise: word };
};

/** In the order in which endings are taken off. */
const STEPS: readonly Step[] = [
  plural,
  pastTense,
  presentParticiple,
  ity,
  ness,
  ion,
  agent,
  ly,
  al,
  ive,
  ize,
  ment,
  ble,
  ism,
  ic,
  ncy,
  nce,
];

/** The root of the first word of `attempt` that is known. */
function known(attempt: Attempt, lexicon: KrovetzLexicon): string | undefined {
  if (attempt.regular !== undefined && !lexicon.isException(attempt.regular)) {
    const root = lexicon.root(attempt.regular);
    if (root !== undefined) return root;
  }
  for (const word of attempt.tries) {
    const root = lexicon.root(word);
    if (root !== undefined) return root;
  }
  return undefined;
}

/** Stems of English words in lower case, words of the lexicon mostly; other than a-z is kept. */
export const krovetzStemmer: Stemmer = remembering((term) => {
  if (term.length < SHORTEST || term.length > LONGEST) return term;
  const lexicon = krovetzLexicon();
  const root = lexicon.root(term);
  if (root !== undefined || !/^[a-z]+$/.test(term)) return root ?? term;
  let word = term;
  for (const step of STEPS) {
    const attempt = step(word);
    if (attempt === null) continue;
    const stem = known(attempt, lexicon);
    if (stem !== undefined) return stem;
    word = attempt.otherwise;
  }
  return word;
});
