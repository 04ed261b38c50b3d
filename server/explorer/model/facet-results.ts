// What facets answered, as it is shown.

import type { FacetPlan } from './facet-plan';
import { separatorIn } from './facet-plan';
import { isObject, own, ownObject, type JsonObject } from './own';
import { barSpan } from './scale';
import { isSameRing, NO_VALUE, type Ring } from './search-state';
import type { FieldFigures } from './survey';
import { valueText } from './values';

/** A value with its count. */
export interface TermRow {
  readonly value: string;
  readonly count: number;
  readonly isTicked: boolean;
}

/** A facet of values. */
export interface TermsResult {
  readonly rows: readonly TermRow[];
  /** How many values there are that can be asked for with a larger size; null: unknown. */
  readonly further: number | null;
}

/** A level of a tree. */
export interface TreeNode {
  /** The whole path. */
  readonly value: string;
  /** The last level of it. */
  readonly label: string;
  readonly count: number;
  readonly isTicked: boolean;
  /** Null: not opened. */
  readonly children: readonly TreeNode[] | null;
}

/** A bar of a chart. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A chart. */
export interface BarsResult {
  readonly bars: readonly Bar[];
  /** Documents whose values are off the axis. */
  readonly beyond: number;
  /** Of the values in scope; null: there are none. */
  readonly figures: (FieldFigures & { readonly total: number }) | null;
}

/** A ring around a point. */
export interface RingRow {
  readonly ring: Ring;
  readonly count: number;
  readonly isTicked: boolean;
}

function list(facet: JsonObject, name: string): JsonObject[] {
  const value = facet[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A facet of values: ticked ones always, the others as they came. */
export function readTerms(plan: FacetPlan, facets: JsonObject): TermsResult {
  const facet = ownObject(facets, plan.main);
  const ticked = plan.condition?.kind === 'in' ? plan.condition.values : [];
  const rows: TermRow[] = list(facet, 'terms').map((entry) => {
    const term = own(entry, 'term');
    const value = term === null || term === undefined ? NO_VALUE : valueText(term);
    return { value, count: Number(entry['count']), isTicked: ticked.includes(value) };
  });
  const listed = new Set(rows.map(({ value }) => value));
  const others = ticked
    .filter((value) => !listed.has(value))
    .map((value): TermRow => {
      const counted = ownObject(facets, plan.ticked.get(value) ?? '');
      return { value, count: Number(counted['count'] ?? 0), isTicked: true };
    });
  const { cardinality } = facet;
  const shown = rows.filter(({ value }) => value !== NO_VALUE).length;
  return {
    rows: [...others, ...rows],
    further: typeof cardinality === 'number' ? Math.max(0, cardinality - shown) : null,
  };
}

/** A tree, down to the levels that were opened. */
export function readTree(plan: FacetPlan, facets: JsonObject): TreeNode[] {
  const ticked = plan.condition?.kind === 'under' ? plan.condition.values : [];
  const separator = separatorIn(plan.choice);
  const read = (name: string, parent: string | null, above: readonly string[]): TreeNode[] =>
    list(ownObject(facets, name), 'terms').map((entry) => {
      const value = String(entry['term']);
      const opened = plan.below.get(value);
      return {
        value,
        label: parent === null ? value : value.slice(parent.length + separator.length),
        count: Number(entry['count']),
        isTicked: ticked.includes(value),
        children:
          opened === undefined || above.includes(value)
            ? null
            : read(opened, value, [...above, value]),
      };
    });
  return read(plan.main, null, []);
}

/** A chart of numbers or dates. */
export function readBars(plan: FacetPlan, facets: JsonObject): BarsResult {
  const { axis } = plan;
  if (axis === null) return { bars: [], beyond: 0, figures: null };
  const bars: Bar[] = [];
  let beyond = 0;
  for (const entry of list(ownObject(facets, plan.main), 'entries')) {
    const [from, to] = barSpan(Number(entry['key'] ?? entry['time']), axis);
    const count = Number(entry['count']);
    if (from >= axis.to || to <= axis.from) beyond += count;
    else bars.push({ from, to, count });
  }
  for (const range of list(ownObject(facets, plan.main), 'ranges')) {
    const count = Number(range['count']);
    if (count > 0) bars.push({ from: Number(range['from']), to: Number(range['to']), count });
  }
  return { bars, beyond, figures: readFigures(ownObject(facets, plan.figures ?? '')) };
}

function readFigures(facet: JsonObject): BarsResult['figures'] {
  const { count, min, max, mean, total, std_deviation } = facet;
  if (typeof count !== 'number' || count === 0) return null;
  return {
    count,
    min: Number(min),
    max: Number(max),
    mean: Number(mean),
    total: Number(total),
    deviation: Number(std_deviation),
  };
}

/** Distances around a point. */
export function readRings(plan: FacetPlan, facets: JsonObject): RingRow[] {
  const ticked = plan.condition?.kind === 'near' ? plan.condition.rings : [];
  const ranges = list(ownObject(facets, plan.main), 'ranges');
  return plan.rings.map((ring, i) => ({
    ring,
    count: Number(ranges[i]?.['total_count'] ?? ranges[i]?.['count'] ?? 0),
    isTicked: ticked.some((one) => isSameRing(one, ring)),
  }));
}
