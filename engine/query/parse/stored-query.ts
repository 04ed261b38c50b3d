// Queries that are kept and run later: parsed once, against the mapping of that time, with a note of what
// else the result depends on.

import {
  META_FIELD,
  type FieldMatch,
  type IndexMapping,
  type MappedField,
} from '../../mapping/index';
import { writeJson, type JsonNumber, type JsonObject } from '../../json/index';
import { children } from '../ast/children';
import type { Query } from '../ast/query';
import { parseFirstQuery } from './parse';
import type { QueryParseContext } from './scope/parse-context';

/** A query that was parsed to be kept. */
export interface StoredQuery {
  readonly query: Query;
  /** It has numbers that are others at another time. */
  readonly isTimed: boolean;
  /** It means something else when a document that it names changes. */
  readonly readsDocuments: boolean;
  /** It means something else when fields or types are added to the mapping. */
  readonly isLoose: boolean;
}

/**
 * Parses a query to be kept; fields that are not mapped are refused (reference server).
 *
 * @param mapsUnmapped take names that are not mapped for texts with the default analyzer instead
 * @throws EngineError as parseQuery
 */
export function parseStoredQuery(
  body: JsonObject,
  context: QueryParseContext,
  mapsUnmapped: boolean,
): StoredQuery {
  const mapping = new WatchedMapping(context.mapping, mapsUnmapped);
  let readsDocuments = false;
  const query = parseFirstQuery(body, {
    ...context,
    mapping,
    strictFields: true,
    getSource: (index, type, id, routing) => {
      readsDocuments = true;
      return context.getSource(index, type, id, routing);
    },
  });
  return {
    query,
    isTimed: writeJson(body).includes('now'),
    readsDocuments,
    isLoose: mapping.isAsked || namesAllTypes(query),
  };
}

/** Whether ids stand for documents of every type that there is. */
function namesAllTypes(query: Query): boolean {
  if (query.kind === 'uids') return true;
  if (query.kind === 'termSet' && query.field === META_FIELD._parent) return true;
  return children(query).some(namesAllTypes);
}

/** A mapping that notes whether it was asked for something that more fields would change. */
class WatchedMapping implements IndexMapping {
  isAsked = false;
  readonly fieldCount: number;
  readonly types: IndexMapping['types'];
  readonly defaultSearchAnalyzer: IndexMapping['defaultSearchAnalyzer'];
  readonly similarities: IndexMapping['similarities'];

  constructor(
    private readonly mapping: IndexMapping,
    private readonly mapsUnmapped: boolean,
  ) {
    this.types = mapping.types;
    this.fieldCount = mapping.fieldCount;
    this.defaultSearchAnalyzer = mapping.defaultSearchAnalyzer;
    this.similarities = mapping.similarities;
  }

  find(name: string, types: readonly string[]): FieldMatch | null {
    const found = this.mapping.find(name, types);
    if (found !== null) return found;
    this.isAsked = true;
    return this.mapsUnmapped
      ? { mapped: textField(name, this.defaultSearchAnalyzer), restrictToType: null }
      : null;
  }

  match(pattern: string, types: readonly string[]): readonly MappedField[] {
    this.isAsked = true;
    return this.mapping.match(pattern, types);
  }

  fieldsOf(type: string): readonly MappedField[] {
    return this.mapping.fieldsOf(type);
  }

  leavesOf(objectPath: string, types: readonly string[]): readonly MappedField[] {
    this.isAsked = true;
    return this.mapping.leavesOf(objectPath, types);
  }

  nestedObject(path: string, types: readonly string[]) {
    return this.mapping.nestedObject(path, types);
  }

  analyzer(name: string) {
    return this.mapping.analyzer(name);
  }

  documentMapper(type: string) {
    return this.mapping.documentMapper(type);
  }

  sourceFilter(type: string) {
    return this.mapping.sourceFilter(type);
  }

  envelopeRules(type: string) {
    return this.mapping.envelopeRules(type);
  }

  routingRequired(type: string): boolean {
    return this.mapping.routingRequired(type);
  }

  parentType(type: string): string | null {
    return this.mapping.parentType(type);
  }
}

/** A text that no document has yet. */
function textField(path: string, searchAnalyzer: MappedField['searchAnalyzer']): MappedField {
  return {
    path,
    indexName: path,
    docType: '',
    type: 'string',
    field: null,
    nestedPath: null,
    searchAnalyzer,
    boost: 1,
    text: null,
    nullValue: undefined,
    format: null,
    similarity: null,
    store: false,
    termOf: textOf,
    boundOf: textOf,
  };
}

function textOf(value: string | JsonNumber | boolean): string {
  return String(value);
}
