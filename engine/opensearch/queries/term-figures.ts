// What a query has to know of the terms of a shard before it can be asked: how frequent they are, and which
// there are where it stands for several. One request brings all of it. The embedded engine's own preparation
// then works on a segment that has nothing but these terms.

import { isJsonObject, type JsonObject, JsonNumber, type JsonOutput } from '../../json/index';
import type { FieldId } from '../../metadata/index';
import {
  listedSegment,
  ListedTerms,
  type Query,
  type QueryOf,
  scoredChildren,
  spanParts,
  type SpanTree,
  type TermsQuery,
  unscoredChildren,
} from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import { nestedPath, termField, tokensField } from '../layout/names';
import { bucketsOf, doubleAt, MOST_BUCKETS, numberIn, partOf } from '../transport/answers';
import { at, type Clause, type ClauseContext, EVERYTHING } from './clause-context';
import { unsupported } from '../layout/unsupported';
import { allDocuments, nestedCounts, type NestedFields } from './nested-fields';
import { literalText, regexpText } from './regexp-text';
import { TERM_CLAUSES } from './terms';
import type { TextField } from './text-fields';

/** The tokens of a field that nobody has counted. */
const UNCOUNTED = -1;

/** Most variants of one word. */
const MOST_VARIANTS = 1024;

/** Terms like those of a query. */
interface Like {
  readonly field: FieldId;
  /** An expression of OpenSearch; null: any. */
  readonly include: string | null;
  /** Documents outside of it have none of them. */
  readonly within: Clause | null;
  /** The first ones, in the order of terms. */
  readonly limit: number;
}

/** What is asked about the documents of a shard, or about their nested objects. */
class Asked {
  readonly terms = new Map<FieldId, Set<string>>();
  readonly likes: Like[] = [];

  constructor(readonly context: ClauseContext) {}

  term(field: FieldId, term: string): void {
    const terms = this.terms.get(field);
    if (terms === undefined) this.terms.set(field, new Set([term]));
    else terms.add(term);
  }

  like(like: Like): void {
    this.likes.push(like);
  }
}

/** Figures of a shard that some queries ask for. */
export class TermFigures {
  private readonly scopes = new Map<string | null, Asked>();
  /** Whether scores need to know how many documents there are. */
  private isScored = false;

  /** @param nested what of the index is nested @param text its strings that have tokens */
  constructor(
    queries: readonly Query[],
    context: ClauseContext,
    private readonly nested: NestedFields,
    private readonly text: ReadonlyMap<FieldId, TextField>,
  ) {
    for (const query of queries) this.visit(query, context, true);
  }

  /** Nothing is asked. */
  get isEmpty(): boolean {
    return !this.isScored && this.scopes.size === 0;
  }

  /** The body of a search. */
  request(): JsonOutput {
    const aggs = nestedCounts(this.nested.paths);
    [...this.scopes].forEach(([path, asked], s) => {
      const inner: Record<string, JsonOutput> = {};
      for (const [field, terms] of asked.terms) {
        const name = at(asked.context, termField(field));
        const filters: JsonOutput = [...terms].map((term) => ({
          term: { [name]: { value: term } },
        }));
        inner[`t${field}`] = { filters: { filters } };
        if (this.text.get(field)?.counted === true) {
          inner[`c${field}`] = { sum: { field: at(asked.context, tokensField(field)) } };
        }
      }
      asked.likes.forEach((like, i) => (inner[`l${i}`] = likeRequest(like, asked.context)));
      aggs[`s${s}`] =
        path === null ? { filter: EVERYTHING, aggs: inner } : { nested: { path }, aggs: inner };
    });
    return { size: 0, track_total_hits: true, aggs };
  }

  /** A segment of the terms that the answer to {@link request} tells of. */
  segment(answer: JsonObject): SegmentReader {
    const aggs = answer.get('aggregations');
    const found: JsonObject = isJsonObject(aggs) ? aggs : new Map();
    const docs = allDocuments(answer, this.nested.paths);
    const terms = new Map<FieldId, Map<string, number>>();
    const tokens = new Map<FieldId, number>();
    [...this.scopes.values()].forEach((asked, s) => {
      for (const [field, counts] of countsOf(asked, found.get(`s${s}`) as JsonObject)) {
        const sums = terms.get(field) ?? new Map<string, number>();
        terms.set(field, sums);
        for (const [term, count] of counts) sums.set(term, (sums.get(term) ?? 0) + count);
      }
      for (const field of asked.terms.keys()) {
        if (this.text.get(field)?.counted !== true) continue;
        const sum = doubleAt(partOf(found.get(`s${s}`) as JsonObject, `c${field}`), 'value', 0);
        tokens.set(field, (tokens.get(field) ?? 0) + sum);
        if (!terms.has(field)) terms.set(field, new Map());
      }
    });
    const listed = new Map(
      [...terms].map(([field, counts]) => [
        field,
        new ListedTerms(counts, tokens.get(field) ?? UNCOUNTED),
      ]),
    );
    return listedSegment(docs, (field) => listed.get(field) ?? null);
  }

  /** @param isScored whether its scores count, and not only its documents */
  private visit(query: Query, context: ClauseContext, isScored: boolean): void {
    const visit = VISITS[query.kind] as Visit<Query> | undefined;
    if (visit !== undefined) {
      visit(query, this, context, isScored);
      return;
    }
    this.visitParts(query, context, isScored);
  }

  visitParts(query: Query, context: ClauseContext, isScored: boolean): void {
    for (const child of scoredChildren(query)) this.visit(child, context, isScored);
    for (const child of unscoredChildren(query)) this.visit(child, context, false);
  }

  visitNested(query: QueryOf<'nested'>, context: ClauseContext, isScored: boolean): void {
    const path = nestedPath(context.mapping, query.path);
    this.visit(query.query, { ...context, path }, isScored);
  }

  visitSpans(tree: SpanTree, context: ClauseContext, isScored: boolean): void {
    if (tree.type === 'multi') this.likeTerms(context, tree.query, MOST_BUCKETS);
    else if (tree.type !== 'term') {
      for (const part of spanParts(tree)) this.visitSpans(part, context, isScored);
    } else if (isScored) this.term(context, tree.field.id, tree.term);
  }

  likeTerms(context: ClauseContext, query: TermsQuery, limit: number): void {
    const { field } = query;
    switch (query.kind) {
      case 'prefix':
        this.like(context, { field, include: `${literalText(query.prefix)}.*`, limit });
        return;
      case 'wildcard':
        this.like(context, { field, include: wildcardText(query.pattern), limit });
        return;
      case 'regexp':
        this.like(context, { field, include: regexpText(query.pattern, query.flags), limit });
        return;
      case 'fuzzy':
        this.likeWord(context, query, query.transpositions);
        return;
      case 'stringRange': {
        const within = TERM_CLAUSES.stringRange(query, context);
        this.like(context, { field, include: null, within, limit });
        return;
      }
      case 'numericRange':
      case 'numberSet':
      // Numbers have no positions: there are no such spans.
    }
  }

  likeWord(
    context: ClauseContext,
    word: Pick<QueryOf<'fuzzy'>, 'field' | 'term' | 'maxEdits' | 'prefixLength'>,
    transpositions: boolean,
  ): void {
    const { field, term, prefixLength } = word;
    const whole = {
      kind: 'fuzzy',
      ...word,
      transpositions,
      maxExpansions: MOST_VARIANTS,
      boost: 1,
      rewrite: null,
    } as const;
    const start = term.slice(0, prefixLength);
    const include = start === '' ? null : `${literalText(start)}.*`;
    const within = TERM_CLAUSES.fuzzy(whole, context);
    this.like(context, { field, include, within, limit: MOST_BUCKETS });
  }

  term(context: ClauseContext, field: FieldId, term: string): void {
    this.isScored = true;
    this.asked(context).term(field, term);
    // What is included in outer objects, too, is counted there as well.
    for (const path of this.nested.placesOf.get(field) ?? []) {
      if (path !== context.path) this.asked({ ...context, path }).term(field, term);
    }
  }

  like(context: ClauseContext, like: Omit<Like, 'within'> & Partial<Like>): void {
    this.asked(context).like({ within: null, ...like });
  }

  private asked(context: ClauseContext): Asked {
    let asked = this.scopes.get(context.path);
    if (asked === undefined) this.scopes.set(context.path, (asked = new Asked(context)));
    return asked;
  }
}

type Visit<Node> = (
  query: Node,
  figures: TermFigures,
  context: ClauseContext,
  isScored: boolean,
) => void;

const multiTerm: Visit<QueryOf<'prefix' | 'wildcard' | 'regexp'>> = (query, figures, context) => {
  const { rewrite } = query;
  if (rewrite.method === 'constant') return;
  const limit = rewrite.method === 'topTerms' ? rewrite.size : rewrite.limit + 1;
  figures.likeTerms(context, query, limit);
};

/** What kinds ask themselves; of others their parts do. */
const VISITS: { readonly [Kind in Query['kind']]?: Visit<QueryOf<Kind>> } = {
  term: (query, figures, context, isScored) => {
    if (isScored && query.scored) figures.term(context, query.field, query.term);
  },
  phrase: slots,
  phrasePrefix: (query, figures, context, isScored) => {
    slots(query, figures, context, isScored);
    for (const prefix of query.prefixes) {
      const include = `${literalText(prefix)}.*`;
      figures.like(context, { field: query.field, include, limit: query.maxExpansions });
    }
  },
  prefix: multiTerm,
  wildcard: multiTerm,
  regexp: multiTerm,
  fuzzy: (query, figures, context) => {
    if (query.rewrite?.method !== 'constant') figures.likeTerms(context, query, MOST_BUCKETS);
  },
  spans: (query, figures, context, isScored) => {
    figures.visitSpans(query.tree, context, isScored);
  },
  blended: (query, figures, context) => {
    for (const { field, term } of query.terms) figures.term(context, field, term);
  },
  commonTerms: (query, figures, context) => {
    for (const term of query.terms) figures.term(context, query.field, term);
  },
  similar: (query, figures, context) => {
    for (const { fields, words } of query.terms) {
      for (const field of fields) {
        for (const { word } of words) figures.term(context, field, word);
      }
    }
  },
  fuzzyWords: (query, figures, context) => {
    const { prefixLength } = query;
    for (const { field, word, maxEdits } of query.words) {
      figures.term(context, field, word);
      figures.likeWord(context, { field, term: word, maxEdits, prefixLength }, false);
    }
  },
  nested: (query, figures, context, isScored) => {
    figures.visitNested(query, context, isScored);
  },
  functionScore: (query, figures, context, isScored) => {
    figures.visitParts(query, context, isScored || query.minScore !== null);
  },
  limit: () => {
    throw unsupported('a [limit] query', 'documents have no order there');
  },
};

function slots(
  { field, slots: all }: Pick<QueryOf<'phrase'>, 'field' | 'slots'>,
  figures: TermFigures,
  context: ClauseContext,
  isScored: boolean,
): void {
  if (!isScored) return;
  for (const { terms } of all) for (const term of terms) figures.term(context, field, term);
}

/** How many documents, or nested objects, have terms; none: the term is left out. */
function countsOf(asked: Asked, answer: JsonObject): ReadonlyMap<FieldId, Map<string, number>> {
  const terms = new Map<FieldId, Map<string, number>>();
  const set = (field: FieldId, term: string, count: number): void => {
    if (count === 0) return;
    const counts = terms.get(field) ?? new Map<string, number>();
    // Documents that have terms like one may have others as well: of those not all are counted.
    terms.set(field, counts.set(term, Math.max(count, counts.get(term) ?? 0)));
  };
  for (const [field, names] of asked.terms) {
    const buckets = bucketsOf(partOf(answer, `t${field}`));
    [...names].forEach((term, i) => set(field, term, numberIn(buckets[i]!, 'doc_count')));
  }
  asked.likes.forEach(({ field, within }, i) => {
    const like = partOf(answer, `l${i}`);
    for (const bucket of bucketsOf(within === null ? like : partOf(like, 'terms'))) {
      set(field, keyOf(bucket), numberIn(bucket, 'doc_count'));
    }
  });
  return terms;
}

function likeRequest({ field, include, within, limit }: Like, context: ClauseContext): JsonOutput {
  const terms = {
    field: at(context, termField(field)),
    size: Math.min(Math.max(limit, 1), MOST_BUCKETS),
    order: { _key: 'asc' },
    ...(include === null ? {} : { include }),
  };
  return within === null ? { terms } : { filter: within, aggs: { terms: { terms } } };
}

function keyOf(bucket: JsonObject): string {
  const key = bucket.get('key');
  return key instanceof JsonNumber ? key.text : (key as string);
}

function wildcardText(pattern: string): string {
  let text = '';
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    if (character === '*') text += '.*';
    else if (character === '?') text += '.';
    else if (character === '\\' && i + 1 < characters.length) text += literalText(characters[++i]!);
    else text += literalText(character);
  }
  return text === '' ? '()' : text;
}
