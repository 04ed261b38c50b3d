// Which terms may be shown: `exclude`, `regex`, `prefix`, `contains`. In a segment that is a question about
// ordinals in its list of terms. What was once tested against a pattern is remembered there.

import { compileTermPattern, type Term, type TermList } from '../../counting/index';
import { canonicalText } from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import { foldText } from './fold-text';
import type { TermSearch, TermsSpec } from './terms-spec';

/** Marks in the memory of a pattern. */
const PASSES = 1;
const FAILS = 2;

/** Whether a spec keeps any term out. */
function hasTermFilter({ exclude, pattern, search }: TermsSpec): boolean {
  return exclude.length > 0 || pattern !== null || search !== null;
}

/** The test for terms by their text alone; null: every one passes. */
export function textTest(spec: TermsSpec): ((term: string) => boolean) | null {
  if (!hasTermFilter(spec)) return null;
  const exclude = new Set<Term>(spec.exclude);
  const matches = patternTest(spec);
  return (term) => !exclude.has(term) && (matches === null || matches(term));
}

/** `regex`, `prefix` and `contains`; null where none is given. */
function patternTest({ pattern, search }: TermsSpec): ((term: string) => boolean) | null {
  const matches = pattern === null ? null : compileTermPattern(pattern);
  const finds = search === null ? null : searchTest(search);
  if (matches === null || finds === null) return matches ?? finds;
  return (term) => finds(term) && matches(term);
}

function searchTest(search: TermSearch): (term: string) => boolean {
  const { prefix, contains, ignoreCase, ignoreAccents } = search;
  const isFolded = ignoreCase || ignoreAccents;
  const fold = (text: string): string =>
    isFolded ? foldText(text, ignoreCase, ignoreAccents) : text;
  const start = fold(prefix ?? '');
  const part = fold(contains ?? '');
  return (term) => {
    const folded = fold(term);
    return folded.startsWith(start) && folded.includes(part);
  };
}

/** The terms of one segment's list that may be shown. */
export class TermFilter {
  private constructor(
    /** Only ordinals of [from, to) pass. */
    readonly from: number,
    readonly to: number,
    private readonly terms: TermList,
    private readonly excluded: ReadonlySet<number>,
    private readonly matches: ((term: string) => boolean) | null,
    private readonly tested: Uint8Array,
  ) {}

  /**
   * Null: every term passes.
   *
   * @param list what identifies the list of terms within the segment
   */
  static of(
    terms: TermList,
    spec: TermsSpec,
    segment: SegmentReader,
    list: string,
  ): TermFilter | null {
    // Several fields are filtered once their terms are text.
    if (spec.merged || !hasTermFilter(spec)) return null;
    const excluded = new Set<number>();
    for (const term of spec.exclude) excluded.add(terms.ordinalOf(term));
    const { pattern, search } = spec;
    const range = plainPrefix(spec);
    const [from, to] = range === null ? [0, terms.size] : prefixRange(terms, range);
    const isRange = range !== null && pattern === null && search?.contains === null;
    const matches = isRange ? null : patternTest(spec);
    const tested =
      matches === null
        ? NOTHING
        : memory(segment, `termFilter/${list}/${canonicalText({ pattern, search })}`, terms.size);
    return new TermFilter(from, to, terms, excluded, matches, tested);
  }

  accepts(ordinal: number): boolean {
    if (ordinal < this.from || ordinal >= this.to || this.excluded.has(ordinal)) return false;
    if (this.matches === null) return true;
    const known = this.tested[ordinal];
    if (known !== 0) return known === PASSES;
    const passes = this.matches(this.terms.termAt(ordinal) as string);
    this.tested[ordinal] = passes ? PASSES : FAILS;
    return passes;
  }
}

const NOTHING = new Uint8Array(0);

/** One byte per term; what is written there is the same for every request. */
function memory(segment: SegmentReader, key: string, size: number): Uint8Array {
  const known = segment.cache.get<Uint8Array>(key, 'termFilter');
  if (known !== undefined) return known;
  const made = new Uint8Array(size);
  segment.cache.put(key, 'termFilter', made, size);
  return made;
}

/** The prefix by which terms stand together in their order. */
function plainPrefix({ search }: TermsSpec): string | null {
  return search === null || search.ignoreCase || search.ignoreAccents ? null : search.prefix;
}

/** The ordinals of the terms that start with `prefix`. */
function prefixRange(terms: TermList, prefix: string): readonly [number, number] {
  const wanted = Buffer.from(prefix);
  const order = (ordinal: number): number => {
    const start = Buffer.from(terms.termAt(ordinal) as string).subarray(0, wanted.length);
    return Buffer.compare(start, wanted);
  };
  const firstAbove = (limit: number): number => {
    let low = 0;
    let high = terms.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order(middle) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [firstAbove(0), firstAbove(1)];
}
