// Where counting takes place, and the names of what is counted.

import { within, termField, valueField } from '../layout/names';
import { allOf, clauseOf } from '../queries/clause';
import { type Clause, type ClauseContext, EVERYTHING } from '../queries/clause-context';
import type { JsonObject, JsonOutput } from '../../json/index';
import type { Query } from '../../query/index';
import type { FieldId, FieldKind } from '../../metadata/index';
import type { Term } from '../../counting/index';
import type { EngineError } from '../../errors';
import { unsupported } from '../layout/unsupported';
import { doubleAt, MOST_BUCKETS } from '../transport/answers';

/** What counting on a shard may know. */
export interface CountContext extends ClauseContext {
  /** Nothing else takes part in the search: what will not be shown need not be asked for. */
  readonly soleShard: boolean;
  /** The documents that may be seen at all; absent, or null: all of them. */
  readonly seen?: Query | null;
  /** Of which terms the facet or aggregation at hand has buckets; absent: of all. */
  readonly choice?: TermsAsked | undefined;
}

/** So many of the most frequent terms, or these. */
export type TermsAsked =
  | { readonly kind: 'first'; readonly count: number }
  | { readonly kind: 'these'; readonly terms: readonly Term[] };

/** The options of `terms` by what is asked for. @param order of a list that is whole */
export function termsOptions({ choice }: CountContext, order: JsonOutput): Aggs {
  switch (choice?.kind) {
    case undefined:
      return { size: MOST_BUCKETS, order };
    case 'first':
      return { size: choice.count, order: BY_COUNT };
    case 'these':
      return { size: Math.max(1, choice.terms.length), order, include: choice.terms.map(String) };
  }
}

/** Says of which terms a facet or an aggregation has buckets, by its name; null: it is not asked for. */
export type Choose = (name: string) => TermsAsked | undefined | null;

/** Of all of them. */
export const chooseAll: Choose = () => undefined;

/** Most frequent terms first; of equal ones the greater one. */
export const BY_COUNT: JsonOutput = [{ _count: 'desc' }, { _key: 'desc' }];

/** Aggregations of OpenSearch by name. */
export type Aggs = Readonly<Record<string, JsonOutput>>;

/** What `global` leads to. @param queries restrict it; null: they do not */
export function everything(queries: readonly (Query | null)[], context: CountContext): Clause {
  const given = [...queries, context.seen ?? null].flatMap((query) => query ?? []);
  return allOf(given.length === 0 ? [EVERYTHING] : given.map((query) => clauseOf(query, context)));
}

/** The name of a field where counting takes place; that of a string's terms. */
export function fieldAt({ path }: ClauseContext, field: FieldId, kind: FieldKind): string {
  return within(path, kind === 'string' ? termField(field) : valueField(field));
}

/** Parameters of a script, without those that are null: OpenSearch cannot copy these. */
export function parameters(given: Readonly<Record<string, JsonOutput>>): Aggs {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** The name of a field of numbers where counting takes place. */
export function numbersAt({ path }: ClauseContext, field: FieldId): string {
  return within(path, valueField(field));
}

/**
 * Refuses a list of buckets that is not whole.
 *
 * @param what was counted, for the message
 * @param context where only some were asked for, it need not be
 * @throws EngineError ElasticsearchIllegalArgumentException
 */
export function requireWhole(
  answer: JsonObject | null,
  what: string,
  { choice }: Pick<CountContext, 'choice'> = {},
): void {
  if (choice === undefined && doubleAt(answer, 'sum_other_doc_count', 0) > 0) throw tooMany(what);
}

/** @param what was counted */
export function tooMany(what: string): EngineError {
  return unsupported(`${what} has more than [${MOST_BUCKETS}] distinct values on a shard, which`);
}
