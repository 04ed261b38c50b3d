// A query restricted by a filter that runs scripts: only on documents that nothing else excludes, because a
// script is slow and may fail on documents that it was not written for.

import { Bitset, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import { children } from '../ast/children';
import type { Query } from '../ast/query';
import type { Binder } from './binder';
import type { QueryWeight } from './query-weight';
import { ScriptWeight } from './script';
import { runsScripts } from '../ast/facts';
import { Complement } from '../top-k/restricted-top-k';
import { IntersectionScorer } from '../scorers/exclusion';
import { type ExplainContext, type Explanation, noMatch } from '../scoring/explanation';
import type { DocTest, Scorer } from '../scoring/weight';
import { MatchAllWeight } from './all';
import { BoostedWeight, NOTHING } from './boosted-weight';

/** Tells of the documents of a segment whether they pass. */
type OpenTest = (segment: SegmentReader) => DocTest;

/** The documents of `query` that pass; scores of `query`. */
class ScriptedFilterWeight extends BoostedWeight {
  constructor(
    query: QueryWeight,
    private readonly filter: Query,
    private readonly open: OpenTest,
    boost: number,
  ) {
    super(query, boost);
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const score = this.query.explain(segment, doc, context);
    if (this.open(segment).has(doc)) return score;
    return noMatch(`failure to match filter: ${context.filterTextOf(this.filter)}`, [score]);
  }

  test(segment: SegmentReader): DocTest | null {
    return this.query instanceof MatchAllWeight ? this.open(segment) : null;
  }

  scorer(segment: SegmentReader): Scorer | null {
    const scorer = this.query.scorer(segment);
    return scorer === null ? null : new IntersectionScorer(scorer, this.open(segment));
  }

  matches(segment: SegmentReader): Bitset | null {
    const docs = this.query.matches(segment);
    return docs === null ? null : this.passing(segment, docs);
  }

  matchesWithin(segment: SegmentReader, docs: Bitset): Bitset | null {
    const own = this.query.matches(segment);
    return own === null ? null : this.passing(segment, docs.clone().and(own));
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const set = this.matches(segment);
    if (set !== null) into.or(set);
  }

  private passing(segment: SegmentReader, docs: Bitset): Bitset {
    const test = this.open(segment);
    const found = new Bitset(segment.docCount);
    for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1))
      if (test.has(doc)) found.add(doc);
    return found;
  }
}

/** The weight of `query` restricted by a filter that runs scripts. */
export function scripted(
  query: QueryWeight,
  filter: Query,
  boost: number,
  binder: Binder,
): QueryWeight {
  return new ScriptedFilterWeight(query, filter, bindTest(filter, binder), boost);
}

/**
 * The test of a filter; unless it is a bool, all of its parts have to match. Sets come before scripts,
 * whatever the order in which they were written.
 */
function bindTest(filter: Query, binder: Binder): OpenTest {
  const test = (query: Query): OpenTest => bindTest(query, binder);
  if (!runsScripts(filter)) {
    const weight = binder.filter(filter);
    return (segment) => weight.matches(segment) ?? NOTHING;
  }
  if (filter.kind === 'script') {
    const weight = new ScriptWeight(filter);
    return (segment) => weight.test(segment);
  }
  if (filter.kind !== 'bool') {
    const parts = setsFirst(children(filter)).map(test);
    return parts.length === 1 ? parts[0]! : atLeast(parts.length, parts);
  }
  const { must, should, mustNot, minimumShouldMatch } = filter;
  const least = must.length > 0 ? minimumShouldMatch : Math.max(1, minimumShouldMatch);
  const some = {
    runs: should.some(runsScripts),
    open: atLeast(least, setsFirst(should).map(test)),
  };
  const parts = [
    ...must.map((query) => ({ runs: runsScripts(query), open: test(query) })),
    ...mustNot.map((query) => ({ runs: runsScripts(query), open: not(test(query)) })),
    ...(least === 0 ? [] : [some]),
  ].sort((a, b) => Number(a.runs) - Number(b.runs));
  return atLeast(
    parts.length,
    parts.map(({ open }) => open),
  );
}

function setsFirst(queries: readonly Query[]): readonly Query[] {
  return [...queries].sort((a, b) => Number(runsScripts(a)) - Number(runsScripts(b)));
}

function not(open: OpenTest): OpenTest {
  return (segment) => new Complement(open(segment));
}

/** Documents that pass so many of the tests; none is asked when the outcome is known. */
function atLeast(least: number, opens: readonly OpenTest[]): OpenTest {
  return (segment) =>
    new AtLeast(
      least,
      opens.map((open) => open(segment)),
    );
}

class AtLeast implements DocTest {
  constructor(
    private readonly least: number,
    private readonly tests: readonly DocTest[],
  ) {}

  has(doc: number): boolean {
    const { tests } = this;
    let wanted = this.least;
    for (let i = 0; i < tests.length && wanted > 0 && tests.length - i >= wanted; i++)
      if (tests[i]!.has(doc)) wanted--;
    return wanted === 0;
  }
}
