// What parsing a search may look at: one index at a time.

import { type RequestLimits, RequestMeter } from '../../common/index';
import { EngineError } from '../../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index';
import { fieldNamesOf, type IndexMapping } from '../../mapping/index';
import { isTrueSetting, type IndexMetadata } from '../../metadata/index';
import { misplaced } from './scope/members';
import { parseFilter, parseQuery } from './parse';
import type { InnerHitsRequest, QueryParseContext } from './scope/parse-context';
import { parseStoredQuery, type StoredQuery } from './stored-query';
import { describeFilter, describeQuery, type TextContext } from '../ast/describe';
import type { Query } from '../ast/query';
import type { ScriptLibrary } from '../../script/index';

/** What an index's searches share with the node. */
export interface ParseServices {
  /** Epoch milliseconds, the same for all of a request. What asks for it depends on it. */
  readonly now: () => number;
  /**
   * Somebody asks for texts of queries: as they are scored, or as they were written. Missing: nobody does.
   */
  readonly texts?: 'scored' | 'written' | undefined;
  readonly limits: RequestLimits;
  /** Of this node, which explained hits are shown to be on. */
  readonly nodeId: string;
  /** The scripts that requests may name. */
  readonly scripts: () => ScriptLibrary;
  /**
   * The source of a document that a request looks into. Undefined when there is none, and when it has to be
   * read first: then the request is parsed again.
   */
  getSource(
    index: string,
    type: string,
    id: string,
    routing: string | undefined,
  ): Buffer | undefined;
  /** See {@link QueryParseContext.readsLater}. */
  readonly readsLater?: boolean;
  /** The indices that names, aliases and patterns stand for; unknown ones for none. */
  indicesOf(names: readonly string[]): ReadonlySet<string>;
}

const NO_TEXTS: TextContext = { nameOf: () => '' };

function textContext(index: IndexMetadata): TextContext {
  const names = fieldNamesOf(index);
  return { nameOf: (field) => names.get(field) ?? '' };
}

/** Reads the queries and filters of a request for one index. */
export class SearchContext {
  private readonly queries: QueryParseContext;
  /** Counts what the request has. */
  readonly meter: RequestMeter;
  /** What the queries read so far ask to be shown below hits. */
  readonly innerHits: InnerHitsRequest[] = [];

  /**
   * @param types types of the URL, or empty
   * @param meter that of the same request, where something has been counted
   */
  constructor(
    readonly index: IndexMetadata,
    readonly mapping: IndexMapping,
    readonly types: readonly string[],
    readonly services: ParseServices,
    meter = new RequestMeter(services.limits),
  ) {
    this.meter = meter;
    const unmapped = index.settings.get('index.query.parse.allow_unmapped_fields');
    const field = index.settings.get('index.query.default_field');
    this.queries = {
      indexName: index.name,
      mapping,
      types,
      now: services.now,
      texts: services.texts === undefined ? null : textContext(index),
      asWritten: services.texts === 'written',
      strictFields: unmapped !== undefined && !isTrueSetting(unmapped),
      defaultField: typeof field === 'string' ? field : '_all',
      nestedPath: null,
      getSource: (target, type, id, routing) => services.getSource(target, type, id, routing),
      readsLater: services.readsLater,
      meter: this.meter,
      scripts: services.scripts,
      matchesIndex: (names) => services.indicesOf(names).has(index.name),
      addInnerHits: (request) => this.innerHits.push(request),
    };
  }

  /** The same index with names resolved in all its types: how alias filters are read. */
  withoutTypes(): SearchContext {
    return this.types.length === 0 ? this : this.inTypes([]);
  }

  /** The same index with names resolved in other types than those of the URL. */
  inTypes(types: readonly string[]): SearchContext {
    return new SearchContext(this.index, this.mapping, types, this.services, this.meter);
  }

  /**
   * @param nestedPath the nested objects that the query is about, or null for whole documents
   * @throws EngineError
   */
  parseQuery(body: JsonValue, nestedPath: string | null = null): Query {
    if (!isJsonObject(body)) {
      throw this.notAnObject(body, 'query', (it) => this.parseQuery(it, nestedPath));
    }
    return parseQuery(body, nestedPath === null ? this.queries : { ...this.queries, nestedPath });
  }

  /** Whether somebody asks for texts of queries: then trees have them. */
  get explains(): boolean {
    return this.queries.texts !== null;
  }

  /** A query with the text that the reference prints for it, where somebody asks for texts. */
  shown(query: Query, text: string): Query {
    return this.explains ? { ...query, shown: text } : query;
  }

  /** How the reference prints a filter; empty where nobody asks. */
  filterText(filter: Query): string {
    return this.queries.texts === null ? '' : describeFilter(filter, this.queries.texts);
  }

  /**
   * How the reference prints the query of a body before it is scored, in a context that explains.
   *
   * @param scope what it is restricted to
   * @throws EngineError as {@link parseQuery}
   */
  describe(query: Query, scope: Query | null): string {
    const whole: Query =
      scope === null ? query : { kind: 'filtered', query, filter: scope, boost: 1 };
    return describeQuery(whole, this.queries.texts ?? NO_TEXTS);
  }

  /**
   * Parses a query to be kept, of which only the first member counts.
   *
   * @param mapsUnmapped take names that are not mapped for texts, instead of refusing them
   * @throws EngineError
   */
  parseStoredQuery(body: JsonObject, mapsUnmapped: boolean): StoredQuery {
    return parseStoredQuery(body, this.queries, mapsUnmapped);
  }

  /**
   * A filter; null for an empty one, which restricts nothing.
   *
   * @param nestedPath the nested objects on which the filter is tested, or null for roots
   * @throws EngineError
   */
  parseFilter(body: JsonValue, nestedPath: string | null): Query | null {
    if (!isJsonObject(body)) {
      throw this.notAnObject(body, 'filter', (it) => this.parseFilter(it, nestedPath));
    }
    return parseFilter(body, nestedPath === null ? this.queries : { ...this.queries, nestedPath });
  }

  /**
   * The failure of a body that is no object. Of a list the first element is read, before the reference
   * stumbles over what follows it.
   */
  private notAnObject(
    body: JsonValue,
    kind: 'query' | 'filter',
    parse: (body: JsonObject) => unknown,
  ): EngineError {
    const [first, second] = Array.isArray(body) ? body : [null, null];
    if (!isJsonObject(first ?? null)) {
      return this.queryError(`[_na] ${kind} malformed, must start with start_object`);
    }
    parse(first as JsonObject);
    return misplaced(kind, second);
  }

  /** An error of this index's query parser. */
  queryError(text: string, cause?: EngineError): EngineError {
    return new EngineError('QueryParsingException', `[${this.index.name}] ${text}`, { cause });
  }
}
