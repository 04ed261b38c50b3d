// A query restricted by a filter that runs scripts: only on documents that nothing else excludes, because a script
// is slow and may fail on documents that it was not written for.

import { Bitset, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import type { Query } from '../ast/query';
import type { QueryWeight } from './query-weight';
import { runsScripts } from '../ast/runs-scripts';
import { Complement } from '../top-k/restricted-top-k';
import { IntersectionScorer } from '../scorers/exclusion';
import type { DocTest, Scorer } from '../scoring/weight';
import { BoostedWeight, NOTHING } from './boosted-weight';

/** Tells of the documents of a segment whether they pass. */
export type OpenTest = (segment: SegmentReader) => DocTest;

/** The documents of `query` that pass; scores of `query`. */
export class ScriptedFilterWeight extends BoostedWeight {
  constructor(
    query: QueryWeight,
    private readonly open: OpenTest,
    boost: number,
  ) {
    super(query, boost);
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

/**
 * The test of a filter. Sets come before scripts, whatever the order in which they were written.
 *
 * @param bindSet binds what runs no script
 * @param bindScript binds a script
 */
export function bindTest(
  filter: Query,
  bindSet: (query: Query) => QueryWeight,
  bindScript: (script: Extract<Query, { kind: 'script' }>) => OpenTest,
): OpenTest {
  const bind = (query: Query): OpenTest => bindTest(query, bindSet, bindScript);
  if (!runsScripts(filter)) {
    const weight = bindSet(filter);
    return (segment) => weight.matches(segment) ?? NOTHING;
  }
  switch (filter.kind) {
    case 'script':
      return bindScript(filter);
    case 'constantScore':
    case 'named':
      return bind(filter.query);
    case 'filtered':
      return atLeast(2, setsFirst([filter.query, filter.filter]).map(bind));
    case 'bool': {
      const { must, should, mustNot, minimumShouldMatch } = filter;
      const least = must.length > 0 ? minimumShouldMatch : Math.max(1, minimumShouldMatch);
      const some = {
        runs: should.some(runsScripts),
        open: atLeast(least, setsFirst(should).map(bind)),
      };
      const parts = [
        ...must.map((query) => ({ runs: runsScripts(query), open: bind(query) })),
        ...mustNot.map((query) => ({ runs: runsScripts(query), open: not(bind(query)) })),
        ...(least === 0 ? [] : [some]),
      ].sort((a, b) => Number(a.runs) - Number(b.runs));
      return atLeast(
        parts.length,
        parts.map(({ open }) => open),
      );
    }
    default:
      throw new TypeError(`no test for ${filter.kind}`);
  }
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
