// What conditions are in the query language.

import type { Field } from './fields';
import type { JsonObject } from './own';
import { NO_VALUE, type Condition, type Ring } from './search-state';

/** The filter of a condition, under the name by which facets leave it out. */
export function namedFilter(condition: Condition, field: Field | undefined): JsonObject {
  const filter = filterOf(condition, field?.nested ?? null);
  return { and: { filters: [filter], _name: conditionName(condition) } };
}

/** The name of the filter of a condition. */
export function conditionName({ kind, field }: Condition): string {
  return `${kind} ${field}`;
}

function filterOf(condition: Condition, nested: string | null): JsonObject {
  const { field } = condition;
  switch (condition.kind) {
    case 'in': {
      const values = condition.values.filter((value) => value !== NO_VALUE);
      const parts: JsonObject[] = [];
      if (values.length > 0) parts.push(within(nested, { terms: { [field]: values } }));
      if (values.length < condition.values.length) parts.push(missing(field, nested));
      return anyOf(parts);
    }
    case 'under':
      return within(
        nested,
        anyOf(
          condition.values.flatMap((value) => [
            { term: { [field]: value } },
            { prefix: { [field]: value + condition.separator } },
          ]),
        ),
      );
    case 'range':
      return within(nested, { range: { [field]: bounds(condition) } });
    case 'near': {
      const { origin } = condition;
      return within(nested, anyOf(condition.rings.map((ring) => ringFilter(field, origin, ring))));
    }
  }
}

function anyOf(filters: readonly JsonObject[]): JsonObject {
  return filters.length === 1 ? filters[0]! : { or: filters };
}

function within(path: string | null, filter: JsonObject): JsonObject {
  return path === null ? filter : { nested: { path, filter } };
}

function missing(field: string, nested: string | null): JsonObject {
  if (nested === null) return { missing: { field } };
  return { not: within(nested, { exists: { field } }) };
}

function bounds({ from, to }: Ring): JsonObject {
  return { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lt: to }) };
}

function ringFilter(field: string, origin: string, { from, to }: Ring): JsonObject {
  const edges = {
    ...(from === null ? {} : { gte: `${from}km` }),
    ...(to === null ? {} : { lt: `${to}km` }),
  };
  return { geo_distance_range: { ...edges, [field]: origin } };
}
