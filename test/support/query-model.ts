// A naive search engine over described documents: every query kind answered by looking at one document
// at a time, scores by the formulas as they are written down. Slow and plain on purpose.

import type { Query, SpanTree } from '../../engine/query/ast/query';
import { compareUtf8 } from '../../engine/segment/dictionary/utf8-order';
import { FIELDS } from './query-segments';
import {
  allDocs,
  idf,
  normOf,
  occurrences,
  type ModelDoc,
  type ModelShard,
} from './query-model-documents';
import { phraseFreq, similarity } from './query-model-matching';
import { expandedSpans, spanFreq, spanTerms } from './span-model';
import { fieldOfSpans } from '../../engine/query/ast/spans';
import { STANDARD_SIMILARITIES } from '../../engine/similarity/registry';
import {
  modelScore,
  modelSimilarity,
  modelSquaredWeight,
  type ModelTerm,
} from './similarity-model';

const f = Math.fround;

/** How an expanded query scores and matches on the model. */
export class ModelSearch {
  constructor(
    private readonly shard: ModelShard,
    private readonly similarities = STANDARD_SIMILARITIES,
  ) {}

  /** Scores of all documents by segment and document; absent: no match. */
  run(query: Query): Map<string, number> {
    const plain = this.expand(query);
    const sum = this.weightOf(plain);
    const inverse = f(1 / Math.sqrt(sum));
    const { normsQueries } = this.similarities;
    const norm = Number.isFinite(inverse) && normsQueries ? inverse : 1;
    const results = new Map<string, number>();
    this.shard.segments.forEach((docs, s) => {
      docs.forEach((_, d) => {
        const score = this.score(plain, docs, d, f(norm), 1);
        if (score !== null) results.set(`${s}/${d}`, score);
      });
    });
    return results;
  }

  private termsOf(field: number): string[] {
    const terms = new Set<string>();
    for (const doc of allDocs(this.shard)) {
      for (const each of doc.terms.get(field) ?? []) terms.add(each.term);
    }
    return [...terms].sort(compareUtf8);
  }

  /**
   * Turns scoring multi-term queries and phrase prefixes into plain ones, and drops what is
   * transparent.
   */
  private expand(query: Query): Query {
    switch (query.kind) {
      case 'named':
        return this.expand(query.query);
      case 'prefix':
      case 'wildcard':
      case 'fuzzy': {
        const rewrite =
          query.kind === 'fuzzy'
            ? (query.rewrite ??
              ({ method: 'topTerms', size: query.maxExpansions, boost: false } as const))
            : query.rewrite;
        if (rewrite.method === 'constant') return query;
        let terms = this.termsOf(query.field)
          .map((term) => ({ term, boost: similarity(query, term) }))
          .filter(({ boost }) => boost > 0);
        if (rewrite.method === 'topTerms') {
          terms = [...terms].sort((a, b) => b.boost - a.boost).slice(0, rewrite.size);
        }
        const constant = rewrite.method === 'topTerms' && rewrite.boost;
        return this.expand({
          kind: 'bool',
          must: [],
          should: terms.map(({ term, boost }) => ({
            kind: 'term',
            field: query.field,
            term,
            boost: query.boost * boost,
            scored: !constant,
          })),
          mustNot: [],
          minimumShouldMatch: 0,
          disableCoord: true,
          boost: 1,
        });
      }
      case 'phrasePrefix': {
        const terms = this.termsOf(query.field)
          .filter((term) => query.prefixes.some((prefix) => term.startsWith(prefix)))
          .slice(0, query.maxExpansions);
        if (terms.length === 0) return { kind: 'matchNone' };
        const last = { terms, position: query.prefixPosition };
        return this.expand({ ...query, kind: 'phrase', slots: [...query.slots, last] });
      }
      case 'phrase':
        if (query.slots.length > 1) return query;
        return this.expand({
          kind: 'bool',
          must: [],
          should: (query.slots[0]?.terms ?? []).map((term) => ({
            kind: 'term',
            field: query.field,
            term,
            boost: 1,
            scored: true,
          })),
          mustNot: [],
          minimumShouldMatch: 0,
          disableCoord: true,
          boost: query.boost,
        });
      case 'spans':
        return { ...query, tree: expandedSpans(query.tree, (field) => this.termsOf(field)) };
      case 'bool': {
        const must = query.must.map((each) => this.expand(each));
        const should = query.should.map((each) => this.expand(each));
        const mustNot = query.mustNot.map((each) => this.expand(each));
        if (
          mustNot.length === 0 &&
          must.length + should.length === 1 &&
          query.minimumShouldMatch === 0
        ) {
          return boosted(must[0] ?? should[0]!, query.boost);
        }
        return { ...query, must, should, mustNot };
      }
      case 'disMax': {
        const queries = query.queries.map((each) => this.expand(each));
        return queries.length === 1 ? boosted(queries[0]!, query.boost) : { ...query, queries };
      }
      case 'constantScore':
      case 'nested':
        return { ...query, query: this.expand(query.query) };
      case 'filtered':
        return { ...query, query: this.expand(query.query), filter: this.expand(query.filter) };
      case 'boosting':
        return {
          ...query,
          positive: this.expand(query.positive),
          negative: this.expand(unboosted(query.negative)),
        };
      default:
        return query;
    }
  }

  /** Sum of squared weights. */
  private weightOf(query: Query): number {
    switch (query.kind) {
      case 'matchNone':
        return 0;
      case 'term':
        return query.scored ? this.weightOfTerms(query) : f(query.boost ** 2);
      case 'phrase':
      case 'spans':
        return this.weightOfTerms(query);
      case 'bool':
        return f(
          [...query.must, ...query.should].reduce((sum, each) => f(sum + this.weightOf(each)), 0) *
            f(query.boost ** 2),
        );
      case 'disMax': {
        const all = query.queries.map((each) => this.weightOf(each));
        const max = Math.max(0, ...all);
        const sum = all.reduce((a, b) => f(a + b), 0);
        return f(
          (f(f(f(sum - max) * query.tieBreaker) * query.tieBreaker) + max) * query.boost ** 2,
        );
      }
      case 'filtered':
      case 'nested':
        return f(this.weightOf(query.query) * query.boost ** 2);
      case 'boosting':
        return f(
          f(this.weightOf(query.positive) + this.weightOf(query.negative)) * inherited(query) ** 2,
        );
      default:
        return 'boost' in query ? f(query.boost ** 2) : 1;
    }
  }

  private weightOfTerms(query: Scored): number {
    const { field, terms, boost } = scoredTerms(query);
    if (field === null) return 1;
    const similarity = modelSimilarity(this.similarities, field);
    if (similarity.kind === 'default') return f(f(this.idfOf(terms) * boost) ** 2);
    return modelSquaredWeight(similarity, this.shard, { field, terms, boost });
  }

  private idfOf(terms: readonly ModelTerm[]): number {
    return terms.reduce((sum, { field, term }) => f(sum + idf(this.shard, field, term)), 0);
  }

  private scoreOfTerms(
    query: Scored,
    freq: number,
    doc: ModelDoc,
    norm: number,
    top: number,
  ): number {
    const { field, terms, boost } = scoredTerms(query);
    const similarity = modelSimilarity(this.similarities, field!);
    if (similarity.kind === 'default') {
      return this.tfIdf(this.idfOf(terms), freq, { field: field!, boost }, doc, norm, top);
    }
    return boost * top * modelScore(similarity, this.shard, { field: field!, terms }, doc, freq);
  }

  /** The score of a document, or null when it does not match. */
  private score(
    query: Query,
    docs: readonly ModelDoc[],
    at: number,
    norm: number,
    top: number,
  ): number | null {
    const doc = docs[at]!;
    const child = (each: Query, factor: number): number | null =>
      this.score(each, docs, at, norm, f(top * factor));
    const constant = (matches: boolean, boost: number): number | null =>
      matches ? f(boost * f(norm * top)) : null;
    switch (query.kind) {
      case 'matchAll':
        return constant(true, query.boost);
      case 'matchNone':
        return null;
      case 'term': {
        const freq = occurrences(doc, query.field, query.term).length;
        if (!query.scored) return constant(freq > 0, query.boost);
        if (freq === 0) return null;
        const counted = query.field === FIELDS.k.id ? 1 : freq;
        return this.scoreOfTerms(query, counted, doc, norm, top);
      }
      case 'phrase': {
        const freq = phraseFreq(doc, query);
        if (freq === 0) return null;
        return this.scoreOfTerms(query, freq, doc, norm, top);
      }
      case 'spans': {
        const freq = spanFreq(doc, unmasked(query).tree);
        if (freq === 0) return null;
        return this.scoreOfTerms(query, freq, doc, norm, top);
      }
      case 'termSet':
        return constant(
          query.terms.some((term) => occurrences(doc, query.field, term).length > 0),
          query.boost,
        );
      case 'uids':
        return constant(
          query.uids.some((uid) => occurrences(doc, FIELDS._uid.id, uid).length > 0),
          query.boost,
        );
      case 'types':
        return constant(
          query.types.some((type) => occurrences(doc, FIELDS._type.id, type).length > 0),
          query.boost,
        );
      case 'numberSet':
        return constant(
          (doc.numbers.get(query.field) ?? []).some((n) => query.values.some((v) => v == n)),
          query.boost,
        );
      case 'numericRange':
        return constant(
          (doc.numbers.get(query.field) ?? []).some(
            (n) => (query.from === null || n >= query.from) && (query.to === null || n <= query.to),
          ),
          query.boost,
        );
      case 'stringRange': {
        const { from, to } = query;
        return constant(
          (doc.terms.get(query.field) ?? []).some(({ term }) => {
            const low = from === null ? 1 : compareUtf8(term, from);
            const high = to === null ? -1 : compareUtf8(term, to);
            return (
              (query.includeFrom ? low >= 0 : low > 0) && (query.includeTo ? high <= 0 : high < 0)
            );
          }),
          query.boost,
        );
      }
      case 'prefix':
      case 'wildcard':
      case 'fuzzy':
        return constant(
          (doc.terms.get(query.field) ?? []).some(({ term }) => similarity(query, term) > 0),
          query.boost,
        );
      case 'exists':
        return constant(
          query.fields.some((id) => doc.terms.has(id) || doc.numbers.has(id)),
          query.boost,
        );
      case 'constantScore':
        return constant(child(query.query, 1) !== null, query.boost);
      case 'filtered':
        return child(query.filter, 1) === null ? null : child(query.query, query.boost);
      case 'bool':
        return this.boolScore(query, child);
      case 'disMax': {
        const all = query.queries.map((each) => child(each, query.boost)).filter(isNumber);
        if (all.length === 0) return null;
        const max = Math.max(...all);
        const sum = all.reduce((a, b) => f(a + b), 0);
        return all.length === 1 ? max : f(max + f(f(sum - max) * f(query.tieBreaker)));
      }
      case 'boosting': {
        const positive = child(query.positive, inherited(query));
        if (positive === null) return null;
        const negative = child(query.negative, inherited(query));
        return negative === null ? positive : f(f(positive + negative) * f(query.negativeBoost));
      }
      case 'nested': {
        if (doc.path !== query.parentPath) return null;
        const scores: number[] = [];
        docs.forEach((each, i) => {
          if (each.path !== query.path || !isInside(docs, i, at)) return;
          const score = this.score(query.query, docs, i, norm, f(top * query.boost));
          if (score !== null) scores.push(score);
        });
        if (scores.length === 0) return null;
        const sum = scores.reduce((a, b) => f(a + b), 0);
        if (query.scoreMode === 'none') return 0;
        if (query.scoreMode === 'max') return Math.max(...scores);
        return query.scoreMode === 'sum' ? sum : f(sum / scores.length);
      }
      default:
        throw new Error(`the model does not know ${query.kind}`);
    }
  }

  private tfIdf(
    termIdf: number,
    freq: number,
    query: { readonly field: number; readonly boost: number },
    doc: ModelDoc,
    norm: number,
    top: number,
  ): number {
    const weight = f(f(termIdf * query.boost) * f(norm * top));
    return f(f(f(Math.sqrt(freq)) * f(weight * termIdf)) * normOf(doc, query.field));
  }

  private boolScore(
    query: Extract<Query, { kind: 'bool' }>,
    child: (each: Query, factor: number) => number | null,
  ): number | null {
    const must = query.must.map((each) => child(each, query.boost));
    const should = query.should.map((each) => child(each, query.boost)).filter(isNumber);
    if (must.length + query.should.length === 0 || must.includes(null)) return null;
    const least = Math.max(query.minimumShouldMatch, must.length === 0 ? 1 : 0);
    if (should.length < least) return null;
    if (query.mustNot.some((each) => child(each, query.boost) !== null)) return null;
    const clauses = query.must.length + query.should.length;
    const matched = must.length + should.length;
    const isNormed = this.similarities.normsQueries && !query.disableCoord;
    const coord = isNormed && clauses > 1 ? f(matched / clauses) : 1;
    const sum = [...must, ...should].reduce<number>((a, b) => a + b!, 0);
    return f(f(sum) * coord);
  }
}

/** A masked span query scores as what is in it. */
function unmasked({ tree, boost }: Extract<Query, { kind: 'spans' }>): {
  readonly tree: SpanTree;
  readonly boost: number;
} {
  if (tree.type !== 'masked') return { tree, boost };
  return unmasked({ kind: 'spans', tree: tree.match, boost: tree.boost });
}

type Scored = Extract<Query, { kind: 'term' | 'phrase' | 'spans' }>;

/** What a query looks for, and the field that it scores by. */
function scoredTerms(query: Scored): {
  readonly field: number | null;
  readonly terms: readonly ModelTerm[];
  readonly boost: number;
} {
  if (query.kind === 'spans') {
    const { tree, boost } = unmasked(query);
    return { field: fieldOfSpans(tree)?.id ?? null, terms: spanTerms(tree), boost };
  }
  const { field, boost } = query;
  const texts = query.kind === 'term' ? [query.term] : query.slots.flatMap(({ terms }) => terms);
  return { field, terms: texts.map((term) => ({ field, term })), boost };
}

function isNumber(value: number | null): value is number {
  return value !== null;
}

/** Whether document `at` is `holder` or inside it, directly or not. */
function isInside(docs: readonly ModelDoc[], at: number, holder: number): boolean {
  for (let i = docs[at]!.parent; i >= 0; i = docs[i]!.parent) if (i === holder) return true;
  return false;
}

/** A boosting query has no boost of its own, but keeps one of a query that it stands for. */
type Boosting = Extract<Query, { kind: 'boosting' }> & { readonly boost?: number };

function inherited(query: Boosting): number {
  return query.boost ?? 1;
}

/** The boost of an expanded query multiplied. */
function boosted(query: Query, factor: number): Query {
  if (query.kind === 'limit' || query.kind === 'sequences' || query.kind === 'named') {
    throw new Error('not in the model');
  }
  if (query.kind === 'matchNone') return query;
  if (query.kind !== 'boosting') return { ...query, boost: f(f(query.boost) * f(factor)) };
  const result: Boosting = { ...query, boost: f(inherited(query) * f(factor)) };
  return result;
}

/** The negative part of a boosting query, before it is expanded. */
function unboosted(query: Query): Query {
  switch (query.kind) {
    case 'named':
      return unboosted(query.query);
    case 'boosting':
    case 'phrasePrefix':
    case 'matchNone':
    case 'limit':
    case 'sequences':
      return query;
    default:
      return { ...query, boost: 0 };
  }
}
