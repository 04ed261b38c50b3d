// Tokenizers that know addresses, classic and uax_url_email: answers of the reference server.

import { builtinTokenizer } from '../../../../engine/analysis/builtin';
import { Random } from '../../../support/random';
import { registryOf } from './support';

/** `term type` of every token, the type without its brackets. */
function tokens(tokenizer: string, text: string): string[] {
  const found: string[] = [];
  builtinTokenizer(tokenizer)!.scan(text, (term, start, end, _increment, type) => {
    expect(text.slice(start, end).startsWith(term)).toBe(true);
    found.push(`${term} ${type.slice(1, -1)}`);
  });
  return found;
}

describe('classic', () => {
  test.each([
    ["o'neill O'Reilly's", ["o'neill APOSTROPHE", "O'Reilly's APOSTROPHE"]],
    ['U.S.A. U.S.A', ['U.S.A. ACRONYM', 'U.S.A HOST']],
    ['AT&T Excite@Home', ['AT&T COMPANY', 'Excite@Home COMPANY']],
    ['john.doe@example.co.uk a@b', ['john.doe@example.co.uk EMAIL', 'a@b COMPANY']],
    ['www.test.com/path', ['www.test.com HOST', 'path ALPHANUM']],
    [
      '3.14 foo-b4r 8080/x wi-fi',
      ['3.14 HOST', 'foo-b4r NUM', '8080/x NUM', 'wi ALPHANUM', 'fi ALPHANUM'],
    ],
    ['日本x', ['日 CJ', '本 CJ', 'x ALPHANUM']],
  ])('%s', (text, expected) => {
    expect(tokens('classic', text)).toEqual(expected);
  });

  test('a host name that ends a sentence loses its dot, not the place of it', () => {
    const seen: unknown[] = [];
    builtinTokenizer('classic')!.scan('foo.bar. x', (...token) => seen.push(token));
    expect(seen).toEqual([
      ['foo.bar', 0, 8, 1, '<HOST>'],
      ['x', 9, 10, 1, '<ALPHANUM>'],
    ]);
  });

  test('long tokens leave a hole', () => {
    const registry = registryOf({ tokenizer: { t: { type: 'classic', max_token_length: 3 } } });
    const seen: unknown[] = [];
    registry
      .tokenizer('t')!
      .scan('a four b', (term, _start, _end, step) => seen.push([term, step]));
    expect(seen).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});

describe('uax_url_email', () => {
  test.each([
    [
      'at http://www.example.com/a?b=c#d or',
      ['at ALPHANUM', 'http://www.example.com/a?b=c#d URL', 'or ALPHANUM'],
    ],
    ['https://example.org:8080/x, a', ['https://example.org:8080/x URL', 'a ALPHANUM']],
    ['ftp://f.net/é', ['ftp://f.net/ URL', 'é ALPHANUM']],
    ['file:///etc#f x', ['file:///etc#f URL', 'x ALPHANUM']],
    ['mailto:a@b.de x', ['mailto ALPHANUM', 'a@b.de EMAIL', 'x ALPHANUM']],
    ['a@b.de.', ['a@b.de. EMAIL']],
    ['192.168.0.1 1.2.3.456', ['192.168.0.1 URL', '1.2.3.456 NUM']],
    ['[::1] [::1]日', ['[::1] URL', '1 NUM', '日 IDEOGRAPHIC']],
    ['www.test.com ', ['www.test.com URL']],
    // One that is a host without its last character too is none at the end of the text.
    ['www.test.com', ['www.test.com ALPHANUM']],
    ['foo.de', ['foo.de URL']],
    ['foo.com.', ['foo.com URL']],
    ['foo.com. x', ['foo.com. URL', 'x ALPHANUM']],
    [
      'foo.comx/p foo.com-bar.com:80',
      ['foo.comx ALPHANUM', 'p ALPHANUM', 'foo.com-bar.com:80 URL'],
    ],
    ['20.co.ukX', ['20.co URL', 'ukX ALPHANUM']],
    ["O'Reilly's wi-fi x_y", ["O'Reilly's ALPHANUM", 'wi ALPHANUM', 'fi ALPHANUM', 'x_y ALPHANUM']],
  ])('%s', (text, expected) => {
    expect(tokens('uax_url_email', text)).toEqual(expected);
  });
});

test('random text: tokens stand in order and inside of the text', () => {
  const random = new Random(17);
  const pieces = [
    ..."a1.-_@/&',:é日 ก\n",
    'http://',
    'www.x.de',
    '[::1]',
    '"',
    '%20',
    '1.2.3.4',
    '😀',
  ];
  for (let i = 0; i < 300; i++) {
    let text = '';
    for (let j = random.below(25); j > 0; j--) text += pieces[random.below(pieces.length)]!;
    for (const name of ['classic', 'uax_url_email']) {
      let last = 0;
      builtinTokenizer(name)!.scan(text, (term, start, end) => {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(text.slice(start, end).startsWith(term) && term !== '').toBe(true);
        last = end;
      });
    }
  }
});

test('long chains without an address take linear time', () => {
  // Quadratic time would be longer than any time limit.
  const text = 'a-'.repeat(500_000) + '@' + '.b@'.repeat(200_000);
  for (const name of ['classic', 'uax_url_email']) builtinTokenizer(name)!.scan(text, () => {});
});
