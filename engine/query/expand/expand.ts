// Turning queries that depend on the terms of a shard into plain ones (the reference's "rewrite"):
// scoring multi-term queries into bools of terms, phrase prefixes into phrases, limits into bounds.
//
// Constant multi-term queries stay as they are: their weights walk the dictionaries themselves. Expansion
// also happens where nobody asks for scores, because it decides which terms take part.

import { boolQuery } from '../ast/bool-query';
import { EngineError } from '../../errors';
import { NO_MORE_DOCS, type SegmentReader, compareUtf8, liveRootsEnd } from '../../segment/index';
import { replaceBoost } from '../ast/boost';
import { expandBlended, expandCommonTerms } from './expand-frequencies';
import { expandFuzzyWords, expandSimilar } from './expand-similar';
import { mapChildren } from '../ast/children';
import type { PhraseSlot, Query, QueryKind, Rewrite } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import { prefixRange } from '../automaton/term-matcher';
import { collectTerms } from './collect-terms';
import { expandSpans, numbersOfShard } from './expand-spans';
import type { MultiTermQuery } from './term-selection';
import type { Weight } from '../scoring/weight';
import type { FieldId } from '../../metadata/index';

const f = Math.fround;

/** What expansion needs of the rest. */
interface ExpandContext {
  readonly segments: readonly SegmentReader[];
  /** Binds an expanded query for matching only. */
  unscored(query: Query): Weight;
}

type Expander<Kind extends QueryKind> = (query: QueryOf<Kind>, context: ExpandContext) => Query;

/** Kinds that are others after expansion, whatever the shard: no weight ever sees them. */
export type ExpandedKind = 'phrasePrefix' | 'blended' | 'commonTerms' | 'similar' | 'fuzzyWords';

/** Kinds that depend on the shard themselves; of others only the parts are expanded. */
const EXPANDERS: { readonly [Kind in ExpandedKind]: Expander<Kind> } & {
  readonly [Kind in Exclude<QueryKind, ExpandedKind>]?: Expander<Kind>;
} = {
  prefix: (query, { segments }) => expandMultiTerm(query, query.rewrite, segments),
  wildcard: (query, { segments }) => expandMultiTerm(query, query.rewrite, segments),
  regexp: (query, { segments }) => expandMultiTerm(query, query.rewrite, segments),
  fuzzy: (query, { segments }) => {
    const { rewrite, maxExpansions: size } = query;
    return expandMultiTerm(query, rewrite ?? { method: 'topTerms', size, boost: false }, segments);
  },
  phrasePrefix: (query, { segments }) => expandPhrasePrefix(query, segments),
  blended: (query, { segments }) => expandBlended(query, segments),
  commonTerms: (query, { segments }) => expandCommonTerms(query, segments),
  similar: (query, { segments }) => expandSimilar(query, segments),
  fuzzyWords: (query, { segments }) => expandFuzzyWords(query, segments),
  filtered: (query, context) => {
    const inner = expandQuery(query.query, context);
    const filter =
      query.filter.kind === 'limit'
        ? limitMatches(query.filter, context.unscored(inner), context.segments)
        : expandQuery(query.filter, context);
    return { ...query, query: inner, filter };
  },
  boosting: (query, context) => ({
    ...query,
    positive: expandQuery(query.positive, context),
    negative: expandQuery(weightless(query.negative), context),
  }),
  limit: (query, { segments }) => limitRoots(query, segments),
  spans: (query, { segments, ...context }) =>
    expandSpans(query, segments, (numbers) => numbersOfShard(numbers, segments, context)),
};

/**
 * The query with everything expanded that depends on the terms and documents of a shard.
 *
 * @throws EngineError TooManyClauses (500) when a scoring rewrite meets more terms than a bool may have
 */
export function expandQuery(query: Query, context: ExpandContext): Query {
  const expander = EXPANDERS[query.kind] as
    | ((query: Query, context: ExpandContext) => Query)
    | undefined;
  if (expander !== undefined) return expander(query, context);
  return mapChildren(query, (child) => expandQuery(child, context));
}

/**
 * The negative part of a boosting query: its boost is 0. A phrase prefix, which loses its boost when the
 * reference rewrites it, keeps its weight, as another boosting query does.
 */
function weightless(query: Query): Query {
  if (query.kind === 'named') return { ...query, query: weightless(query.query) };
  return query.kind === 'phrasePrefix' ? query : replaceBoost(query, 0);
}

function expandMultiTerm(
  query: Exclude<MultiTermQuery, { kind: 'stringRange' }>,
  rewrite: Rewrite,
  segments: readonly SegmentReader[],
): Query {
  if (rewrite.method === 'constant') return query;
  const terms =
    rewrite.method === 'scoringBoolean'
      ? collectTerms(query, segments, rewrite.limit + 1, false)
      : collectTerms(query, segments, rewrite.size, query.kind === 'fuzzy');
  if (rewrite.method === 'scoringBoolean' && terms.length > rewrite.limit) {
    throw new EngineError('TooManyClauses', `maxClauseCount is set to ${rewrite.limit}`, {
      status: 500,
    });
  }
  const constant = rewrite.method === 'topTerms' && rewrite.boost;
  const should = terms.map(({ term, boost }): Query => ({
    kind: 'term',
    field: query.field,
    term,
    boost: f(f(query.boost) * boost),
    scored: !constant,
  }));
  return boolQuery({ should, disableCoord: true });
}

/** The boost of a phrase prefix is lost when it is expanded, as in the reference. */
function expandPhrasePrefix(
  query: QueryOf<'phrasePrefix'>,
  segments: readonly SegmentReader[],
): Query {
  const terms = prefixedTerms(query.field, query.prefixes, query.maxExpansions, segments);
  if (terms.length === 0) return { kind: 'matchNone' };
  const last: PhraseSlot = { terms, position: query.prefixPosition };
  return {
    kind: 'phrase',
    field: query.field,
    slots: [...query.slots, last],
    slop: query.slop,
    boost: query.boost,
  };
}

function prefixedTerms(
  field: FieldId,
  prefixes: readonly string[],
  limit: number,
  segments: readonly SegmentReader[],
): readonly string[] {
  const found = new Set<string>();
  for (const prefix of prefixes) {
    const terms = new Set<string>();
    for (const segment of segments) {
      const dictionary = segment.terms(field);
      if (dictionary === null) continue;
      const [from, to] = prefixRange(dictionary, prefix);
      dictionary.forEach(from, Math.min(to, from + limit), (term) => {
        terms.add(term);
      });
    }
    for (const term of [...terms].sort(compareUtf8).slice(0, limit)) found.add(term);
    if (found.size > limit) break;
  }
  return [...found];
}

/** The first live root documents of the shard. */
function limitRoots(query: QueryOf<'limit'>, segments: readonly SegmentReader[]): Query {
  let left = query.count;
  const ends = segments.map((segment): readonly [number, number] => {
    const { end, found } = liveRootsEnd(segment, left);
    left -= found;
    return [segment.segmentId, end];
  });
  return { ...query, ends };
}

/** The first live documents of the shard that a query matches. */
function limitMatches(
  query: QueryOf<'limit'>,
  weight: Weight,
  segments: readonly SegmentReader[],
): Query {
  let left = query.count;
  const ends = segments.map((segment): readonly [number, number] => {
    const scorer = left > 0 ? weight.scorer(segment) : null;
    if (scorer === null) return [segment.segmentId, 0];
    let end = 0;
    const { liveDocs } = segment;
    while (left > 0) {
      const doc = scorer.nextDoc();
      if (doc === NO_MORE_DOCS) break;
      if (liveDocs !== null && !liveDocs.has(doc)) continue;
      if (segment.roots !== null && !segment.roots.has(doc)) continue;
      left--;
      end = doc + 1;
    }
    return [segment.segmentId, end];
  });
  return { ...query, ends };
}
