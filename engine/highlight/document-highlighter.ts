// Highlights documents: chooses the highlighter of each field, and hands it texts and query.

import type { Analyzer } from '../analysis/index';
import { EngineError, illegalArgument } from '../errors';
import type { SegmentReader } from '../segment/index';
import type { HighlightPlan, HighlightTarget, HighlightText } from './plan/highlight-plan';
import { highlightPlain } from './plain/plain-highlighter';
import { PlainQuery } from './plain/weighted-terms';
import { highlightPostings } from './postings/postings-highlighter';
import { type FieldTerm, queryTerms } from './postings/query-terms';
import { inTableOrder } from './field-order';
import { analyzerOf } from './texts/analyzers';
import { DocumentTexts, type HighlightDocument } from './texts/document-texts';
import { fieldFailure } from './texts/failure';
import { flatQueries } from './vector/flat-queries';
import { VectorQuery } from './vector/phrase-list';
import { highlightVector } from './vector/vector-highlighter';

type Kind = 'plain' | 'fvh' | 'postings';

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['plain', 'plain'],
  ['highlighter', 'plain'],
  ['fvh', 'fvh'],
  ['fast-vector-highlighter', 'fvh'],
  ['postings', 'postings'],
  ['postings-highlighter', 'postings'],
]);

/**
 * Highlights documents of one index, one after the other. What is worked out of the queries is kept, so use
 * one highlighter for all hits of a search.
 *
 * To highlight a document that is in no shard, as percolation does: read the request by `parseHighlight`,
 * make the plan by `planHighlight` for the mapping of its index, and give the segment that holds the
 * document alone:
 *
 *     const plan = planHighlight(parseHighlight(body, context), query, index, mapping, [type]);
 *     const highlighter = new DocumentHighlighter(plan, () => [segment]);
 *     const fields = highlighter.highlight({ type, source, shown: source }); // {} is an empty map
 */
export class DocumentHighlighter {
  private readonly plain = new Map<string, PlainQuery>();
  private readonly vector = new Map<string, VectorQuery>();
  private readonly postings = new Map<number, readonly FieldTerm[]>();

  /**
   * @param segments of the shard, in which prefixes and the like are looked up for the fast vector and the
   *   postings highlighter; called when they are needed
   */
  constructor(
    private readonly plan: HighlightPlan,
    private readonly segments: () => readonly SegmentReader[],
  ) {}

  /**
   * The fragments of each field that has any, in the order in which a hit shows them.
   *
   * @throws EngineError ElasticsearchIllegalArgumentException (400) for a highlighter that is unknown or does not
   *         fit the field; FetchPhaseExecutionException (500) for options that nothing works with
   */
  highlight(document: HighlightDocument): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    const texts = new DocumentTexts(document);
    for (const target of this.plan.targets.get(document.type) ?? []) {
      const fragments = this.highlightField(target, texts);
      if (fragments.length > 0) found.set(target.name, fragments);
    }
    if (found.size < 2) return found;
    return new Map(inTableOrder([...found.keys()]).map((name) => [name, found.get(name)!]));
  }

  private highlightField(target: HighlightTarget, texts: DocumentTexts): readonly string[] {
    const { name, isPattern, text } = target;
    const { options } = this.plan.entries[target.entry]!;
    const kind = kindOf(options.type, text, name);
    const isFit =
      kind === 'plain' || (kind === 'fvh' ? text?.hasVectors : text?.hasOffsets) === true;
    if (!isFit) {
      if (isPattern) return [];
      throw illegalArgument(MISFIT[kind](name));
    }
    if (text === null) return [];
    switch (kind) {
      case 'plain':
        return this.highlightPlainly(target, text, texts);
      case 'fvh':
        return this.highlightVectors(target, text, texts);
      case 'postings':
        return this.highlightSentences(target, text, texts);
    }
  }

  private highlightPlainly(
    { entry, name }: HighlightTarget,
    text: HighlightText,
    texts: DocumentTexts,
  ): readonly string[] {
    const { options, query } = this.plan.entries[entry]!;
    const field = options.requireFieldMatch ? text.field : null;
    const values = texts.shown(text, options.forceSource);
    if (options.numberOfFragments < 0 && values.length > 0) {
      const size = String(options.numberOfFragments + 1);
      throw fieldFailure(name, new EngineError('NegativeArraySizeException', size));
    }
    const plain = kept(this.plain, `${query}/${field ?? '*'}`, () => {
      return new PlainQuery(this.plan.queries[query]!, field);
    });
    return highlightPlain(values, this.analyzer(text), plain, options, name);
  }

  private highlightVectors(
    { entry, name, matched }: HighlightTarget,
    text: HighlightText,
    texts: DocumentTexts,
  ): readonly string[] {
    const { options, query } = this.plan.entries[entry]!;
    const isBound = options.requireFieldMatch;
    const vector = kept(this.vector, `${query}/${isBound}`, () => {
      const queries = flatQueries(this.plan.queries[query]!, this.segments, isBound);
      return new VectorQuery(queries, isBound);
    });
    const fields = options.matchedFields.length === 0 ? [text] : matched;
    const sources = fields.map((source) => ({
      field: source.field,
      values: source.hasVectors && !source.isNested ? texts.indexed(source) : [],
      analyzer: this.analyzer(source),
      positionGap: source.positionGap,
      offsetGap: source.analyzer === null ? 0 : 1,
    }));
    try {
      return highlightVector(texts.shown(text, options.forceSource), sources, vector, options);
    } catch (error) {
      throw error instanceof EngineError ? fieldFailure(name, error) : error;
    }
  }

  private highlightSentences(
    { entry }: HighlightTarget,
    text: HighlightText,
    texts: DocumentTexts,
  ): readonly string[] {
    const { options, query } = this.plan.entries[entry]!;
    const all = kept(this.postings, query, () => {
      return queryTerms(this.plan.queries[query]!, this.segments);
    });
    const own = options.requireFieldMatch ? all.filter(({ field }) => field === text.field) : all;
    const shown = texts.shown(text, options.forceSource);
    const indexed = text.isNested ? [] : texts.indexed(text);
    const terms = own.map(({ term }) => term);
    return highlightPostings(shown, indexed, this.analyzer(text), terms, options);
  }

  private analyzer({ analyzer }: HighlightText): Analyzer {
    return analyzerOf(this.plan.analysis, analyzer);
  }
}

const MISFIT: Readonly<Record<'fvh' | 'postings', (name: string) => string>> = {
  fvh: (name) =>
    `the field [${name}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
  postings: (name) =>
    `the field [${name}] should be indexed with positions and offsets in the postings list to be used with postings highlighter`,
};

function kindOf(type: string | null, text: HighlightText | null, name: string): Kind {
  if (type === null) {
    if (text?.hasVectors === true) return 'fvh';
    return text?.hasOffsets === true ? 'postings' : 'plain';
  }
  const kind = KINDS.get(type);
  if (kind !== undefined) return kind;
  throw illegalArgument(`unknown highlighter type [${type}] for the field [${name}]`);
}

function kept<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = make();
    values.set(key, value);
  }
  return value;
}
