// Random text through every built-in analyzer, and every token filter that needs no settings: offsets stay
// inside the text, starts do not go back, and both ways of analysing give the same terms.

import {
  ANALYZER_TYPES,
  builtinAnalyzer,
  builtinTokenFilter,
  TOKEN_FILTER_TYPES,
} from '../../engine/analysis/builtin';
import type { Analyzer } from '../../engine/analysis/chain/analyzer';
import { ChainAnalyzer } from '../../engine/analysis/chain/chain-analyzer';
import { ComponentSettings } from '../../engine/analysis/chain/component-settings';
import { standardTokenizer } from '../../engine/analysis/tokenizers/standard';
import { Random, testSeed } from '../support/random';
import { fastTerms, terms } from '../unit/engine/analysis/support';

const PIECES = [
  ..."aB1-_.'’ \t\n<>&;|/$éßİΣς日テひ한\u0301\u200c\ud83d",
  ...['😀', '\u{10400}', '<b>', '&amp;', "l'", 'Wi-Fi', '500-42', ' the ', ' running ', ' horses '],
  ...[' nationalization ', ' Häuser ', ' gezongen ', ' ελληνικά ', ' Ελλάδος ', ' canções '],
  ...[' fermosísimas ', ' ภาษาไทย ', 'สวัสดีครับ', ' книгами ', ' كتابها ', ' हिन्दी ', ' kirjoissa '],
];

const analyzers = [...ANALYZER_TYPES.keys()].map((name) => builtinAnalyzer(name)!);
const chains = [...TOKEN_FILTER_TYPES.keys()].flatMap((name) => {
  const filter = builtinTokenFilter(name);
  if (filter === null) return [];
  const tokenizer = standardTokenizer(ComponentSettings.EMPTY);
  return [new ChainAnalyzer(`standard + ${name}`, { tokenizer, tokenFilters: [filter] })];
});

function randomText(random: Random): string {
  let text = '';
  for (let i = random.below(40); i > 0; i--) text += PIECES[random.below(PIECES.length)]!;
  return text;
}

function check(analyzer: Analyzer, text: string, seed: number): void {
  const problems: unknown[] = [];
  let last = 0;
  for (const token of analyzer.analyze(text)) {
    const { startOffset, endOffset } = token;
    const isInside = startOffset <= endOffset && endOffset <= text.length;
    if (startOffset < last || !isInside) problems.push(token);
    last = startOffset;
  }
  expect({ analyzer: analyzer.name, text, seed, problems }).toMatchObject({ problems: [] });
  expect([analyzer.name, text, fastTerms(analyzer, text)]).toEqual([
    analyzer.name,
    text,
    terms(analyzer, text),
  ]);
}

test.each([
  ['analyzer', analyzers],
  ['token filter', chains],
])('every %s', (_, all) => {
  const random = new Random(testSeed(1963));
  expect(all.length).toBeGreaterThan(30);
  for (let i = 0; i < 40; i++) {
    const text = randomText(random);
    for (const analyzer of all) check(analyzer, text, random.seed);
  }
});
