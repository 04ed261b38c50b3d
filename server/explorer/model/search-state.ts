// What a view of a search is: everything that the address of the page says.

/** Kinds of facets as they are shown. */
export type FacetKind = 'terms' | 'tree' | 'histogram' | 'dates' | 'rings';

/** A facet that is shown. */
export interface FacetChoice {
  readonly kind: FacetKind;
  readonly field: string;
  /** Most values shown; terms and tree. */
  readonly size?: number;
  /** Values must contain it; terms. */
  readonly find?: string;
  /** Between levels; tree. */
  readonly separator?: string;
  /** Levels whose children are shown; tree. */
  readonly open?: readonly string[];
  /** `latitude,longitude`; rings. */
  readonly origin?: string;
}

/** Something that documents must have, of one facet. */
export type Condition =
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly string[] }
  /** One of the levels, or anything below. */
  | {
      readonly kind: 'under';
      readonly field: string;
      readonly separator: string;
      readonly values: readonly string[];
    }
  /** From `from` to below `to`; null: no bound. Dates are milliseconds. */
  | {
      readonly kind: 'range';
      readonly field: string;
      readonly from: number | null;
      readonly to: number | null;
    }
  /** Within one of the rings around a point, in kilometers. */
  | {
      readonly kind: 'near';
      readonly field: string;
      readonly origin: string;
      readonly rings: readonly Ring[];
    };

/** Distances from `from` to below `to` in kilometers; null: any. */
export interface Ring {
  readonly from: number | null;
  readonly to: number | null;
}

/** The value that stands for having none. */
export const NO_VALUE = '\u0000';

/** What hits are ordered by. */
export interface SortChoice {
  readonly field: string;
  readonly isDescending: boolean;
}

/** A document by where it is. */
export interface DocumentAddress {
  readonly index: string;
  readonly type: string;
  readonly id: string;
}

/** A view of a search. */
export interface SearchState {
  /** An index, an alias, or a list of them; empty: all. */
  readonly target: string;
  readonly text: string;
  readonly conditions: readonly Condition[];
  /** Null: those that are proposed. */
  readonly facets: readonly FacetChoice[] | null;
  /** Null: by score. */
  readonly sort: SortChoice | null;
  /** From 0. */
  readonly page: number;
  readonly size: number;
  readonly layout: 'cards' | 'table';
  /** The document that is shown in full. */
  readonly document: DocumentAddress | null;
}

/** Hits on a page unless told otherwise. */
export const PAGE_SIZE = 20;

/** A search for everything in `target`. */
export function newSearch(target: string): SearchState {
  return {
    target,
    text: '',
    conditions: [],
    facets: null,
    sort: null,
    page: 0,
    size: PAGE_SIZE,
    layout: 'cards',
    document: null,
  };
}

/** The condition on a field that a facet of this kind makes. */
export function conditionOf(
  conditions: readonly Condition[],
  { kind, field }: Pick<FacetChoice, 'kind' | 'field'>,
): Condition | undefined {
  const made = MADE_BY[kind];
  return conditions.find((one) => one.kind === made && one.field === field);
}

const MADE_BY: Readonly<Record<FacetKind, Condition['kind']>> = {
  terms: 'in',
  tree: 'under',
  histogram: 'range',
  dates: 'range',
  rings: 'near',
};

/** The conditions with one in the place of that of its kind and field; one that asks for nothing goes. */
export function withCondition(
  conditions: readonly Condition[],
  condition: Condition,
): readonly Condition[] {
  const others = conditions.filter(
    ({ kind, field }) => kind !== condition.kind || field !== condition.field,
  );
  return isEmpty(condition) ? others : [...others, condition];
}

function isEmpty(condition: Condition): boolean {
  switch (condition.kind) {
    case 'in':
    case 'under':
      return condition.values.length === 0;
    case 'range':
      return condition.from === null && condition.to === null;
    case 'near':
      return condition.rings.length === 0;
  }
}

/** A list with a value in it, or without it where it was. */
export function toggled<T>(list: readonly T[], value: T, equals = Object.is): T[] {
  const rest = list.filter((one) => !equals(one, value));
  return rest.length < list.length ? rest : [...rest, value];
}

/** Whether two rings are the same. */
export function isSameRing(a: Ring, b: Ring): boolean {
  return a.from === b.from && a.to === b.to;
}
