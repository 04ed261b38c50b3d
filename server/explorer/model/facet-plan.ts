// The facets of a search: what is asked for each that is shown, and under which names.

import type { Field } from './fields';
import { conditionName } from './filters';
import { ringsFor } from './geo';
import type { JsonObject } from './own';
import { FIRST_TERMS } from './proposals';
import { dateAxis, edgesOf, numberAxis, type Axis } from './scale';
import { conditionOf, NO_VALUE, type Condition, type FacetChoice, type Ring } from './search-state';
import { nestedIn, type Survey } from './survey';

/** A facet that is shown, with the names of what was asked for it. */
export interface FacetPlan {
  readonly choice: FacetChoice;
  readonly field: Field;
  readonly condition: Condition | undefined;
  /** The name of the facet itself. */
  readonly main: string;
  /** Names of counts of ticked values, by value. */
  readonly ticked: ReadonlyMap<string, string>;
  /** Names of the children of opened levels, by level. */
  readonly below: ReadonlyMap<string, string>;
  /** The name of the figures of numbers and dates. */
  readonly figures: string | null;
  readonly axis: Axis | null;
  readonly rings: readonly Ring[];
  /** `latitude,longitude` that rings are around. */
  readonly origin: string | null;
}

/** What plans are made of. */
export interface FacetContext {
  readonly fields: ReadonlyMap<string, Field>;
  readonly survey: Survey;
  readonly conditions: readonly Condition[];
}

/** Levels of a tree shown below one. */
export const LEVEL_SIZE = 12;
const WHOLE_NUMBERS = new Set(['byte', 'short', 'integer', 'long', 'token_count']);

/** Adds facets to `facets` by name, and tells the names. Null: the field is not there. */
export function planFacet(
  choice: FacetChoice,
  { fields, survey, conditions }: FacetContext,
  facets: Map<string, JsonObject>,
): FacetPlan | null {
  const field = fields.get(choice.field);
  if (field === undefined) return null;
  const condition = conditionOf(conditions, choice);
  const add = (name: string, facet: JsonObject): string => {
    let free = name;
    for (let n = 2; facets.has(free); n++) free = `${name} (${n})`;
    const leftOut = condition === undefined ? {} : { exclude_filter: [conditionName(condition)] };
    facets.set(free, { ...facet, ...nestedIn(field), ...leftOut });
    return free;
  };
  const plan: Omit<FacetPlan, 'main'> = {
    choice,
    field,
    condition,
    ticked: new Map(),
    below: new Map(),
    figures: null,
    axis: null,
    rings: [],
    origin: null,
  };
  const { path } = field;
  switch (choice.kind) {
    case 'terms':
      return {
        ...plan,
        main: add(path, { terms: termsOf(choice) }),
        ticked: tickedCounts(plan, (value) =>
          add(`${path}: ${value === NO_VALUE ? 'none' : value}`, {
            filter: value === NO_VALUE ? { missing: { field: path } } : { term: { [path]: value } },
          }),
        ),
      };
    case 'tree': {
      const level = (parent?: string) => ({
        terms: {
          field: path,
          size: choice.size ?? LEVEL_SIZE,
          hierarchy: {
            separator: separatorIn(choice),
            ...(parent === undefined ? {} : { parent }),
          },
        },
      });
      const below = (choice.open ?? []).map(
        (parent) => [parent, add(`${path} below ${parent}`, level(parent))] as const,
      );
      return { ...plan, main: add(path, level()), below: new Map(below) };
    }
    case 'histogram':
    case 'dates': {
      const found = survey.figures.get(path);
      if (found === undefined) return null;
      const isDate = choice.kind === 'dates';
      const axis = isDate ? dateAxis(found) : numberAxis(found, WHOLE_NUMBERS.has(field.type));
      return {
        ...plan,
        axis,
        main: add(path, barsOf(path, axis)),
        figures: add(`${path} figures`, { statistical: { field: path } }),
      };
    }
    case 'rings': {
      const places = survey.places.get(path);
      const origin =
        choice.origin ?? (condition?.kind === 'near' ? condition.origin : places?.middle);
      if (origin === undefined) return null;
      const rings = ringsFor((places?.diagonalKm ?? 1000) / 2);
      const ranges = rings.map(({ from, to }) => ({
        ...(from === null ? {} : { from }),
        ...(to === null ? {} : { to }),
      }));
      const distances = { [path]: origin, unit: 'km', ranges };
      return { ...plan, origin, rings, main: add(path, { geo_distance: distances }) };
    }
  }
}

/** Intervals of histograms are whole numbers in the 1.x interface; narrower bars are ranges. */
function barsOf(field: string, axis: Axis): JsonObject {
  const { interval } = axis;
  if (typeof interval === 'string') return { date_histogram: { field, interval } };
  if (interval >= 1) return { histogram: { field, interval } };
  const edges = edgesOf(axis);
  const ranges = edges.slice(1).map((to, i) => ({ from: edges[i], to }));
  return { range: { field, ranges } };
}

/** The separator of a tree. */
export function separatorIn({ separator }: FacetChoice): string {
  return separator ?? '/';
}

function termsOf({ field, size, find }: FacetChoice): JsonObject {
  const isFound = find !== undefined && find !== '';
  return {
    field,
    size: size ?? FIRST_TERMS,
    cardinality: true,
    ...(isFound ? { contains: find, ignore_case: true, ignore_accents: true } : { missing: true }),
  };
}

/** What is ticked keeps its count also where it is not among the first. */
function tickedCounts(
  { condition }: Pick<FacetPlan, 'condition'>,
  add: (value: string) => string,
): Map<string, string> {
  const values = condition?.kind === 'in' ? condition.values : [];
  return new Map(values.map((value) => [value, add(value)]));
}
