// The body of an aggregation of hits (reference server). What it has in common with a search is read like
// there.

import { type ParseHits, RunFailure, unknownMember } from '../../aggregations/index';
import { type HighlightRequest, parseHighlight } from '../../highlight/index';
import {
  isJsonObject,
  isScalar,
  type JsonValue,
  lenientInteger,
  type SourceFilter,
} from '../../json/index';
import { booleanOf, type SearchContext } from '../../query/index';
import type { ScriptField, SortKey } from '../plan/search-plan';
import type { TopHitsSpec } from '../plan/top-hits-spec';
import { fetchPlan } from './index-plan';
import { nestedPathsOf, withinObjects } from './nested-paths';
import { parseScriptFields } from './parse-script-fields';
import { parseSort } from './parse-sort';
import { parseFielddataNames, parseSourceFilter } from './parse-source';

const DEFAULT_SIZE = 3;

/** The members that say how hits are shown. */
interface ShownHits {
  source: SourceFilter | undefined;
  fielddataFields: readonly string[];
  scriptFields: readonly ScriptField[];
  version: boolean;
  explain: boolean;
}

/** Reads the body of a top_hits aggregation. */
export const parseTopHits: ParseHits = (name, body, { path, nestedPath }, context): TopHitsSpec => {
  let from = 0;
  let size = DEFAULT_SIZE;
  let sort: readonly SortKey[] | null = null;
  let trackScores = false;
  let highlight: readonly HighlightRequest[] | null = null;
  const shown: ShownHits = {
    source: undefined,
    fielddataFields: [],
    scriptFields: [],
    version: false,
    explain: false,
  };
  for (const [member, value] of body) {
    if (readShown(shown, member, value, context)) continue;
    const isOne = value !== null && isScalar(value);
    if (member === 'from' && isOne) from = lenientInteger(value, 0);
    else if (member === 'size' && isOne) size = lenientInteger(value, 0);
    else if (isTrackScores(member) && isOne) trackScores = booleanOf(value);
    else if (member === 'sort' && (typeof value === 'string' || isComposite(value))) {
      const { keys, failure } = parseSort(value, context);
      if (failure !== null) throw new RunFailure(failure);
      sort = keys;
    } else if (member === 'highlight' && isJsonObject(value)) {
      highlight = parseHighlight(value, context);
    } else throw unknownMember(name, member, value);
  }
  context.meter.checkRescoreWindow(from + size);
  const fetch = fetchPlan(context, {
    ...shown,
    fields: undefined,
    partialFields: [],
    highlight: null,
    query: null,
  });
  return {
    from: Math.max(0, from),
    size: Math.max(0, size),
    path,
    search: {
      sort: sort?.map((key) => withinObjects(key, nestedPath)) ?? null,
      trackScores,
      fetch,
      highlight,
      nestedPaths: nestedPath === null ? [] : nestedPathsOf(nestedPath, context),
    },
  };
};

function readShown(
  shown: ShownHits,
  member: string,
  value: JsonValue,
  context: SearchContext,
): boolean {
  switch (member) {
    case '_source':
      if (value === null) return false;
      shown.source = parseSourceFilter(value);
      return true;
    case 'version':
      if (value === null || !isScalar(value)) return false;
      shown.version = booleanOf(value);
      return true;
    case 'explain':
      if (value === null || !isScalar(value)) return false;
      shown.explain = booleanOf(value);
      return true;
    case 'fielddata_fields':
    case 'fielddataFields':
      if (!Array.isArray(value)) return false;
      shown.fielddataFields = parseFielddataNames(value);
      context.meter.add('fields', shown.fielddataFields.length);
      return true;
    case 'script_fields':
    case 'scriptFields':
      if (!isJsonObject(value)) return false;
      context.meter.add('fields', value.size);
      shown.scriptFields = parseScriptFields(value, context);
      return true;
    default:
      return false;
  }
}

function isTrackScores(member: string): boolean {
  return member === 'track_scores' || member === 'trackScores';
}

function isComposite(value: JsonValue): boolean {
  return Array.isArray(value) || isJsonObject(value);
}
