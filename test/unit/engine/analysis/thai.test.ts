// The thai tokenizer and analyzer: answers of the reference server, for Thai those in which both
// dictionaries agree.

import { builtinAnalyzer, builtinTokenizer } from '../../../../engine/analysis/builtin';
import { registryOf, terms } from './support';

function tokens(text: string): string {
  const found: string[] = [];
  builtinTokenizer('thai')!.scan(text, (term, start, end, increment, type) => {
    expect(term).toBe(text.slice(start, end));
    expect([increment, type]).toEqual([1, 'word']);
    found.push(term);
  });
  return found.join('|');
}

test.each([
  ['ภาษาไทย', 'ภาษา|ไทย'],
  ['abcไทย ไทยabc ไทย123 123ไทย ก๑๒', 'abc|ไทย|ไทย|abc|ไทย|123|123|ไทย|ก|๑๒'],
  ['ๆ ฯ ไทยๆ ฯลฯ เด็กๆ ไป', 'ๆ|ฯ|ไทย|ๆ|ฯลฯ|เด็ก|ๆ|ไป'],
  ["foo-bar don't a1b2 1a U.S.A. x.y a..b foo_bar", "foo-bar|don't|a1b2|1a|U.S.A|x.y|a|b|foo|bar"],
  ['user@example.com http://a.b/c?d', 'user|example.com|http|a.b|c|d'],
  ['3.14 1,000 $5.00 #1 50% .5 a.5 5.a -5 10:30 5%a 5&6', '3.14|1,000|50%|a|5|a|5|10|30|5%|a|5&|6'],
  [
    '日本語 テスト ひらがな 한국어 カタカナ漢字ひら',
    '日本語|テスト|ひらがな|한국어|カタカナ|漢字|ひら',
  ],
  ['é e\u0301x ½ 😀a 𐐀𐐁b हिन्दी है।3', 'é|e\u0301x|a|𐐀𐐁b|हिन्दी|है।|3'],
  ['', ''],
])('%s', (text, expected) => {
  expect(tokens(text)).toBe(expected);
});

test('the analyzer lowers words and drops stop words, by its name and configured', () => {
  expect(terms(builtinAnalyzer('thai'), 'การทดสอบ ของ ABC')).toBe('ทดสอบ@2 abc@4');
  const configured = registryOf({ analyzer: { t: { type: 'thai', stopwords: ['abc'] } } });
  expect(terms(configured.analyzer('t'), 'ภาษาไทย ABC')).toBe('ภาษา@1 ไทย@2');
});

test('long runs take time in proportion to their length', () => {
  for (const piece of ['ไทย', 'a-', "1'", '日', 'ー', '$', 'a1']) {
    const text = piece.repeat(20_000);
    let end = 0;
    builtinTokenizer('thai')!.scan(text, (_term, _start, tokenEnd) => (end = tokenEnd));
    expect(end).toBe(piece === '$' ? 0 : text.length - (/[-']$/.test(piece) ? 1 : 0));
  }
});
