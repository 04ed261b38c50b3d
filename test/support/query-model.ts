// A naive search engine over described documents: every query kind answered by looking at one document
// at a time, scores by the formulas as they are written down. Slow and plain on purpose.

import type { Query } from '../../engine/query/ast/query';
import { compareUtf8 } from '../../engine/segment/dictionary/utf8-order';
import { FIELDS, PATHS, WORDS, type FieldName, type TestObject } from './query-segments';

const f = Math.fround;

interface Occurrence {
  readonly term: string;
  readonly position: number;
}

/** One document as an index sees it. */
export interface ModelDoc {
  readonly path: string | null;
  /** Index of the document that holds a nested object, within the segment. */
  parent: number;
  readonly terms: ReadonlyMap<number, readonly Occurrence[]>;
  readonly numbers: ReadonlyMap<number, readonly (number | bigint)[]>;
}

/** Documents of one segment in order: nested objects before what holds them. */
export function modelOf(documents: readonly TestObject[]): ModelDoc[] {
  const docs: ModelDoc[] = [];
  const add = (object: TestObject, depth: number): number => {
    const children = (object.nested ?? []).map((nested) => add(nested, depth + 1));
    const index = docs.push(modelDoc(object, depth)) - 1;
    for (const child of children) docs[child]!.parent = index;
    return index;
  };
  for (const document of documents) add(document, 0);
  return docs;
}

function modelDoc(object: TestObject, depth: number): ModelDoc {
  const terms = new Map<number, Occurrence[]>();
  const numbers = new Map<number, (number | bigint)[]>();
  for (const [name, values] of Object.entries(object.values)) {
    const field = FIELDS[name as FieldName];
    let position = -1;
    for (const value of values) {
      if (typeof value !== 'string') {
        numbers.set(field.id, [...(numbers.get(field.id) ?? []), value]);
        continue;
      }
      const list = terms.get(field.id) ?? [];
      terms.set(field.id, list);
      if (field.analyzer === null) {
        position++;
        if (!list.some((each) => each.term === value)) list.push({ term: value, position });
      } else {
        const skipped = WORDS.forEachTerm(value, (term, increment) => {
          position += increment;
          list.push({ term, position });
        });
        position += skipped ?? 0;
      }
    }
  }
  return { path: depth === 0 ? null : PATHS[depth - 1]!, parent: -1, terms, numbers };
}

/** A shard: segments of documents. */
export interface ModelShard {
  readonly segments: readonly (readonly ModelDoc[])[];
}

function occurrences(doc: ModelDoc, field: number, term: string): readonly Occurrence[] {
  return (doc.terms.get(field) ?? []).filter((each) => each.term === term);
}

function allDocs(shard: ModelShard): ModelDoc[] {
  return shard.segments.flat();
}

function idf(shard: ModelShard, field: number, term: string): number {
  const docs = allDocs(shard);
  const docFreq = docs.filter((doc) => occurrences(doc, field, term).length > 0).length;
  return f(Math.log(docs.length / (docFreq + 1)) + 1);
}

function normOf(doc: ModelDoc, field: number): number {
  const target = Object.values(FIELDS).find((each) => each.id === field)!;
  if (!target.norms) return 1;
  // Length counts positions, not alternatives at one position.
  const list = doc.terms.get(field) ?? [];
  const length = new Set(list.map((each) => each.position)).size;
  return quantize(f(1 / Math.sqrt(length)));
}

/** Rounds down to quarters of a power of two. */
function quantize(value: number): number {
  const power = 2 ** Math.floor(Math.log2(value));
  return power * (1 + Math.floor((value / power - 1) * 4) / 4);
}

/** How an expanded query scores and matches on the model. */
export class ModelSearch {
  constructor(private readonly shard: ModelShard) {}

  /** Scores of all documents by segment and document; absent: no match. */
  run(query: Query): Map<string, number> {
    const plain = this.expand(query);
    const sum = this.weightOf(plain);
    const inverse = f(1 / Math.sqrt(sum));
    const norm = Number.isFinite(inverse) ? inverse : 1;
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

  /** Turns scoring multi-term queries and phrase prefixes into plain ones, and drops what is transparent. */
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
        return this.expand({ ...query, kind: 'phrase', slots: [...query.slots, last], boost: 1 });
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
        return query.scored
          ? f(f(idf(this.shard, query.field, query.term) * query.boost) ** 2)
          : f(query.boost ** 2);
      case 'phrase':
        return f(f(this.phraseIdf(query) * query.boost) ** 2);
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

  private phraseIdf(query: Extract<Query, { kind: 'phrase' }>): number {
    return query.slots
      .flatMap((slot) => slot.terms)
      .reduce((sum, term) => f(sum + idf(this.shard, query.field, term)), 0);
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
        return this.tfIdf(idf(this.shard, query.field, query.term), counted, query, doc, norm, top);
      }
      case 'phrase': {
        const freq = phraseFreq(doc, query);
        if (freq === 0) return null;
        return this.tfIdf(this.phraseIdf(query), freq, query, doc, norm, top);
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
    const coord = query.disableCoord || clauses === 1 ? 1 : f(matched / clauses);
    const sum = [...must, ...should].reduce<number>((a, b) => a + b!, 0);
    return f(f(sum) * coord);
  }
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
  if (query.kind === 'limit' || query.kind === 'named') throw new Error('not in the model');
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
      return query;
    default:
      return { ...query, boost: 0 };
  }
}

/** 0 when the term is not selected, else what its boost is multiplied by. */
function similarity(
  query: Extract<Query, { kind: 'prefix' | 'wildcard' | 'fuzzy' }>,
  term: string,
): number {
  if (query.kind === 'prefix') return term.startsWith(query.prefix) ? 1 : 0;
  if (query.kind === 'wildcard') {
    const source = query.pattern.replace(/\*/g, '.*').replace(/\?/g, '.');
    return new RegExp(`^${source}$`, 'su').test(term) ? 1 : 0;
  }
  const { term: target, prefixLength } = query;
  if (term === target) return 1;
  if (prefixLength >= target.length || !term.startsWith(target.slice(0, prefixLength))) return 0;
  const edits = distance(target, term);
  if (edits > query.maxEdits) return 0;
  return f(1 - f(edits / Math.min(target.length, term.length)));
}

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  return Math.min(
    distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    distance(a.slice(1), b) + 1,
    distance(a, b.slice(1)) + 1,
  );
}

/** Frequency of a phrase: matching starts, or the windows of a sloppy phrase of two distinct terms. */
function phraseFreq(doc: ModelDoc, query: Extract<Query, { kind: 'phrase' }>): number {
  const starts = query.slots.map((slot) =>
    slot.terms
      .flatMap((term) => occurrences(doc, query.field, term))
      .map((each) => each.position - slot.position)
      .sort((a, b) => a - b),
  );
  if (starts.some((list) => list.length === 0)) return 0;
  if (query.slop > 0)
    return sloppyFreq(
      starts,
      query.slots.map((slot) => slot.position),
      query.slop,
    );
  return new Set(starts[0]!.filter((start) => starts.every((list) => list.includes(start)))).size;
}

/** The kernel as it is documented, for phrases without repeated terms. */
function sloppyFreq(
  lists: readonly (readonly number[])[],
  offsets: readonly number[],
  slop: number,
): number {
  const states = lists.map((list, order) => ({ list, at: 0, offset: offsets[order]!, order }));
  type State = (typeof states)[number];
  const start = (state: State): number => state.list[state.at]!;
  const order = (a: State, b: State): number =>
    start(a) - start(b) || a.offset - b.offset || a.order - b.order;
  let end = Math.max(...states.map(start));
  const queue = [...states].sort(order);
  let freq = 0;
  let least = queue.shift()!;
  let width = end - start(least);
  let next = start(queue[0]!);
  while (++least.at < least.list.length) {
    end = Math.max(end, start(least));
    if (start(least) > next) {
      if (width <= slop) freq = f(freq + f(1 / (width + 1)));
      queue.push(least);
      queue.sort(order);
      least = queue.shift()!;
      next = start(queue[0]!);
      width = end - start(least);
    } else width = Math.min(width, end - start(least));
  }
  return width <= slop ? f(freq + f(1 / (width + 1))) : freq;
}
