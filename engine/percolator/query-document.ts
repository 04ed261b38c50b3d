// The document of a stored query: which member of it is the query, and how it is read (reference server).

import { EngineError } from '../errors';
import {
  decodeUtf8,
  isJsonObject,
  JsonNumber,
  parseJsonObject,
  type JsonObject,
} from '../json/index';
import type { IndexMapping } from '../mapping/index';
import { isTrueSetting, type IndexMetadata } from '../metadata/index';
import { SearchContext, type ParseServices, type StoredQuery } from '../query/index';

/** Index setting: names that are not mapped stand for texts, instead of being refused. */
const MAPS_UNMAPPED = 'index.percolator.map_unmapped_fields_as_string';

/** A query as its document has it. */
export interface QueryBody {
  readonly query: JsonObject;
  /** The types that its names are looked up in; empty: all. */
  readonly types: readonly string[];
}

/**
 * The query of a document.
 *
 * @throws EngineError NullPointerException, as the reference's, when it has none
 */
export function queryBodyOf(source: Buffer): QueryBody {
  const document = parseJsonObject(decodeUtf8(source));
  const query = document.get('query');
  if (!isJsonObject(query)) {
    throw new EngineError('NullPointerException', 'the document has no [query]');
  }
  const type = document.get('type');
  const name = type instanceof JsonNumber ? type.text : type;
  return { query, types: typeof name === 'string' ? [name] : [] };
}

/**
 * What a query means by the mapping of its index.
 *
 * @throws EngineError whatever is wrong with it
 */
export function readQuery(
  { query, types }: QueryBody,
  index: IndexMetadata,
  mapping: IndexMapping,
  services: ParseServices,
): StoredQuery {
  const setting = index.settings.get(MAPS_UNMAPPED);
  const mapsUnmapped = setting !== undefined && isTrueSetting(setting);
  return new SearchContext(index, mapping, types, services).parseStoredQuery(query, mapsUnmapped);
}

/** The refusal of a document whose query cannot be read. */
export function unreadableQuery(index: string, id: string, cause: EngineError): EngineError {
  return new EngineError('PercolatorException', `[${index}] failed to parse query [${id}]`, {
    cause,
  });
}
