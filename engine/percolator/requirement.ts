// What a document must have for a query to match it, as far as that can be told without running it.
//
// Every requirement is a list of marks of which at least one is in each matching document or one of its
// nested documents. A query that is a conjunction has several and needs one of them; which one, the caller
// decides. What cannot be told is null, and never wrong.

import { UNMAPPED_FIELD, type Query, type SpanTree, type QueryOf } from '../query/index';
import { META_FIELD } from '../mapping/index';
import type { FieldId } from '../metadata/index';

/** A term or number of a field; `value` null: any value at all. */
export interface Mark {
  readonly field: FieldId;
  readonly value: string | null;
}

/** Marks of which a matching document has at least one; without marks nothing matches. */
export type Requirement = readonly Mark[];

/** Longer lists are not worth their memory. */
const MAX_MARKS = 256;

/** Half of a surrogate pair. */
const HALF_PAIR = /\p{Cs}/u;

const NOTHING: Requirement = [];

/** The text that stands for a number among the marks of a field. */
export function numberMark(value: number | bigint): string {
  // -0 and 0 are one number.
  return String(typeof value === 'bigint' ? value : value + 0);
}

/**
 * The requirement of a query that costs least; null: it has to be run for every document.
 *
 * @param costOf how bad it is to have a query stand under a mark
 * @param isTimed its numbers are others at another time
 */
export function requirementOf(
  query: Query,
  costOf: (mark: Mark) => number,
  isTimed = false,
): Requirement | null {
  return new Finder(costOf, isTimed).of(query);
}

class Finder {
  constructor(
    private readonly costOf: (mark: Mark) => number,
    private readonly isTimed: boolean,
  ) {}

  of(query: Query): Requirement | null {
    switch (query.kind) {
      case 'matchNone':
        return NOTHING;
      case 'term':
        return terms(query.field, [query.term]);
      case 'termSet':
        return terms(query.field, query.terms);
      case 'uids':
        return terms(META_FIELD._uid, query.uids);
      case 'types':
        return terms(META_FIELD._type, query.types);
      case 'numberSet':
        if (this.isTimed) return [{ field: query.field, value: null }];
        return marks(query.field, query.values.map(numberMark));
      case 'numericRange':
      case 'stringRange':
      case 'prefix':
      case 'wildcard':
      case 'regexp':
      case 'fuzzy':
        return [{ field: query.field, value: null }];
      case 'phrase':
        return this.best(query.slots.map((slot) => terms(query.field, slot.terms)));
      case 'phrasePrefix':
        return this.best([
          [{ field: query.field, value: null }],
          ...query.slots.map((slot) => terms(query.field, slot.terms)),
        ]);
      case 'spans':
        return this.ofSpans(query.tree);
      case 'bool':
        return this.ofBool(query);
      case 'blended':
        return union(query.terms.map(({ field, term }) => terms(field, [term])));
      case 'commonTerms':
        return terms(query.field, query.terms);
      case 'disMax':
        return union(query.queries.map((part) => this.of(part)));
      case 'filtered':
        return this.best([this.of(query.query), this.of(query.filter)]);
      case 'boosting':
        return this.of(query.positive);
      case 'geoShape':
        return [{ field: query.field, value: null }];
      case 'exists':
        return query.fields.map((field) => ({ field, value: null }));
      case 'constantScore':
      case 'nested':
      case 'functionScore':
      case 'named':
        return this.of(query.query);
      case 'matchAll':
      case 'similar':
      case 'fuzzyWords':
      case 'limit':
      case 'script':
      case 'sequences':
      case 'geo':
      case 'hasChild':
      case 'hasParent':
        return null;
    }
  }

  private ofBool({ must, should }: QueryOf<'bool'>): Requirement | null {
    if (must.length > 0) return this.best(must.map((part) => this.of(part)));
    // Without a must clause one of the others has to match.
    return union(should.map((part) => this.of(part)));
  }

  private ofSpans(tree: SpanTree): Requirement | null {
    switch (tree.type) {
      case 'term':
        return terms(tree.field.id, [tree.term]);
      case 'multi':
        return [{ field: tree.field.id, value: null }];
      case 'or':
        return union(tree.clauses.map((clause) => this.ofSpans(clause)));
      case 'near':
        return this.best(tree.clauses.map((clause) => this.ofSpans(clause)));
      case 'first':
      case 'masked':
        return this.ofSpans(tree.match);
      case 'not':
        return this.ofSpans(tree.include);
    }
  }

  /** Of requirements that all hold, the one that costs least. */
  private best(all: readonly (Requirement | null)[]): Requirement | null {
    let best: Requirement | null = null;
    let least = Infinity;
    for (const one of all) {
      if (one === null) continue;
      let cost = 0;
      for (const mark of one) cost += this.costOf(mark);
      if (best === null || cost < least) {
        best = one;
        least = cost;
      }
    }
    return best;
  }
}

/** A requirement of which one part holds. */
function union(parts: readonly (Requirement | null)[]): Requirement | null {
  const all: Mark[] = [];
  for (const part of parts) {
    if (part === null) return null;
    for (const mark of part) all.push(mark);
    if (all.length > MAX_MARKS) return null;
  }
  return all;
}

function terms(field: FieldId, values: readonly string[]): Requirement | null {
  // Half a surrogate pair is indexed as another character.
  if (values.some((value) => HALF_PAIR.test(value))) return [{ field, value: null }];
  return marks(field, values);
}

function marks(field: FieldId, values: readonly string[]): Requirement | null {
  // No document has such a field.
  if (field === UNMAPPED_FIELD) return NOTHING;
  if (values.length > MAX_MARKS) return [{ field, value: null }];
  return values.map((value) => ({ field, value }));
}

/**
 * Whether a document without nested ones that has one of the marks of the requirement matches, so that the
 * query need not be run.
 */
export function isExact(query: Query): boolean {
  if (query.kind === 'term') return !HALF_PAIR.test(query.term);
  if (query.kind === 'constantScore' || query.kind === 'named') return isExact(query.query);
  if (query.kind !== 'bool') return false;
  const { must, should, mustNot, minimumShouldMatch } = query;
  if (must.length + mustNot.length > 0 || minimumShouldMatch > 1) return false;
  return should.length > 0 && should.every(isExact);
}
