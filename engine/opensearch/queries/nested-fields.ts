// What of an index is nested. OpenSearch counts documents without their nested objects; the 1.x interface and
// the scores of terms count both.

import type { JsonObject, JsonOutput } from '../../json/index';
import type { IndexMapping } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import { nestedPath } from '../layout/names';
import { docCount, partOf, totalHits } from '../transport/answers';

/** What of an index is nested. Paths as OpenSearch names them. */
export interface NestedFields {
  /** Nested objects that have fields, and those around them. */
  readonly paths: readonly string[];
  /** Where fields of nested objects may be: in these, in those around them, and in the document (null). */
  readonly placesOf: ReadonlyMap<FieldId, readonly (string | null)[]>;
}

const nestedFields = new WeakMap<IndexMapping, NestedFields>();

/** Worked out once for each mapping. */
export function nestedFieldsOf(mapping: IndexMapping): NestedFields {
  let known = nestedFields.get(mapping);
  if (known !== undefined) return known;
  const paths = new Set<string>();
  const placesOf = new Map<FieldId, (string | null)[]>();
  for (const { nestedPath: path, field } of mapping.match('*', [])) {
    if (path === null || field === null) continue;
    const places: (string | null)[] = [null];
    for (let inside: string | null = path; inside !== null;) {
      const place = nestedPath(mapping, inside);
      places.push(place);
      paths.add(place);
      const object = mapping.nestedObject(inside, []);
      inside = object === null || object === 'plain' ? null : object.parent;
    }
    placesOf.set(field.id, places);
  }
  nestedFields.set(mapping, (known = { paths: [...paths], placesOf }));
  return known;
}

/** Aggregations that count the nested objects of these paths, as {@link allDocuments} reads them. */
export function nestedCounts(paths: readonly string[]): Record<string, JsonOutput> {
  return Object.fromEntries(paths.map((path, n) => [nestedCount(n), { nested: { path } }]));
}

/**
 * The documents that an answer counts, with their nested objects.
 *
 * @throws TypeError when OpenSearch did not count
 */
export function allDocuments(answer: JsonObject, paths: readonly string[]): number {
  const aggs = partOf(answer, 'aggregations');
  return paths.reduce(
    (docs, _, n) => docs + docCount(partOf(aggs, nestedCount(n))),
    totalHits(answer),
  );
}

function nestedCount(n: number): string {
  return `n${n}`;
}
