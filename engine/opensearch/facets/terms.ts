// terms: all terms of a shard with their counts, so that sums over shards are exact. Where no other shard has
// a say, or terms are shown in their own order, OpenSearch chooses those that are shown.

import type { Term } from '../../counting/index';
import {
  asText,
  type Candidates,
  collectTerms,
  keepText,
  mergeCounted,
  type TermSource,
  type TermsPartial,
  type TermsSpec,
  termTypeOf,
  showsExcluded,
  type TermWithCount,
  textTest,
} from '../../facets/index';
import { formatDouble, type JsonObject, type JsonOutput } from '../../json/index';
import { bucketsOf, docCount, doubleAt, MOST_BUCKETS, partOf } from '../transport/answers';
import {
  type Aggs,
  type CountContext,
  fieldAt,
  BY_COUNT,
  requireWhole,
  termsOptions,
} from '../counting/count-context';
import { pointsOf, pointsRequest } from '../counting/points';
import { type NamedTerms, namedIn, termOf } from '../counting/top-terms';
import { unsupported } from '../layout/unsupported';
import { EVERYTHING } from '../queries/clause-context';
import type { FacetAnswer, FacetTranslation } from './contract';
import { scripted } from './origin';

const WHAT = 'a [terms] facet';

/** What is counted of a source. */
type SourceCounts = { readonly missing: number; readonly total: number } & Candidates;

export const TERMS_FACET: FacetTranslation<TermsSpec, TermsPartial> = {
  request: (spec, context) => {
    if (spec.script !== null) throw scripted(WHAT);
    if (spec.hierarchy !== null)
      throw unsupported(`${WHAT} with [hierarchy]`, 'levels are not indexed');
    if (spec.termType === null) return {};
    const aggs: Record<string, Aggs> = {};
    spec.sources.forEach((source, i) => {
      for (const [name, agg] of Object.entries(sourceRequest(source, spec, context)))
        aggs[`${name}${i}`] = agg as Aggs;
    });
    return aggs;
  },
  read: (spec, answer, context) => {
    if (spec.termType === null) return { missing: answer.docs, total: 0, candidates: null };
    const all = spec.sources.map((source, i) => sourceCounts(source, i, spec, answer, context));
    const missing = all.reduce((sum, each) => sum + each.missing, 0);
    const total = all.reduce((sum, each) => sum + each.total, 0);
    if (!spec.merged) return { missing, total, candidates: only(all[0]!, spec) };
    const lists = all.map(({ counted }) => asText(counted));
    const joined = mergeCounted(lists) ?? lists[0]!;
    const accepts = textTest(spec);
    const counted = accepts === null ? joined : keepText(asText(joined), accepts);
    return { missing, total, candidates: { counted, entries: null } };
  },
};

const TERMS = 'terms';
const MISSING = 'missing';

function sourceRequest(source: TermSource, spec: TermsSpec, context: CountContext): Aggs {
  if (source.kind !== 'field') return {};
  if (source.fieldKind === 'geo')
    return {
      points: { filter: EVERYTHING, aggs: pointsRequest(context, source.field, {}) },
    };
  const field = fieldAt(context, source.field, source.fieldKind);
  const shown = Math.max(spec.from + spec.size, 1);
  const cut = { size: shown, order: ORDERS[spec.order] };
  const terms: JsonOutput = {
    field,
    ...(isCut(spec, context) ? cut : termsOptions(context, ORDERS.term)),
    ...(spec.allTerms ? { min_doc_count: 0 } : {}),
  };
  // Where some terms are asked for, the rest is known.
  if (context.choice?.kind === 'these') return { [TERMS]: { terms } };
  return { [TERMS]: { terms }, [MISSING]: { missing: { field } } };
}

const ORDERS: Readonly<Record<TermsSpec['order'], JsonOutput>> = {
  count: BY_COUNT,
  reverse_count: [{ _count: 'asc' }, { _key: 'asc' }],
  term: { _key: 'asc' },
  reverse_term: { _key: 'desc' },
};

/** Whether OpenSearch chooses the terms that are shown: by their counts where no shard adds to these. */
function isCut(spec: TermsSpec, { soleShard }: CountContext): boolean {
  const { order, merged, cardinality, minCount, exclude, pattern, search, from, size } = spec;
  const isPlain = exclude.length === 0 && pattern === null && search === null;
  if (!isPlain || merged || cardinality || minCount > 1 || from + size > MOST_BUCKETS) return false;
  return soleShard || size === 0 || order === 'term' || order === 'reverse_term';
}

function sourceCounts(
  source: TermSource,
  i: number,
  spec: TermsSpec,
  { docs, counted }: FacetAnswer,
  context: CountContext,
): SourceCounts {
  switch (source.kind) {
    case 'nothing':
      return { missing: docs, total: 0, counted: collectTerms('string', []), entries: null };
    case 'constant': {
      const terms: TermWithCount[] = docs === 0 ? [] : [[source.term, docs]];
      return { missing: 0, total: docs, counted: collectTerms('string', terms), entries: null };
    }
    case 'field': {
      const type = termTypeOf(source.fieldKind);
      if (source.fieldKind === 'geo') {
        const points = pointsOf(partOf(counted, `points${i}`), WHAT);
        const total = points.reduce((sum, point) => sum + point.docs, 0);
        const terms = points.map(({ latitude, longitude, docs: own }): TermWithCount => {
          return [`[${formatDouble(latitude)}, ${formatDouble(longitude)}]`, own];
        });
        return { missing: docs - total, total, counted: collectTerms(type, terms), entries: null };
      }
      const answer = partOf(counted, `${TERMS}${i}`);
      if (!isCut(spec, context)) requireWhole(answer, WHAT, context);
      let total = doubleAt(answer, 'sum_other_doc_count', 0);
      const terms = bucketsOf(answer).map((bucket): TermWithCount => {
        const count = docCount(bucket);
        total += count;
        return [termOf(bucket, type), count];
      });
      const shown = type === 'string' || spec.merged ? terms : keptNumbers(terms, source, spec);
      return {
        missing: docCount(partOf(counted, `${MISSING}${i}`)),
        total,
        counted: collectTerms(type, shown),
        entries: null,
      };
    }
  }
}

/**
 * How many terms decide what is shown, where the most frequent ones are enough; null: all terms are needed,
 * or few are asked for anyway.
 */
export function wantedTerms(spec: TermsSpec, context: CountContext): number | null {
  const { sources, order, merged, cardinality, allTerms, script, hierarchy, termType } = spec;
  const [source] = sources;
  const isPlain = order === 'count' && !merged && !cardinality && !allTerms;
  if (!isPlain || script !== null || hierarchy !== null || termType === null) return null;
  if (source?.kind !== 'field' || source.fieldKind === 'geo') return null;
  return isCut(spec, context) ? null : spec.from + spec.size;
}

/** Which terms may be shown. */
export function acceptedTerms(spec: TermsSpec): (term: Term) => boolean {
  if (spec.termType === 'string') {
    const accepts = textTest(spec);
    return (term) => accepts === null || accepts(term as string);
  }
  const excluded = new Set<Term>(spec.exclude);
  return (term) => !excluded.has(term);
}

/** The terms that an answer names. */
export function termsNamed(spec: TermsSpec, counted: JsonObject | null): NamedTerms {
  return namedIn(partOf(counted, `${TERMS}0`), spec.termType ?? 'string');
}

/** compat: an excluded number is not counted; with `all_terms` it is there all the same. */
function keptNumbers(
  terms: readonly TermWithCount[],
  source: Extract<TermSource, { kind: 'field' }>,
  { exclude, allTerms }: TermsSpec,
): readonly TermWithCount[] {
  const excluded = new Set<Term>(exclude);
  if (allTerms && showsExcluded(source))
    return terms.map(([term, count]) => [term, excluded.has(term) ? 0 : count]);
  return terms.filter(([term]) => !excluded.has(term));
}

/** Texts that may be shown. */
function only({ counted, entries }: SourceCounts, spec: TermsSpec): Candidates {
  const accepts = counted.type === 'string' ? textTest(spec) : null;
  return { counted: accepts === null ? counted : keepText(asText(counted), accepts), entries };
}
