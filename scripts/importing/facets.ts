// Terms facets of keyword fields on both sides: what analysis and mapping made of the documents.

import { writeJson, type JsonObject, type JsonValue } from '../../engine/json/index';
import { HttpError, type Connection } from './connection';
import { PERCOLATOR_TYPE, type IndexDefinition } from './definition';
import { numberOf, objectAt, textOf, valueAt } from './json-values';

/** Values of a field that are compared one by one; of more, only sums are exact on several shards. */
const MAX_VALUES = 5000;
/** Fields of a request. */
const AT_ONCE = 8;

/** A field whose values are kept whole. */
interface KeywordField {
  readonly type: string;
  /** With the names of the objects that it is in. */
  readonly path: string;
  /** The nested objects that it is in. */
  readonly nested: string | null;
}

/** What comparing facets gave. */
export interface FacetComparison {
  /** Fields that were compared. */
  readonly compared: number;
  readonly differences: readonly string[];
  /** Fields that could not be compared, with the reason. */
  readonly skipped: readonly string[];
}

/** Compares the keyword fields of an index. @throws UnreachableError */
export async function compareFacets(
  source: Connection,
  target: Connection,
  definition: IndexDefinition,
): Promise<FacetComparison> {
  const differences: string[] = [];
  const skipped: string[] = [];
  let compared = 0;
  for (const fields of groups(keywordFields(definition))) {
    const [left, right] = await Promise.all(
      [source, target].map((side) => countValues(side, definition.name, fields)),
    );
    for (const [at, { type, path }] of fields.entries()) {
      const [wanted, found] = [left![at]!, right![at]!];
      const name = `${type}.${path}`;
      if (typeof wanted === 'string') skipped.push(`${name}: the source answers ${wanted}`);
      else if (typeof found === 'string') differences.push(`${name}: the target answers ${found}`);
      else {
        compared++;
        const difference = differenceOf(wanted, found);
        if (difference !== null) differences.push(`${name}: ${difference}`);
      }
    }
  }
  return { compared, differences, skipped };
}

/** Fields whose values are terms as they are: not analyzed, or by the analyzer `keyword`. */
function keywordFields({ mappings }: IndexDefinition): readonly KeywordField[] {
  const found: KeywordField[] = [];
  const walk = (type: string, mapping: JsonValue, path: string, nested: string | null): void => {
    const kind = textOf(valueAt(mapping, 'type'));
    const isWhole =
      textOf(valueAt(mapping, 'index')) === 'not_analyzed' ||
      textOf(valueAt(mapping, 'analyzer')) === 'keyword';
    if (kind === 'string' && isWhole) found.push({ type, path, nested });
    const below = kind === 'nested' ? path : nested;
    for (const [name, member] of objectAt(mapping, 'properties')) {
      walk(type, member, path === '' ? name : `${path}.${name}`, below);
    }
    for (const [name, member] of objectAt(mapping, 'fields')) {
      // The first field of a `multi_field` has the name of the whole.
      const isWholeField = kind === 'multi_field' && path.split('.').at(-1) === name;
      walk(type, member, isWholeField ? path : `${path}.${name}`, below);
    }
  };
  for (const [type, mapping] of mappings) {
    if (type !== PERCOLATOR_TYPE && type !== '_default_') walk(type, mapping, '', null);
  }
  return found;
}

/** Counts of a field's values. */
interface Counts {
  readonly missing: number;
  readonly total: number;
  /** Null when there are too many. */
  readonly terms: ReadonlyMap<string, number> | null;
}

/** The counts of fields of one type, or why there are none. */
async function countValues(
  connection: Connection,
  index: string,
  fields: readonly KeywordField[],
): Promise<readonly (Counts | string)[]> {
  try {
    return await askFor(connection, index, fields);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (fields.length === 1) return [error.message];
    const single: (Counts | string)[] = [];
    for (const field of fields) single.push(...(await countValues(connection, index, [field])));
    return single;
  }
}

async function askFor(
  connection: Connection,
  index: string,
  fields: readonly KeywordField[],
): Promise<readonly Counts[]> {
  const facets: JsonObject = new Map(
    fields.map(({ path, nested }, at) => {
      const body = nested === null ? {} : { nested };
      return [`f${at}`, { terms: { field: path, size: MAX_VALUES }, ...body }] as never;
    }),
  );
  const path = [index, fields[0]!.type].map(encodeURIComponent).join('/');
  const answer = await connection.json(
    'POST',
    `/${path}/_search?search_type=count`,
    writeJson({ facets }),
  );
  return fields.map((_, at) => toCounts(objectAt(answer, 'facets', `f${at}`)));
}

function toCounts(facet: JsonObject): Counts {
  const terms = facet.get('terms');
  const list = Array.isArray(terms) ? terms : [];
  const isWhole = list.length < MAX_VALUES && numberOf(facet.get('other')) === 0;
  return {
    missing: numberOf(facet.get('missing')) ?? 0,
    total: numberOf(facet.get('total')) ?? 0,
    terms: isWhole
      ? new Map(
          list.map((one) => [
            textOf(valueAt(one, 'term')) ?? '',
            numberOf(valueAt(one, 'count')) ?? 0,
          ]),
        )
      : null,
  };
}

function differenceOf(wanted: Counts, found: Counts): string | null {
  if (wanted.missing !== found.missing) {
    return `missing in ${wanted.missing} documents of the source and ${found.missing} of the target`;
  }
  if (wanted.total !== found.total) {
    return `${wanted.total} values in the source and ${found.total} in the target`;
  }
  if (wanted.terms === null || found.terms === null) return null;
  for (const [term, count] of wanted.terms) {
    const other = found.terms.get(term) ?? 0;
    if (other !== count) {
      return `[${term}] is counted ${count} times in the source and ${other} times in the target`;
    }
  }
  return null;
}

function* groups(fields: readonly KeywordField[]): Generator<readonly KeywordField[]> {
  const types = new Map<string, KeywordField[]>();
  for (const field of fields) {
    const list = types.get(field.type) ?? [];
    list.push(field);
    types.set(field.type, list);
  }
  for (const list of types.values()) {
    for (let at = 0; at < list.length; at += AT_ONCE) yield list.slice(at, at + AT_ONCE);
  }
}
