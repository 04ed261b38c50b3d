// The state of parsing one body: what every query and filter parser gets to work with.
//
// Parsers build trees as written, with boosts still replaceable; engine/query/ast/simplify.ts then reduces a
// finished tree the way the reference rewrites it before scoring.

import { SizeBudget, type TokenBudget } from '../../../analysis/index';
import { didYouMean } from '../../../common/index';
import { EngineError, incompleteSource } from '../../../errors';
import { isJsonObject, type JsonObject, type JsonValue, matchesPattern } from '../../../json/index';
import { replaceBoost } from '../../ast/boost';
import { describeFilter, describeQuery, type TextContext } from '../../ast/describe';
import { booleanOf, isScalar, type KindBody } from './members';
import { resolveField, type FieldRef } from './field-ref';
import type { QueryParseContext } from './parse-context';
import type { Query } from '../../ast/query';

/** Queries and filters may be nested this deep in one body. */
const MAX_QUERY_DEPTH = 200;

/**
 * Parses the body of one kind.
 *
 * @param kind the name it was called by (some parsers serve several)
 * @returns null for a query that says nothing (it is left out of bool queries) or a filter that restricts
 * nothing
 * @throws EngineError
 */
export type KindParser = (body: KindBody, scope: ParseScope, kind: string) => Query | null;

/** The two tables of kinds. */
export interface KindTables {
  readonly queries: ReadonlyMap<string, KindParser>;
  readonly filters: ReadonlyMap<string, KindParser>;
  /** Filters that the reference keeps where their body does not say. */
  readonly kept: ReadonlyMap<string, (body: KindBody) => boolean>;
}

export class ParseScope {
  private depth: number;

  constructor(
    readonly context: QueryParseContext,
    private readonly kinds: KindTables,
    /** Innermost nested object around the place being parsed, or null at the root. */
    readonly nestedPath: string | null = context.nestedPath,
    depth = 0,
  ) {
    this.depth = depth;
  }

  /** `QueryParsingException` with the index name in front. */
  error(text: string, cause?: unknown): EngineError {
    return new EngineError('QueryParsingException', `[${this.context.indexName}] ${text}`, {
      cause,
    });
  }

  /** A query body `{kind: {...}}`. */
  query(value: JsonValue): Query | null {
    if (!isJsonObject(value)) {
      throw this.error('[_na] query malformed, must start with start_object');
    }
    const query = this.firstQuery(value);
    if (value.size > 1) throw this.error('[_na] query malformed, no field after start_object');
    return query;
  }

  /** Like {@link query}, but leaves members after the first to the caller. */
  firstQuery(value: JsonObject): Query | null {
    for (const [kind, body] of value) {
      if (!isBody(body)) break;
      const parser = this.kinds.queries.get(kind);
      if (parser === undefined) throw this.unknownKind('query', kind);
      const content = Array.isArray(body) ? this.bodyIn(body, kind) : body;
      return this.deeper(() => parser(content, this, kind));
    }
    throw this.error('[_na] query malformed, no field after start_object');
  }

  /** The reference's words, and what was probably meant. */
  private unknownKind(clause: 'query' | 'filter', kind: string): EngineError {
    const { queries, filters } = this.kinds;
    const [own, other] = clause === 'query' ? [queries, filters] : [filters, queries];
    const isOther = other.has(kind);
    const wrapper = clause === 'query' ? '{"filtered": {"filter": ...}}' : '{"query": ...}';
    const hint = isOther
      ? `, which is a ${clause === 'query' ? 'filter' : 'query'}: put it into ${wrapper}`
      : didYouMean(kind, own.keys());
    return this.error(`No ${clause} registered for [${kind}]${hint}`);
  }

  /** compat: of a list for a body, the first object is the body. */
  private bodyIn(list: JsonValue[], kind: string): KindBody {
    if (TAKES_LIST.has(kind)) return list;
    const [first] = list;
    if (first === undefined) {
      if (TAKES_EMPTY_LIST.has(kind)) return list;
      throw incompleteSource();
    }
    if (!isJsonObject(first)) throw this.error(`[${kind}] query does not support [null]`);
    return first;
  }

  /** A filter body `{kind: {...}}`; null for `{}`, which is no filter. */
  filter(value: JsonValue): Query | null {
    if (!isJsonObject(value)) {
      throw this.error('[_na] filter malformed, must start with start_object');
    }
    if (value.size > 1) throw this.error('[_na] filter malformed, no field after start_object');
    return this.firstFilter(value);
  }

  /** Like {@link filter}, but only the first member counts (stored alias filters). */
  firstFilter(value: JsonObject): Query | null {
    for (const [kind, body] of value) {
      if (!isBody(body)) throw this.error('[_na] filter malformed, no field after start_object');
      return this.filterOf(kind, body);
    }
    return null;
  }

  /** The filter of a known kind name (`not` takes it as a member of its own). */
  filterOf(kind: string, body: KindBody): Query | null {
    const parser = this.kinds.filters.get(kind);
    if (parser === undefined) throw this.unknownKind('filter', kind);
    const filter = this.deeper(() => parser(body, this, kind));
    if (filter === null || this.context.texts === null || PASSED_ON.has(kind)) return filter;
    const isKept = keptBy(body) ?? this.kinds.kept.get(kind)?.(body) ?? false;
    return { ...filter, shown: this.keptText(filter, isKept) };
  }

  /** The same body below a nested object. */
  inNested(path: string): ParseScope {
    return new ParseScope(this.context, this.kinds, path, this.depth);
  }

  /** A body about the documents of one type, which stand by themselves: parents or children. */
  ofType(type: string): ParseScope {
    const context = { ...this.context, types: [type], nestedPath: null };
    return new ParseScope(context, this.kinds, null, this.depth);
  }

  /** A query with the text that the reference prints for it, where somebody asks for texts. */
  shown<Node extends Query>(query: Node, text: () => string): Node {
    return this.context.texts === null ? query : { ...query, shown: text() };
  }

  /** How the reference prints a filter; for {@link shown}. */
  filterText(filter: Query): string {
    return describeFilter(filter, this.context.texts ?? NO_TEXTS);
  }

  /** How the reference prints a query before it is scored; for {@link shown}. */
  queryText(query: Query): string {
    return describeQuery(query, this.context.texts ?? NO_TEXTS);
  }

  /** The text of a filter; where it is kept it says so. */
  private keptText(filter: Query, isKept: boolean): string {
    if (filter.kind === 'named') return this.keptText(filter.query, isKept);
    // The type that the name of a field carried.
    if (
      filter.kind === 'filtered' &&
      filter.filter.kind === 'types' &&
      filter.shown === undefined
    ) {
      return `+${this.filterText(filter.filter)} +${this.keptText(filter.query, isKept)}`;
    }
    const text = this.filterText(filter);
    const isSettled =
      filter.kind === 'types' || (filter.kind === 'matchNone' && filter.shown === undefined);
    return isKept && !isSettled && !text.startsWith(FLEETING) ? `cache(${text})` : text;
  }

  /** Resolves a field name of the request. */
  field(name: string): FieldRef {
    return resolveField(name, this);
  }

  /** Types a query on `_id` looks at: those of the URL, else all. */
  get queryTypes(): readonly string[] {
    const { types, mapping } = this.context;
    return types.length === 0 || types.includes('_all') ? mapping.types : types;
  }

  /** Whether an index expression stands for this index among others. No names: all indices. */
  matchesIndex(names: readonly string[]): boolean {
    if (names.length === 0 || names.includes('_all')) return true;
    if (this.context.matchesIndex !== undefined) return this.context.matchesIndex(names);
    return names.some((name) => matchesPattern(name, this.context.indexName));
  }

  /** What analysis may make of the texts of the request. */
  get tokenBudget(): TokenBudget {
    const { meter } = this.context;
    return new SizeBudget((bytes) => meter.add('analyzed', bytes));
  }

  /** @throws EngineError TooManyClauses when a bool query would get more clauses than allowed */
  checkClauses(count: number): void {
    this.context.meter.checkClauses(count);
  }

  private deeper<T>(parse: () => T): T {
    if (this.depth >= MAX_QUERY_DEPTH) {
      throw this.error(`query nesting deeper than [${MAX_QUERY_DEPTH}]`);
    }
    this.context.meter.add('queries', 1);
    this.depth++;
    try {
      return parse();
    } finally {
      this.depth--;
    }
  }
}

/** Kinds that look at the elements of a list themselves. */
const TAKES_LIST: ReadonlySet<string> = new Set([
  'field_masking_span',
  'fieldMaskingSpan',
  'has_child',
  'hasChild',
  'has_parent',
  'hasParent',
  'span_first',
  'spanFirst',
  'span_multi',
  'spanMulti',
  'span_near',
  'spanNear',
  'span_not',
  'spanNot',
  'span_or',
  'spanOr',
  'span_term',
  'spanTerm',
  'top_children',
  'topChildren',
]);

const NO_TEXTS: TextContext = { nameOf: () => '' };

/** Filters that are others, which have their texts. */
const PASSED_ON: ReadonlySet<string> = new Set(['indices', 'wrapper', 'match_all', 'matchAll']);

/** What stands before the text of a filter that is not kept, because it depends on the time. */
export const FLEETING = 'no_cache(';

/** What a filter says about being kept; null: nothing. */
function keptBy(body: KindBody): boolean | null {
  if (!isJsonObject(body)) return null;
  const given = body.get('_cache') ?? null;
  return given === null || !isScalar(given) ? null : booleanOf(given);
}

const TAKES_EMPTY_LIST: ReadonlySet<string> = new Set(['match_all', 'matchAll']);

function isBody(value: JsonValue): value is JsonObject | JsonValue[] {
  return isJsonObject(value) || Array.isArray(value);
}

/** Wraps a query so that hits matching it report `name`. */
export function named(name: string | null, query: Query): Query {
  return name === null ? query : { kind: 'named', name, query };
}

/**
 * Gives a parsed query its own boost, replacing what it had. A phrase prefix forgets it: the reference
 * makes a new query of it before scoring.
 */
export function withBoost(query: Query, boost: number): Query {
  return query.kind === 'phrasePrefix' ? query : replaceBoost(query, boost);
}
