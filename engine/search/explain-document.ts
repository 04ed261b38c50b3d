// Why one document has the score it has by a query, or why it does not match (`_explain`, reference server).
//
// It is a search for the document by its id, whose hit is explained by another query than found it.

import { EngineError, type ErrorName } from '../errors';
import { parseJsonObject } from '../json/index';
import { fieldNamesOf } from '../mapping/index';
import type { IndexMetadata } from '../metadata/index';
import { MATCH_ALL, type SearchContext } from '../query/index';
import type { ExplainRequest, ExplainResult, ShardFailure } from '../api/index';
import { asQueryError, countPlan, parseQueryBody } from './count';
import { queryFromParams } from './parse/extra-source';
import { aliasScope, indexScope, mappedSources, withinScope } from './parse/index-plan';
import { resolveFields } from './parse/parse-source';
import type { PlannedIndex } from './plan/planned-index';
import type { Query } from '../query/index';

/** The search that explains a document. */
export interface PlannedExplanation {
  readonly planned: PlannedIndex;
  /** Why the query cannot be read: it is looked at for documents only that exist. Null: it can. */
  readonly refusal: EngineError | null;
}

/**
 * The search that explains a document.
 *
 * @param aliasFilters those of the name that the index was asked for by; null: it has none
 * @throws EngineError for parameters that mean nothing; RoutingMissingException
 */
export function planExplain(
  request: ExplainRequest,
  context: SearchContext,
  aliasFilters: Parameters<typeof indexScope>[1],
): PlannedExplanation {
  const { index, mapping, types } = context;
  const { type, id, fields, source = false } = request;
  if (request.routing === undefined && mapping.routingRequired(type)) {
    const message = `routing is required for [${index.name}]/[${type}]/[${id}]`;
    throw new EngineError('RoutingMissingException', message);
  }
  const uids: Query = { kind: 'uids', uids: [`${type}#${id}`], boost: 1 };
  const plan = countPlan(index.name, uids, null, { similarities: mapping.similarities });
  const read = explainedQuery(request, context, aliasFilters);
  const refusal = read instanceof EngineError ? read : null;
  const query = read instanceof EngineError ? MATCH_ALL : read;
  const planned = {
    ...plan,
    plan: { ...plan.plan, window: 1 },
    page: { from: 0, size: 1 },
    fetch: {
      ...plan.fetch,
      source: fields?.includes('_source') === true && source === false ? true : source,
      fields: fields ?? null,
      resolvedFields: fields === undefined ? [] : resolveFields(fields, mapping, types),
      mappedSource: mappedSources(mapping),
      explain: { nodeId: context.services.nodeId, fieldNames: fieldNamesOf(index), query },
    },
  };
  return { planned, refusal };
}

/** The query, or why it cannot be read. */
function explainedQuery(
  request: ExplainRequest,
  context: SearchContext,
  aliasFilters: Parameters<typeof indexScope>[1],
): Query | EngineError {
  const fromParams = queryFromParams(request.params);
  try {
    if (request.bodyError !== undefined) throw request.bodyError;
    const query = parseQueryBody(request, fromParams, context);
    const whole = withinScope(query, indexScope(context, aliasFilters));
    // compat: the filter of an alias counts twice.
    return withinScope(whole, aliasScope(context, aliasFilters));
  } catch (error) {
    return asQueryError(error, context);
  }
}

/** The answer, from the hit that was found; undefined: the document does not exist. */
export function explainResult(
  { type, id, fields, source = false }: ExplainRequest,
  { name: index }: IndexMetadata,
  hit: Buffer | undefined,
): ExplainResult {
  if (hit === undefined) {
    return { index, type, id, matched: false, explanation: undefined, get: undefined };
  }
  const members = parseJsonObject(hit.toString(), Infinity);
  const isShown = fields !== undefined || source !== false;
  return {
    index,
    type,
    id,
    matched: members.get('matched') === true,
    explanation: members.get('_explanation') ?? undefined,
    get: isShown ? { _source: members.get('_source'), fields: members.get('fields') } : undefined,
  };
}

/** The failure of the one shard that was asked. */
export function explainFailure({ status, reason }: ShardFailure): EngineError {
  const [, name = 'ElasticsearchException', message = reason] =
    /^(\w+)\[(.*)\]$/s.exec(reason) ?? [];
  return new EngineError(name as ErrorName, message, { status });
}
