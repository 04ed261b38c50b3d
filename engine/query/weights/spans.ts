// Span queries: documents with spans, scored by how many there are and how short they are.

import { type Bitset, compareUtf8, NO_MORE_DOCS, type SegmentReader } from '../../segment/index';
import { NO_NORM, type Scoring, scoringOf, similarityOf } from '../../similarity/index';
import type { SpanTree } from '../ast/query';
import { fieldOfSpans, spanTerms, type SpanTerm, unmasked } from '../ast/spans';
import type { QueryOf } from '../ast/traits';
import { sloppyFactor } from '../scoring/similarity';
import {
  type ExplainContext,
  type Explanation,
  explainFreq,
  noMatch,
} from '../scoring/explanation';
import type { Scorer, SearchStatistics } from '../scoring/weight';
import { openSpans } from '../spans/open-spans';
import { termPositions } from '../spans/positions';
import type { Spans } from '../spans/spans';
import { TermSpans } from '../spans/term-spans';
import type { Binder } from './binder';
import { drain, drainInto, type QueryWeight } from './query-weight';
import { explainTerms } from './term';
import type { FieldId } from '../../metadata/index';

const f = Math.fround;

/** The weight of a span query. */
export function bindSpans(query: QueryOf<'spans'>, { statistics }: Binder): QueryWeight {
  const { tree, boost } = unmasked(query);
  const field = fieldOfSpans(tree)?.id ?? null;
  const isScored = statistics !== null && field !== null;
  const scoring = isScored ? scoringOfSpans(tree, field, boost, statistics) : null;
  return new SpansWeight({ ...query, tree, boost }, field, scoring);
}

/** The distinct terms count, in their order, by what their own fields have of them. */
export function scoringOfSpans(
  tree: SpanTree,
  field: FieldId,
  boost: number,
  { similarities, maxDoc, docFreqs, totalTermFreqs, fields }: SearchStatistics,
): Scoring {
  const terms = [...spanTerms(tree)].sort(byFieldAndTerm);
  const distinct = terms.filter((each, i) => i === 0 || byFieldAndTerm(terms[i - 1]!, each) !== 0);
  return scoringOf(similarityOf(similarities, field), {
    field: fields.get(field) ?? { maxDoc, sumTotalTermFreq: 0 },
    terms: distinct.map(({ field: id, term }) => ({
      docFreq: docFreqs.get(id)?.get(term) ?? 0,
      totalTermFreq: totalTermFreqs.get(id)?.get(term) ?? -1,
    })),
    boost,
  });
}

function byFieldAndTerm(a: SpanTerm, b: SpanTerm): number {
  return a.field - b.field || compareUtf8(a.term, b.term);
}

/** Spans as the similarity of their field scores a phrase: long ones count less. */
class SpansWeight implements QueryWeight {
  /**
   * @param field whose similarity and norms count; null: the tree matches nothing
   * @param scoring null when nobody asks for scores
   */
  constructor(
    private readonly query: QueryOf<'spans'>,
    private readonly field: FieldId | null,
    private readonly scoring: Scoring | null,
  ) {}

  squaredWeights(): number {
    // compat: what has no field weighs 1.
    return this.field === null ? 1 : (this.scoring?.squaredWeights() ?? 0);
  }

  normalize(norm: number, topBoost: number): void {
    this.scoring?.normalize(norm, topBoost);
  }

  cost(segment: SegmentReader): number {
    return costOf(this.query.tree, segment);
  }

  /**
   * @throws EngineError IllegalStateException when the field has a term but was indexed without positions
   */
  scorer(segment: SegmentReader): SpansScorer | null {
    const { field } = this;
    if (field === null) return null;
    const spans = spansIn(this.query.tree, segment);
    return spans === null ? null : new SpansScorer(spans, this.scoring, segment.norms(field));
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const { field, scoring } = this;
    const scorer = this.scorer(segment);
    if (field === null || scorer?.advance(doc) !== doc) return noMatch('no matching term');
    const freq = explainFreq('phraseFreq', scorer.frequency());
    const norm = segment.norms(field)?.[doc] ?? NO_NORM;
    const score = scoring?.explain(doc, freq, norm) ?? freq;
    return explainTerms(context.textOf(this.query), doc, score);
  }

  matches(segment: SegmentReader): Bitset | null {
    const scorer = this.scorer(segment);
    return scorer === null ? null : drain(scorer, segment.docCount);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const scorer = this.scorer(segment);
    if (scorer !== null) drainInto(scorer, into);
  }
}

/** @throws EngineError IllegalStateException when the field has a term but was indexed without positions */
function spansIn(tree: SpanTree, segment: SegmentReader): Spans | null {
  return openSpans(tree, ({ field, term }) => {
    const positions = termPositions(segment, field, term, 'SpanTermQuery');
    return positions === null ? null : new TermSpans(positions);
  });
}

/** What a document is scored by that has spans. */
export interface SpanFigures {
  readonly freq: number;
  /** Norm byte, or NO_NORM. */
  readonly norm: number;
}

/**
 * What the documents of a segment are scored by that have spans. @throws EngineError as {@link spansIn}
 */
export function spanFigures(
  query: QueryOf<'spans'>,
  segment: SegmentReader,
): ReadonlyMap<number, SpanFigures> {
  const { tree } = unmasked(query);
  const figures = new Map<number, SpanFigures>();
  const field = fieldOfSpans(tree)?.id ?? null;
  const spans = field === null ? null : spansIn(tree, segment);
  if (field === null || spans === null) return figures;
  const norms = segment.norms(field);
  const scorer = new SpansScorer(spans, null, norms);
  for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
    figures.set(doc, { freq: scorer.frequency(), norm: norms?.[doc] ?? NO_NORM });
  }
  return figures;
}

/** At most so many documents have spans. */
function costOf(tree: SpanTree, segment: SegmentReader): number {
  switch (tree.type) {
    case 'term': {
      const terms = segment.terms(tree.field.id);
      const ordinal = terms === null ? -1 : terms.ordinalOf(tree.term);
      return terms === null || ordinal < 0 ? 0 : terms.docFreq(ordinal);
    }
    case 'multi':
      return segment.docCount;
    case 'or':
      return tree.clauses.reduce((sum, clause) => sum + costOf(clause, segment), 0);
    case 'near':
      return tree.clauses.reduce(
        (least, clause) => Math.min(least, costOf(clause, segment)),
        segment.docCount,
      );
    case 'first':
    case 'masked':
      return costOf(tree.match, segment);
    case 'not':
      return costOf(tree.include, segment);
  }
}

class SpansScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  /** The document that {@link freq} is of. */
  private countedDoc = -1;
  private freq = 0;

  constructor(
    private readonly spans: Spans,
    private readonly scoring: Scoring | null,
    private readonly norms: Uint8Array | null,
  ) {
    this.cost = spans.cost;
  }

  nextDoc(): number {
    return this.doc === NO_MORE_DOCS ? this.doc : (this.doc = this.spans.nextDoc());
  }

  advance(target: number): number {
    return (this.doc = this.spans.advance(target));
  }

  score(): number {
    const { scoring, norms } = this;
    if (scoring === null) return 0;
    return scoring.scorePhrase(this.frequency(), norms === null ? NO_NORM : norms[this.doc]!);
  }

  /** That of the current document. */
  frequency(): number {
    if (this.countedDoc !== this.doc) this.count();
    return this.freq;
  }

  private count(): void {
    const { spans } = this;
    let freq = 0;
    do freq = f(freq + sloppyFactor(spans.end - spans.start));
    while (spans.nextSpan());
    this.freq = freq;
    this.countedDoc = this.doc;
  }
}
