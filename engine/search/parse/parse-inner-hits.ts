// `inner_hits`: which of the nested objects, children or parents of a hit are shown below it, and how.
// Queries ask for those that they match, and a search for any. The options are elements of a search, fewer
// than one has.

import { inTableOrder } from '../../common/index';
import { EngineError, illegalArgument, incompleteSource } from '../../errors';
import {
  isJsonObject,
  isScalar,
  type JsonObject,
  JsonNumber,
  type JsonValue,
} from '../../json/index';
import {
  ElementFailure,
  type InnerHitsRequest,
  type InnerHitsTarget,
  MATCH_ALL,
  type Query,
  type SearchContext,
  tokenName,
} from '../../query/index';
import { SourceFailure } from '../plan/errors';
import type { InnerHitsPlan, SortKey } from '../plan/search-plan';
import {
  type Elements,
  HIT_SCALARS,
  HIT_STRUCTURES,
  noElements,
  type SearchElements,
} from './hit-elements';
import { fetchPlan, indexPlan } from './index-plan';
import { nestedPathsOf, withinObjects } from './nested-paths';

/** The last place that hits have. */
export const MAX_WINDOW = 2147483647;

/** Shown below a hit unless something else is said. */
const DEFAULT_SIZE = 3;

/** Definitions stand in one another so deep at most. */
const MAX_DEPTH = 32;

type Token = 'value' | 'array' | 'object';

const VALUE: readonly Token[] = ['value'];
const ANY: readonly Token[] = ['value', 'array', 'object'];

/** The options, and what may stand for their values. */
const OPTIONS: ReadonlyMap<string, readonly Token[]> = new Map<string, readonly Token[]>([
  ['from', VALUE],
  ['size', VALUE],
  ['version', VALUE],
  ['explain', VALUE],
  ['track_scores', VALUE],
  ['trackScores', VALUE],
  ['sort', ANY],
  ['_source', ANY],
  ['fields', ['value', 'array']],
  ['fielddata_fields', ['array']],
  ['fielddataFields', ['array']],
  ['script_fields', ['object']],
  ['scriptFields', ['object']],
  ['highlight', ['object']],
]);

/** Options of which a null is not passed over. */
const READS_NULL: ReadonlySet<string> = new Set(['sort', '_source']);

/**
 * Everything that a search which was just parsed asks to be shown below its hits, by distinct names: of
 * several with one name the last counts.
 *
 * @param text the source, for the text of failures
 * @throws SourceFailure
 */
export function planInnerHits(
  text: string,
  elements: SearchElements,
  context: SearchContext,
): readonly InnerHitsPlan[] {
  const { innerHits: asked } = context;
  if (asked.length === 0) return elements.innerHits;
  try {
    return byName([...elements.innerHits, ...asked.map((request) => planOf(request, context))]);
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof ElementFailure)) throw error;
    const cause = error instanceof EngineError ? error : illegalArgument(error.message);
    const failure = context.queryError('Failed to parse [_inner_hits]', cause);
    throw new SourceFailure(text, elements, failure);
  }
}

function planOf(
  { target, query, options }: InnerHitsRequest,
  context: SearchContext,
): InnerHitsPlan {
  const elements = noElements();
  let name = target.kind === 'nested' ? target.path : target.type;
  const plain = context.withoutTypes();
  for (const [option, value] of options) {
    if (option !== 'name' || !isScalar(value)) readOption(elements, option, value, plain);
    else name = value instanceof JsonNumber ? value.text : String(value);
  }
  return finish(name, target, query, elements, [], plain);
}

/**
 * The element `inner_hits` of a search: `{NAME: {path|type: {PATH|TYPE: {query, inner_hits, OPTIONS}}}}`.
 *
 * @throws EngineError as the reference does, ElementFailure
 */
export function parseInnerHits(value: JsonValue, context: SearchContext): readonly InnerHitsPlan[] {
  if (value !== null && isScalar(value)) {
    throw incompleteSource();
  }
  if (!isJsonObject(value)) {
    const [first] = Array.isArray(value) ? value : [];
    const token = first === undefined ? 'END_ARRAY' : tokenName(first);
    throw illegalArgument(
      `Unexpected token ${token} in [inner_hits]: inner_hit definitions must start with the name of the inner_hit.`,
    );
  }
  return definitions(value, null, 1, context.withoutTypes());
}

/** @param around path of the objects below which these are shown; null: whole documents */
function definitions(
  body: JsonObject,
  around: string | null,
  depth: number,
  context: SearchContext,
): readonly InnerHitsPlan[] {
  if (depth > MAX_DEPTH) {
    throw illegalArgument(`[inner_hits] stand in one another deeper than [${MAX_DEPTH}]`);
  }
  const plans: InnerHitsPlan[] = [];
  for (const [name, value] of body) {
    context.meter.add('queries', 1);
    const definition = definitionBody(name, value);
    const [kind, byTarget] = firstMember(definition);
    const targets = definitionBody(name, byTarget);
    if (kind !== 'path' && kind !== 'type') {
      throw illegalArgument('Either path or type object must be defined');
    }
    const [of, options] = firstMember(targets);
    const target = kind === 'path' ? nestedTarget(of, around, context) : relatedTarget(of, context);
    plans.push(definitionOf(name, target, definitionBody(name, options), depth, context));
    if (targets.size > 1 || definition.size > 1) {
      throw illegalArgument('Expected [END_OBJECT] token, but got a [FIELD_NAME] token.');
    }
  }
  return byName(plans);
}

function definitionOf(
  name: string,
  target: InnerHitsTarget,
  options: JsonObject,
  depth: number,
  context: SearchContext,
): InnerHitsPlan {
  const elements = noElements();
  const path = target.kind === 'nested' ? target.path : null;
  let query: Query = MATCH_ALL;
  let below: readonly InnerHitsPlan[] = [];
  for (const [option, value] of options) {
    if (option === 'query' && isJsonObject(value)) query = context.parseQuery(value, path);
    else if (option === 'inner_hits' && isJsonObject(value)) {
      below = definitions(value, path, depth + 1, context);
    } else readOption(elements, option, value, context);
  }
  return finish(name, target, query, elements, below, context);
}

function definitionBody(name: string, value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw illegalArgument(
    `Inner hit definition for [${name} starts with a [${tokenName(value)}], expected a [START_OBJECT].`,
  );
}

function firstMember(body: JsonObject): readonly [string, JsonValue] {
  for (const member of body) return member;
  throw illegalArgument(
    'Unexpected token END_OBJECT inside inner hit definition. Either specify [path] or [type] object',
  );
}

function nestedTarget(
  path: string,
  around: string | null,
  { mapping, types }: SearchContext,
): InnerHitsTarget {
  const object = mapping.nestedObject(path, types);
  if (object === null) throw illegalArgument(`path [${path}] doesn't exist`);
  if (object === 'plain') throw illegalArgument(`path [${path}] isn't nested`);
  return { kind: 'nested', path: object.path, parentPath: around };
}

function relatedTarget(type: string, { mapping }: SearchContext): InnerHitsTarget {
  if (!mapping.types.includes(type)) throw illegalArgument(`type [${type}] doesn't exist`);
  return { kind: 'related', type };
}

function readOption(
  elements: Elements,
  option: string,
  value: JsonValue,
  context: SearchContext,
): void {
  if (value === null && !READS_NULL.has(option)) return;
  const token: Token = isJsonObject(value) ? 'object' : Array.isArray(value) ? 'array' : 'value';
  if (OPTIONS.get(option)?.includes(token) !== true) {
    throw illegalArgument(`Unknown key for a ${tokenName(value)} for nested query: [${option}].`);
  }
  (HIT_SCALARS.get(option) ?? HIT_STRUCTURES.get(option))!(elements, value, context);
}

/** @param query matches what is shown, of other types and below other hits as well */
function finish(
  name: string,
  target: InnerHitsTarget,
  query: Query,
  elements: Elements,
  below: readonly InnerHitsPlan[],
  context: SearchContext,
): InnerHitsPlan {
  if (elements.sortFailure !== null) throw elements.sortFailure;
  const { mapping } = context;
  const from = Math.max(0, elements.from);
  const size = elements.size < 0 ? DEFAULT_SIZE : elements.size;
  const window = size === 0 ? 0 : Math.min(from + size, MAX_WINDOW);
  elements.query = query;
  const fetch = fetchPlan(context, elements);
  const isNested = target.kind === 'nested';
  const sort =
    elements.sort === null || !isNested ? elements.sort : ownValues(elements.sort, target.path);
  const scope: Query | null = isNested ? null : { kind: 'types', types: [target.type], boost: 1 };
  return {
    name,
    target: isNested
      ? { ...target, paths: nestedPathsOf(target.path, context) }
      : {
          ...target,
          parentType: mapping.parentType(target.type),
          childTypes: mapping.types.filter((each) => mapping.parentType(each) === target.type),
        },
    query,
    plan: indexPlan(context, { ...elements, sort }, scope, window, 0),
    from,
    fetch: below.length === 0 ? fetch : { ...fetch, innerHits: below },
  };
}

function ownValues(keys: readonly SortKey[], path: string): readonly SortKey[] {
  return keys.map((key) => withinObjects(key, path));
}

/** compat: in the order of the table that the reference keeps them in. */
function byName(plans: readonly InnerHitsPlan[]): readonly InnerHitsPlan[] {
  const last = new Map(plans.map((plan) => [plan.name, plan]));
  return inTableOrder([...last.keys()]).map((name) => last.get(name)!);
}
