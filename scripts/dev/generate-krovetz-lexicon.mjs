// Generates engine/analysis/data/krovetz-lexicon.json, the words that the Krovetz stemmer (kstem) of the
// reference server knows, by asking a running one:
//
//   node scripts/dev/generate-krovetz-lexicon.mjs http://localhost:9200 WORD-LIST...
//
// WORD-LISTs are text files with a word a line: of the checked-in file, /usr/share/dict/american-english-insane
// and british-english-insane of Debian (SCOWL), and those of the package an-array-of-english-words. All
// words of up to three letters, stems that are in no list, and a few more are asked for as well.
//
// A word is known exactly if the stemmer takes -ment off it, or -ize where the word with -ment is known.
// The output is checked in: a stem is part of an index.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [url, ...files] = process.argv.slice(2);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Found by asking once for likely strings of four and five letters, affixed words and compounds. */
const IN_NO_LIST =
  'aircushion airpocket bluebag bugrake clearout cloudbank crossply dewpond doorscraper ' +
  'dustbowl dyeworks federales firtree formbook goddie goodling guiness gunshy hardwearing ' +
  'hawkes inkbottle leitmotive lineout longhop lungpower nightline piggybank pullthrough ' +
  'roseleaf scrumcap stonebreaker tatas tealeaf travelsick';
const WORDS_PER_REQUEST = 5000;

const candidates = new Set(IN_NO_LIST.split(' '));
for (const a of LETTERS) {
  for (const b of ['', ...LETTERS]) for (const c of ['', ...LETTERS]) candidates.add(a + b + c);
}
for (const file of files) {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const word = line.toLowerCase().replace(/'s$/, '');
    if (/^[a-z]+$/.test(word)) candidates.add(word);
  }
}

/** The stems of `words`, in their order. */
async function stems(words) {
  const found = [];
  for (let start = 0; start < words.length; start += WORDS_PER_REQUEST) {
    const body = words.slice(start, start + WORDS_PER_REQUEST).join(' ');
    const path = '/_analyze?tokenizer=whitespace&filters=kstem';
    const { tokens } = await (await fetch(url + path, { method: 'POST', body })).json();
    for (const { token } of tokens) found.push(token);
  }
  return found;
}

for (const stem of await stems([...candidates])) candidates.add(stem);
const words = [...candidates].sort();
const ment = await stems(words.map((word) => `${word}ment`));
const ize = await stems(words.map((word) => `${word}ize`));
const known = [];
const roots = [];
words.forEach((word, index) => {
  const taken = ment[index] !== `${word}ment`;
  if (!taken && ize[index] !== word) return;
  known.push(word);
  if (taken && ment[index] !== word) roots.push(`${word}:${ment[index]}`);
});

/** Words in -e whose forms in -ed or -ing are put to another word. */
const inE = known.filter((word) => /[aeiouy].*.e$/.test(word));
const knownWords = new Set(known);
const rooted = new Set(roots.map((entry) => entry.split(':')[0]));
const past = inE.map((word) => `${word}d`);
const present = inE.map((word) => `${word.slice(0, -1)}ing`);
const stemsOfPast = await stems(past);
const stemsOfPresent = await stems(present);
const exceptions = inE.filter((word, index) => {
  if (rooted.has(word) || word.length < 4) return false;
  return [
    [past[index], stemsOfPast[index]],
    [present[index], stemsOfPresent[index]],
  ].some(([form, stem]) => !knownWords.has(form) && stem !== word);
});

let previous = '';
const coded = known.map((word) => {
  let shared = 0;
  while (shared < previous.length && previous[shared] === word[shared]) shared++;
  previous = word;
  return shared.toString(36) + word.slice(shared);
});
const path = fileURLToPath(
  new URL('../../engine/analysis/data/krovetz-lexicon.json', import.meta.url),
);
const lines = Object.entries({ words: coded, roots, exceptions }).map(
  ([name, list]) => `"${name}": ${JSON.stringify(list.join(' '))}`,
);
writeFileSync(path, `{\n ${lines.join(',\n ')}\n}\n`);
