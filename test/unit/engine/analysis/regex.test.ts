import type { ProgramMatcher } from '../../../../engine/analysis/regex/matcher';
import { compilePattern } from '../../../../engine/analysis/regex/pattern';
import { errorOf } from './support';
import { Random } from '../../../support/random';

function matches(pattern: string, text: string, flags: string | null = null): string {
  const compiled = compilePattern(pattern, flags);
  const matcher = compiled.matcher(text);
  const found: string[] = [];
  while (matcher.find()) {
    const groups: string[] = [];
    for (let group = 0; group <= compiled.groupCount; group++) {
      groups.push(`${matcher.start(group)}-${matcher.end(group)}`);
    }
    found.push(groups.join(','));
  }
  return found.join(' ');
}

/** What the platform's backtracking engine finds, whose preferences are the same. */
function nativeMatches(pattern: string, text: string): string {
  const found: string[] = [];
  for (const match of text.matchAll(new RegExp(pattern, 'dgu'))) {
    found.push(match.indices!.map((place) => `${place?.[0] ?? -1}-${place?.[1] ?? -1}`).join(','));
  }
  return found.join(' ');
}

describe('regular expressions', () => {
  test('find what backtracking finds first', () => {
    const random = new Random(20141105);
    const atoms = ['a', 'b', 'c', '.', '[ab]', '[^a]', '\\d', '\\w', '^', '$', '\\b', '(?:ab|a)'];
    const quantifiers = ['', '', '', '*', '+', '?', '*?', '+?', '{1,2}', '{2}'];
    const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
    const pattern = (depth: number): string => {
      const parts: string[] = [];
      for (let i = random.below(3); i >= 0; i--) {
        const atom = pick(atoms);
        const kind = random.below(6);
        if (depth > 0 && kind === 0) parts.push(`(?:${pattern(depth - 1)})`);
        else if (depth > 0 && kind === 1) parts.push(`(${pattern(depth - 1)})`);
        else if (depth > 0 && kind === 2)
          parts.push(`(?${pick(['=', '!', '<=', '<!'])}${pattern(0)})`);
        else parts.push(/[\^$]|\\b/.test(atom) ? atom : atom + pick(quantifiers));
      }
      return random.below(4) === 0 ? `${parts.join('')}|${pick(atoms)}` : parts.join('');
    };
    // No repeated groups: the native engine treats empty rounds differently.
    for (let i = 0; i < 3000; i++) {
      const source = pattern(2);
      let text = '';
      for (let j = random.below(8); j > 0; j--) text += pick(['a', 'b', 'c', '1', '-', ' ']);
      expect([source, text, matches(source, text)]).toEqual([
        source,
        text,
        nativeMatches(source, text),
      ]);
    }
  });

  test.each([
    ['[\\p{L}&&[^x]]+', 'abxc', '0-2 3-4'],
    ['[a-c[0-9]]+', 'b2d', '0-2'],
    ['\\p{Alpha}+|\\p{IsHan}', 'é a日', '2-3 3-4'],
    ['(?i)AB', 'aBÄ', '0-2'],
    ['\\Qa.b\\E', 'axb a.b', '4-7'],
    ['\\u0041|\\x42|\\h', 'A B', '0-1 1-2 2-3'],
    ['(?x) a  b # ab', 'ab', '0-2'],
    ['a$', 'a\n', '0-1'],
    ['(?:a*)*', 'aab', '0-2 2-2 3-3'],
    ['(a|b)+?c', 'abc', '0-3,1-2'],
  ])('%s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test('take time proportional to the text', () => {
    const text = 'a'.repeat(20_000);
    expect(matches('(?:a*)*b', text)).toBe('');
    expect(matches('a(?!.*b)', text.slice(0, 3))).toBe('0-1 1-2 2-3');
  });

  test.each([
    '(a)\\1',
    'a++',
    '(?>a)',
    '(',
    '[a',
    '*a',
    'a{3',
    '\\p{Nosuch}',
    '(?:){99999999}a{99999}',
  ])('refuse %s', (pattern) => {
    expect(errorOf(() => compilePattern(pattern, null))).toMatch(/^PatternSyntaxException\[/);
  });
});

describe('matching in long texts', () => {
  /** Reads behind matches may not grow with text times matches. */
  function readBehind(pattern: string, text: string): { matches: number; read: number } {
    const matcher = compilePattern(pattern, null).matcher(text) as ProgramMatcher;
    let matches = 0;
    while (matcher.find()) matches++;
    return { matches, read: matcher.readBehind };
  }

  test.each([
    ['a.*b|a', 'a'.repeat(20_000), 20_000],
    ['(?:a+b|a)', 'a'.repeat(20_000), 20_000],
    ['a(?=.*c).*d|a', 'a'.repeat(20_000), 20_000],
    ['\\w*;|\\w', 'ab'.repeat(10_000), 20_000],
    ['a.*b|a', `${'a'.repeat(10_000)}b${'a'.repeat(10_000)}`, 10_001],
  ])('%s does not read the rest of the text for each match', (pattern, text, expected) => {
    const { matches, read } = readBehind(pattern, text);
    expect(matches).toBe(expected);
    expect(read).toBeLessThan(10 * text.length);
  });

  test('finds what it finds in short texts', () => {
    const random = new Random(20261122);
    const patterns = [
      'a.*b|a',
      '(a+)(b)?c|a|(b)',
      'a*?b|(?:ab)*c|a',
      '(?=a.*c)a|.',
      '\\b.*;|x',
      '(a|😀.*b)',
    ];
    for (const pattern of patterns) {
      for (let i = 0; i < 20; i++) {
        let text = '';
        while (text.length < 3000)
          text += ['a', 'aa', 'a', 'x', 'c', 'b', '😀', ';'][
            random.below(random.below(40) === 0 ? 8 : 4)
          ];
        expect(matches(pattern, text)).toBe(nativeMatches(pattern, text));
      }
    }
  });
});
