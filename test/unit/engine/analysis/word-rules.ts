// The standard tokenizer as its seven rules read, with regular expressions: slow and plain, to check the
// automaton against.

import data from '../../../../engine/analysis/data/word-break.json';

type ClassName = keyof typeof data.classes;

function ranges(...names: readonly ClassName[]): string {
  return names
    .flatMap((name) => data.classes[name].split(' '))
    .map((range) => {
      const [from = '', to = from] = range.split('-');
      return `\\u{${from}}-\\u{${to}}`;
    })
    .join('');
}

const EXTEND = `[${ranges('extend', 'complexExtend')}]*`;
const one = (...names: readonly ClassName[]): string => `(?:[${ranges(...names)}]${EXTEND})`;

const LETTER = one('letter', 'hangul', 'hebrew');
const HEBREW = one('hebrew');
const NUMBER = one('numeric');
const KATAKANA = one('katakana');
const HANGUL = one('hangul');
const CONNECTOR = one('extendNumLet');
const MID_LETTER = one('midLetter', 'midNumLet', 'singleQuote');
const MID_NUMBER = one('midNum', 'midNumLet', 'singleQuote');
const SINGLE = one('singleQuote');
const DOUBLE = one('doubleQuote');
const REGIONAL = one('regionalIndicator');

const numbers = `${NUMBER}(?:(?:${CONNECTOR}*|${MID_NUMBER})${NUMBER})*`;
const letters = `${LETTER}(?:(?:${CONNECTOR}*|${MID_LETTER})${LETTER})*`;
const katakana = `${KATAKANA}(?:${CONNECTOR}*${KATAKANA})*`;
const element = `${HEBREW}${DOUBLE}${HEBREW}|${HEBREW}${SINGLE}|${numbers}|${letters}`;
const unit = `(?:${katakana}|(?:${element})+)`;

// Anchored at both ends: the caller tries ends from the longest on, so that all readings count and not
// only the one that a regular expression finds first.
const rule = (source: string, type: string | null): { regex: RegExp; type: string | null } => ({
  regex: new RegExp(`^(?:${source})$`, 'u'),
  type,
});

const RULES = [
  rule(`${CONNECTOR}*${numbers}${CONNECTOR}*`, '<NUM>'),
  rule(`${HANGUL}+`, '<HANGUL>'),
  rule(`${KATAKANA}+`, '<KATAKANA>'),
  rule(`${CONNECTOR}*${unit}(?:${CONNECTOR}+${unit})*${CONNECTOR}*`, '<ALPHANUM>'),
  rule(`(?:[${ranges('complex', 'complexExtend')}]${EXTEND})+`, '<SOUTHEAST_ASIAN>'),
  rule(one('han'), '<IDEOGRAPHIC>'),
  rule(one('hiragana'), '<HIRAGANA>'),
  rule(`${REGIONAL}${REGIONAL}+`, null),
];

/** `[term, startOffset, type]` of every token; of rules that match equally much the first one counts. */
export function tokenizeByRules(text: string): [string, number, string][] {
  const characters = [...text];
  const tokens: [string, number, string][] = [];
  let offset = 0;
  for (let start = 0; start < characters.length;) {
    let end = characters.length;
    let matched: { type: string | null } | undefined;
    for (; end > start && matched === undefined; end--) {
      const candidate = characters.slice(start, end).join('');
      matched = RULES.find(({ regex }) => regex.test(candidate));
    }
    const term = characters.slice(start, end + 1).join('');
    if (matched !== undefined && matched.type !== null) tokens.push([term, offset, matched.type]);
    start += matched === undefined ? 1 : [...term].length;
    offset += matched === undefined ? (characters[end]?.length ?? 0) : term.length;
  }
  return tokens;
}
