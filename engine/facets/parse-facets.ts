// The `facets` element (reference server): names, types, and the frame around every type.

import { didYouMean } from '../common/index';
import { illegalArgument, incompleteSource } from '../errors';
import { isJsonObject, type JsonObject, type JsonValue, lenientBoolean } from '../json/index';
import { MATCH_ALL, type Query, type SearchContext, ElementFailure } from '../query/index';
import type { FacetKind, FacetParseContext, FacetPlan, FacetSpec } from './contract/facet';
import { FACET_NAMES, facetKindNamed } from './registry';

/**
 * The facets of a search body, for one index, in request order.
 *
 * @throws EngineError, ElementFailure with the reference server's exception names and messages
 */
export function parseFacets(value: JsonValue, context: SearchContext): readonly FacetPlan[] {
  if (!isJsonObject(value)) {
    throw incompleteSource();
  }
  const plans: FacetPlan[] = [];
  for (const [name, definition] of value) {
    // compat: of a list the definition is the object in it, and one that is no object is not there.
    const [body, another] = pieces(definition).filter(isJsonObject);
    if (another !== undefined)
      throw illegalArgument(`facet [${name}] has more than one definition`);
    if (body === undefined) continue;
    context.meter.add('facets', 1);
    plans.push(parseFacet(name, body, context));
  }
  return plans;
}

interface Definition {
  kind: FacetKind | null;
  spec: FacetSpec | null;
  global: boolean;
  filter: Query | null;
  nested: string | null;
  excludeFilter: string[];
  afterPostFilter: boolean;
}

function parseFacet(name: string, body: JsonObject, context: SearchContext): FacetPlan {
  const definition: Definition = {
    kind: null,
    spec: null,
    global: false,
    filter: null,
    nested: null,
    excludeFilter: [],
    afterPostFilter: false,
  };
  const parseContext = facetContext(body, context);
  for (const [member, value] of body) {
    // compat: each element of a list counts as if it stood alone, the last one last.
    for (const piece of pieces(value)) {
      if (isJsonObject(piece)) readObject(definition, name, member, piece, parseContext, context);
      else if (piece !== null) readScalar(definition, member, piece, context);
    }
  }
  const { kind, spec, global, filter, excludeFilter, afterPostFilter } = definition;
  if (kind === null || spec === null) {
    throw new ElementFailure(`no facet type found for facet named [${name}]`);
  }
  const nestedPath = definition.nested === null ? null : resolveNested(definition.nested, context);
  return {
    name,
    type: kind.type,
    spec,
    global,
    filter,
    nestedPath,
    excludeFilter,
    afterPostFilter: afterPostFilter && !global,
    mainQuery: null,
  };
}

function pieces(value: JsonValue): readonly Exclude<JsonValue, JsonValue[]>[] {
  return (Array.isArray(value) ? value.flat(16) : [value]) as Exclude<JsonValue, JsonValue[]>[];
}

function readObject(
  definition: Definition,
  name: string,
  member: string,
  body: JsonObject,
  parseContext: FacetParseContext,
  context: SearchContext,
): void {
  if (member === 'facet_filter' || member === 'facetFilter') {
    // Inside a nested facet, too, a nested filter leads from nested objects to roots.
    definition.filter = context.parseFilter(body, null);
    return;
  }
  const kind = facetKindNamed(member);
  if (kind === undefined) {
    const meant = didYouMean(member, FACET_NAMES);
    throw new ElementFailure(`No facet type found for [${member}]${meant}`);
  }
  definition.kind = kind;
  definition.spec = kind.parse(name, body, parseContext);
}

function readScalar(
  definition: Definition,
  member: string,
  value: Exclude<JsonValue, null | JsonValue[] | JsonObject>,
  context: SearchContext,
): void {
  switch (member) {
    case 'global':
      definition.global = lenientBoolean(value, false);
      return;
    case 'nested':
      definition.nested = String(value);
      return;
    case 'exclude_filter':
    case 'excludeFilter':
      context.meter.add('terms', 1);
      definition.excludeFilter.push(String(value));
      return;
    case 'mode': {
      const mode = String(value);
      if (mode !== 'collector' && mode !== 'post')
        throw illegalArgument(`failed to parse facet mode [${mode}]`);
      definition.afterPostFilter = mode === 'post';
      return;
    }
    case 'scope':
    case '_scope':
      throw new ElementFailure('the [scope] support in facets have been removed');
    default:
      return;
  }
}

function resolveNested(path: string, context: SearchContext): string {
  const found = context.mapping.nestedObject(path, context.types);
  if (found === null) throw new ElementFailure(`facet nested path [${path}] not found`);
  if (found === 'plain') throw new ElementFailure(`facet nested path [${path}] is not nested`);
  return found.path;
}

function facetContext(body: JsonObject, context: SearchContext): FacetParseContext {
  // Looked up ahead of the other members; whether it is right is checked at its place.
  const nested = body.get('nested');
  const found =
    typeof nested === 'string' ? context.mapping.nestedObject(nested, context.types) : null;
  return {
    indexName: context.index.name,
    mapping: context.mapping,
    types: context.types,
    nestedPath: found === null || found === 'plain' ? null : found.path,
    now: context.services.now,
    scripts: context.services.scripts,
    meter: context.meter,
    parseFilter: (filter) => context.parseFilter(filter, null) ?? MATCH_ALL,
    parseQuery: (query) => context.parseQuery(query),
  };
}
