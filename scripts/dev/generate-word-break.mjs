// Generates engine/analysis/data/word-break.json, the character classes that the tokenizers work with,
// from the Unicode 6.3 data of the development dependency @unicode/unicode-6.3.0:
//
//   node scripts/dev/generate-word-break.mjs
//
// The Unicode version is part of an index: newer data would cut the same text differently, so terms
// already indexed would no longer be found. The output is checked in and never follows the runtime.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DATA = '@unicode/unicode-6.3.0';
const LIMIT = 0x110000;

async function property(path) {
  const { default: ranges } = await import(`${DATA}/${path}/ranges.mjs`);
  const set = new Uint8Array(LIMIT);
  for (const { begin, end } of ranges) set.fill(1, begin, end);
  return set;
}

/** Inclusive hexadecimal ranges, separated by blanks: `41-5a 5f`. */
function rangesOf(test) {
  const parts = [];
  for (let from = 0; from < LIMIT; from++) {
    if (!test(from)) continue;
    let to = from;
    while (to + 1 < LIMIT && test(to + 1)) to++;
    parts.push(from === to ? from.toString(16) : `${from.toString(16)}-${to.toString(16)}`);
    from = to;
  }
  return parts.join(' ');
}

const wordBreak = async (name) => property(`Word_Break/${name}`);
const aLetter = await wordBreak('ALetter');
const extend = await wordBreak('Extend');
const format = await wordBreak('Format');
const hangul = await property('Script/Hangul');
const han = await property('Script/Han');
const hiragana = await property('Script/Hiragana');
const complexContext = await property('Line_Break/Complex_Context');
const numeric = await wordBreak('Numeric');
const letter = await property('General_Category/Letter');
for (let digit = 0xff10; digit <= 0xff19; digit++) numeric[digit] = 1;

const extending = (c) => extend[c] || format[c];

// In order of precedence where properties overlap: a letter of Script=Han (such as U+3005) is a letter,
// because the rule for words comes before the one for ideographs.
const candidates = {
  hangul: (c) => aLetter[c] && hangul[c],
  letter: (c) => aLetter[c],
  complexExtend: (c) => complexContext[c] && extending(c),
  extend: extending,
};
for (const [name, value] of [
  ['hebrew', 'Hebrew_Letter'],
  ['katakana', 'Katakana'],
  ['extendNumLet', 'ExtendNumLet'],
  ['midLetter', 'MidLetter'],
  ['midNum', 'MidNum'],
  ['midNumLet', 'MidNumLet'],
  ['singleQuote', 'Single_Quote'],
  ['doubleQuote', 'Double_Quote'],
  ['regionalIndicator', 'Regional_Indicator'],
]) {
  const set = await wordBreak(value);
  candidates[name] = (c) => set[c];
}
candidates.numeric = (c) => numeric[c];
candidates.complex = (c) => complexContext[c];
candidates.han = (c) => han[c];
candidates.hiragana = (c) => hiragana[c];

const names = Object.keys(candidates);
const classOf = new Array(LIMIT);
for (let c = 0; c < LIMIT; c++) {
  const matching = names.filter((name) => candidates[name](c));
  classOf[c] = matching[0];
  const known = new Set([
    'hangul,letter',
    'letter,han',
    'complexExtend,extend,complex',
    'extend,han',
  ]);
  if (matching.length > 1 && !known.has(matching.join())) {
    throw new Error(`U+${c.toString(16)} has the classes ${matching.join(' and ')}`);
  }
}

const output = { unicode: '6.3.0', classes: {}, letters: rangesOf((c) => letter[c]) };
for (const name of names) output.classes[name] = rangesOf((c) => classOf[c] === name);
const file = fileURLToPath(new URL('../../engine/analysis/data/word-break.json', import.meta.url));
writeFileSync(file, `${JSON.stringify(output, null, 1)}\n`);
