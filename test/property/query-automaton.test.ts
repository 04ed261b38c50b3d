// Term matchers against obviously correct ones: regular expressions against derivatives by backtracking,
// wildcards against a regular expression of the platform, edit distance against the full table.

import fc from 'fast-check';
import { DfaMatcher } from '../../engine/query/automaton/dfa';
import { FuzzyMatcher } from '../../engine/query/automaton/levenshtein';
import { compileRegexp } from '../../engine/query/automaton/regexp';
import { REGEXP_FLAG } from '../../engine/query/automaton/regexp-parser';
import { parseWildcard, WildcardMatcher } from '../../engine/query/automaton/wildcard';
import { compareUtf8 } from '../../engine/segment/dictionary/utf8-order';

/** An expression with its text and the set of ends it can reach from a start: naive but plain. */
interface Model {
  readonly text: string;
  ends(term: string, start: number): ReadonlySet<number>;
}

const single = (text: string, test: (c: string) => boolean): Model => ({
  text,
  ends: (term, start) => new Set(start < term.length && test(term[start]!) ? [start + 1] : []),
});

function sequence(parts: readonly Model[], term: string, start: number): ReadonlySet<number> {
  let ends: ReadonlySet<number> = new Set([start]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const end of ends) for (const each of part.ends(term, end)) next.add(each);
    ends = next;
  }
  return ends;
}

function repeated(part: Model, min: number, max: number, term: string, start: number) {
  const all = new Set<number>();
  let ends: ReadonlySet<number> = new Set([start]);
  // More rounds than characters cannot reach anything new.
  for (let n = 0; n <= Math.min(max, min + term.length + 1); n++) {
    if (n >= min) for (const end of ends) all.add(end);
    ends = sequence(
      [{ text: '', ends: (t, s) => union(ends, (e) => (s === start ? part.ends(t, e) : [])) }],
      term,
      start,
    );
  }
  return all;
}

function union(items: Iterable<number>, of: (item: number) => Iterable<number>): Set<number> {
  const all = new Set<number>();
  for (const item of items) for (const each of of(item)) all.add(each);
  return all;
}

const { model } = fc.letrec<{ model: Model; leaf: Model }>((tie) => ({
  leaf: fc.constantFrom(
    single('a', (c) => c === 'a'),
    single('b', (c) => c === 'b'),
    single('.', () => true),
    single('[bc]', (c) => 'bc'.includes(c)),
    single('[^a]', (c) => c !== 'a'),
    single('\\*', (c) => c === '*'),
  ),
  model: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('model'), { minLength: 1, maxLength: 3 }).map((parts): Model => ({
      text: parts.map((part) => part.text).join(''),
      ends: (term, start) => sequence(parts, term, start),
    })),
    fc.array(tie('model'), { minLength: 1, maxLength: 3 }).map((parts): Model => ({
      text: `(${parts.map((part) => part.text).join('|')})`,
      ends: (term, start) => union(parts.keys(), (i) => parts[i]!.ends(term, start)),
    })),
    fc.tuple(tie('model'), tie('model')).map(([a, b]): Model => ({
      text: `(${a.text}&${b.text})`,
      ends: (term, start) => {
        const right = b.ends(term, start);
        return new Set([...a.ends(term, start)].filter((end) => right.has(end)));
      },
    })),
    tie('model').map((part): Model => ({
      text: `~(${part.text})`,
      ends: (term, start) => {
        const inside = part.ends(term, start);
        const outside = new Set<number>();
        for (let end = start; end <= term.length; end++) if (!inside.has(end)) outside.add(end);
        return outside;
      },
    })),
    fc
      .tuple(
        tie('model'),
        fc.constantFrom(
          ['?', 0, 1] as const,
          ['*', 0, Infinity] as const,
          ['+', 1, Infinity] as const,
          ['{2}', 2, 2] as const,
          ['{1,}', 1, Infinity] as const,
          ['{0,2}', 0, 2] as const,
        ),
      )
      .map(([part, [text, min, max]]): Model => ({
        text: `(${part.text})${text}`,
        ends: (term, start) => repeated(part, min, max, term, start),
      })),
  ),
}));

const word = fc.array(fc.constantFrom('a', 'b', 'c', '*'), { maxLength: 6 }).map((c) => c.join(''));

test('regular expressions accept what backtracking accepts', () => {
  fc.assert(
    fc.property(model, fc.array(word, { minLength: 1, maxLength: 12 }), (expression, terms) => {
      fc.pre(expression.text.length < 300);
      const matcher = new DfaMatcher(compileRegexp(expression.text, REGEXP_FLAG.ALL));
      for (const term of terms) {
        const expected = expression.ends(term, 0).has(term.length);
        expect([expression.text, term, matcher.accepts(term)]).toEqual([
          expression.text,
          term,
          expected,
        ]);
        if (!expected && matcher.deadLength > 0) {
          const dead = term.slice(0, matcher.deadLength);
          for (const other of terms) {
            if (other.startsWith(dead))
              expect(expression.ends(other, 0).has(other.length)).toBe(false);
          }
        }
      }
    }),
    { numRuns: 500 },
  );
});

const symbol = fc.constantFrom('a', 'b', '😀', '*', '?', '\\');

test('wildcards match as the same pattern does as a platform expression', () => {
  fc.assert(
    fc.property(
      fc.array(symbol, { maxLength: 8 }),
      fc.array(fc.constantFrom('a', 'b', '😀', '*', '\\'), { maxLength: 8 }),
      (pattern, characters) => {
        let source = '';
        for (let i = 0; i < pattern.length; i++) {
          const c = pattern[i]!;
          if (c === '*') source += '.*';
          else if (c === '?') source += '.';
          else {
            const taken = c === '\\' && i + 1 < pattern.length ? pattern[++i]! : c;
            source += /[*?\\]/.test(taken) ? `\\${taken}` : taken;
          }
        }
        const term = characters.join('');
        const parsed = parseWildcard(pattern.join(''));
        const expected = new RegExp(`^(?:${source})$`, 'su').test(term);
        expect(new WildcardMatcher(parsed).accepts(term)).toBe(expected);
        if (expected) expect(term.startsWith(parsed.prefix)).toBe(true);
        if (parsed.isLiteral) expect(expected).toBe(term === parsed.prefix);
        if (parsed.isPrefix) expect(expected).toBe(term.startsWith(parsed.prefix));
      },
    ),
    { numRuns: 2000 },
  );
});

function distance(a: readonly string[], b: readonly string[], transpositions: boolean): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
      );
      if (transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, table[i - 2]![j - 2]! + 1);
      }
      table[i]![j] = least;
    }
  }
  return table[a.length]![b.length]!;
}

const fuzzyWord = fc
  .array(fc.constantFrom('a', 'b', 'c', '😀'), { minLength: 1, maxLength: 7 })
  .map((c) => c.join(''));

test('fuzzy terms are those within the edit distance', () => {
  fc.assert(
    fc.property(
      fuzzyWord,
      fc.uniqueArray(fuzzyWord, { minLength: 1, maxLength: 30 }),
      fc.record({
        maxEdits: fc.integer({ min: 1, max: 2 }),
        prefixLength: fc.integer({ min: 0, max: 3 }),
        transpositions: fc.boolean(),
      }),
      (target, terms, options) => {
        const matcher = new FuzzyMatcher(target, options);
        const sorted = [...terms].sort(compareUtf8);
        let dead = '';
        for (const term of sorted) {
          const edits = distance([...target], [...term], options.transpositions);
          const shorter = Math.min([...target].length, [...term].length);
          const expected = edits <= options.maxEdits && (edits === 0 || edits < shorter);
          if (!term.startsWith(matcher.prefix)) continue;
          if (dead !== '' && term.startsWith(dead)) {
            expect(edits).toBeGreaterThan(options.maxEdits);
            continue;
          }
          expect([target, term, matcher.accepts(term)]).toEqual([target, term, expected]);
          if (expected) {
            const similarity = Math.fround(1 - Math.fround(edits / shorter));
            expect(matcher.boost).toBe(edits === 0 ? 1 : similarity);
          }
          dead = matcher.deadLength > 0 ? term.slice(0, matcher.deadLength) : '';
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test('a fuzzy term of any length takes memory by its length', () => {
  const target = 'ab'.repeat(15_000);
  const matcher = new FuzzyMatcher(target, { maxEdits: 2, prefixLength: 0, transpositions: true });
  const accepted = [
    target,
    target.slice(2),
    `x${target}`,
    `${target}yz`,
    `${target.slice(0, 9)}ba${target.slice(11)}`,
  ];
  for (const term of accepted) expect(matcher.accepts(term)).toBe(true);
  const refused = [target.slice(3), `${target}xyz`, target.replaceAll('b', 'c'), ''];
  for (const term of refused) expect(matcher.accepts(term)).toBe(false);
  expect(matcher.memoryBytes).toBeLessThan(100 * target.length);
});
