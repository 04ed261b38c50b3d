// Generates engine/analysis/data/stop-words.json, the stop word lists of the reference server, from lists
// in the development dependencies stopword, stopwords-json and lunr-languages:
//
//   node scripts/dev/generate-stop-words.mjs
//
// The lists are those of Snowball and of the authors of the stemmers; packages carry most of them exactly.
// Where a package has a newer or a merged list, stop-word-corrections.json says by which words it differs
// from the list of the reference server. The output is checked in: a list is part of an index, newer
// words would not be found in what is already indexed.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as stopword from 'stopword';

const require = createRequire(import.meta.url);
const merged = require('stopwords-json/stopwords-all.json');

/** The list that a language of lunr-languages hands to lunr when it is registered. */
function lunr(code) {
  let words = [];
  const host = () => {};
  host.Pipeline = { registerFunction() {} };
  host.trimmerSupport = { generateTrimmer() {} };
  host.stemmerSupport = new Proxy({}, { get: () => function Part() {} });
  host.generateStopWordFilter = (list) => {
    words = list;
  };
  require(`lunr-languages/lunr.${code}`)(host);
  return words;
}

/** Persian lists are compared after normalization: Arabic letter forms, no hamza. */
function normalizePersian(word) {
  return word
    .replace(/[\u06cc\u06d2]/g, '\u064a')
    .replace(/\u06a9/g, '\u0643')
    .replace(/[\u06c0\u06d5]/g, '\u0647')
    .replace(/\u0654/g, '');
}

const SOURCES = {
  arabic: merged.ar,
  armenian: merged.hy,
  basque: merged.eu,
  brazilian: merged.br,
  bulgarian: stopword.bul,
  catalan: merged.ca,
  czech: merged.cs,
  danish: lunr('da'),
  dutch: lunr('nl'),
  finnish: lunr('fi'),
  french: lunr('fr'),
  galician: merged.gl,
  german: lunr('de'),
  greek: merged.el,
  hindi: merged.hi,
  hungarian: lunr('hu'),
  indonesian: merged.id,
  irish: merged.ga,
  italian: lunr('it'),
  latvian: merged.lv,
  norwegian: lunr('no'),
  persian: merged.fa.map(normalizePersian),
  portuguese: lunr('pt'),
  romanian: lunr('ro'),
  russian: stopword.rus,
  sorani: stopword.kur,
  spanish: lunr('es'),
  swedish: lunr('sv'),
  thai: merged.th,
  turkish: lunr('tr'),
};

const corrections = JSON.parse(
  readFileSync(new URL('stop-word-corrections.json', import.meta.url), 'utf8'),
);
const split = (text) => (text ?? '').split(' ').filter((word) => word !== '');
const lists = Object.entries(SOURCES).map(([language, source]) => {
  const { add, drop } = corrections[language] ?? {};
  const words = new Set([...source.map((word) => word.trim()), ...split(add)]);
  for (const word of ['', ...split(drop)]) words.delete(word);
  return `"${language}": ${JSON.stringify([...words].sort().join(' '))}`;
});
const path = fileURLToPath(new URL('../../engine/analysis/data/stop-words.json', import.meta.url));
writeFileSync(path, `{\n ${lists.join(',\n ')}\n}\n`);
