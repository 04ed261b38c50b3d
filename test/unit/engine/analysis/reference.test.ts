// Answers of the reference server's `_analyze`, recorded once (reference.json): chains and texts in which
// offsets, positions or the order of tokens are not obvious.

import { builtinTokenFilter } from '../../../../engine/analysis/builtin';
import { ChainAnalyzer } from '../../../../engine/analysis/chain/chain-analyzer';
import { standardTokenizer } from '../../../../engine/analysis/tokenizers/standard';
import { ComponentSettings } from '../../../../engine/analysis/chain/component-settings';
import type { Analyzer } from '../../../../engine/analysis/chain/analyzer';
import { Random } from '../../../support/random';
import recorded from './reference.json';
import { fastTerms, registryOf, terms } from './support';

const registry = registryOf(recorded.analysis);

function analyzerOf(name: string): Analyzer {
  const filter = /filters=(\w+)/.exec(name)?.[1];
  if (filter === undefined) return registry.analyzer(name)!;
  return new ChainAnalyzer(name, {
    tokenizer: standardTokenizer(ComponentSettings.EMPTY),
    tokenFilters: [builtinTokenFilter(filter)!],
  });
}

function tokens(analyzer: Analyzer, text: string): string[] {
  let position = 0;
  return analyzer.analyze(text).map(({ term, startOffset, endOffset, positionIncrement, type }) => {
    position += positionIncrement;
    return `${term}[${startOffset},${endOffset}]@${position} ${type}`;
  });
}

const cases = recorded.cases as [string, string, string[]][];

describe('the reference server’s answers', () => {
  test.each(cases)('%s: %s', (name, text, expected) => {
    expect(tokens(analyzerOf(name), text)).toEqual(expected);
  });
});

test('random text: offsets stay inside, starts do not go back, both ways give the same terms', () => {
  const random = new Random(63);
  const pieces = [
    ..."aB1-_.'’ \t\n<>&;|/$éßİΣ日テひ한ไทא\u0301\u200c\ud83d",
    '😀',
    '\u{10400}',
    '<b>',
    '</p>',
    '&amp;',
    'the',
    'quick',
    'usa',
    'fox',
    "l'",
    'Wi-Fi',
    '500-42',
  ];
  const names = [...new Set(cases.map(([name]) => name))];
  /** Captures and joined words may begin before what stands ahead of them. */
  const unordered = /^(?:pc|sy0|spsy)$/;
  for (let i = 0; i < 40; i++) {
    let text = '';
    for (let j = random.below(30); j > 0; j--) text += pieces[random.below(pieces.length)]!;
    for (const name of names) {
      const analyzer = analyzerOf(name);
      const offsets = analyzer.analyze(text).map((token) => [token.startOffset, token.endOffset]);
      let last = 0;
      // One expectation for all tokens: it takes longer than analysis.
      const wrong = offsets.filter(([start, end]) => {
        const first = unordered.test(name) ? 0 : last;
        last = start!;
        return start! < first || end! < start! || end! > text.length;
      });
      expect([name, text, wrong]).toEqual([name, text, []]);
      expect([name, text, fastTerms(analyzer, text)]).toEqual([name, text, terms(analyzer, text)]);
    }
  }
});
