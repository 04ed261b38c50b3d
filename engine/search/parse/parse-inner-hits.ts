// `inner_hits` of has_child and has_parent: which of the children or parents that a hit was found through are
// shown below it, and how. The options are elements of a search, fewer than one has.

import { EngineError, illegalArgument } from '../../errors';
import { isScalar, type JsonValue, lenientBoolean } from '../../json/index';
import {
  ElementFailure,
  type InnerHitsRequest,
  type SearchContext,
  tokenName,
} from '../../query/index';
import { SourceFailure, type Progress } from '../plan/errors';
import type { InnerHitsPlan } from '../plan/search-plan';
import { fetchPlan, indexPlan } from './index-plan';
import { noElements, readElement, type SearchSource } from './parse-search';

/** The last place that hits have. */
export const MAX_WINDOW = 2147483647;

/** Relatives shown below a hit unless something else is said. */
const DEFAULT_SIZE = 3;

const ELEMENTS: ReadonlySet<string> = new Set([
  'from',
  'size',
  'sort',
  '_source',
  'fields',
  'fielddata_fields',
  'fielddataFields',
  'script_fields',
  'scriptFields',
  'highlight',
  'version',
  'track_scores',
  'trackScores',
]);

/**
 * What the queries of a search that was just parsed ask to be shown below its hits, by distinct names: of
 * several with one name the last counts.
 *
 * @param progress how far the search was read, for the text of failures
 * @throws SourceFailure
 */
export function parseInnerHits(
  sources: readonly SearchSource[],
  progress: Progress,
  context: SearchContext,
): readonly InnerHitsPlan[] {
  if (context.innerHits.length === 0) return [];
  const plain = context.withoutTypes();
  try {
    const plans = context.innerHits.map((request) => planOf(request, plain));
    return [...new Map(plans.map((plan) => [plan.name, plan])).values()];
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof ElementFailure)) throw error;
    const cause = error instanceof EngineError ? error : illegalArgument(error.message);
    const failure = context.queryError('Failed to parse [_inner_hits]', cause);
    throw new SourceFailure(sources.at(-1)?.text ?? '_na_', progress, failure);
  }
}

function planOf({ type, query, options }: InnerHitsRequest, context: SearchContext): InnerHitsPlan {
  const elements = noElements();
  elements.query = query;
  let name = type;
  for (const [option, value] of options) {
    if (option === 'name') name = isScalar(value) ? String(value) : name;
    else if (option === 'explain') refuseExplain(value);
    else if (ELEMENTS.has(option)) readElement(elements, option, value, context);
    else {
      const token = tokenName(value);
      throw illegalArgument(`Unknown key for a ${token} for nested query: [${option}].`);
    }
  }
  if (elements.sortFailure !== null) throw elements.sortFailure;
  const { mapping } = context;
  const from = Math.max(0, elements.from);
  const size = elements.size < 0 ? DEFAULT_SIZE : elements.size;
  const window = size === 0 ? 0 : Math.min(from + size, MAX_WINDOW);
  return {
    name,
    type,
    parentType: mapping.parentType(type),
    childTypes: mapping.types.filter((each) => mapping.parentType(each) === type),
    plan: indexPlan(context, elements, null, window, 0),
    from,
    fetch: fetchPlan(context, elements),
  };
}

function refuseExplain(value: JsonValue): void {
  if (lenientBoolean(value, false)) {
    throw illegalArgument('[explain] is not supported in [inner_hits]');
  }
}
