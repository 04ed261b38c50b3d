// The options of index expressions: every operation has its own defaults (reference server), which
// three parameters may change.

import { illegalArgument, type IndicesOptions, splitCommas } from '../../engine/index';
import type { Params } from './params';

function options(
  flags: string,
  expand: 'open' | 'closed' | 'open,closed',
  closed: 'allowed' | 'forbidden',
): IndicesOptions {
  return {
    ignoreUnavailable: flags.includes('iu'),
    allowNoIndices: flags.includes('ani'),
    expandOpen: expand.includes('open'),
    expandClosed: expand.includes('closed'),
    forbidClosed: closed === 'forbidden',
  };
}

/** Search, count, refresh, flush, optimize and whatever else works on open shards. */
export const SEARCH_OPTIONS = options('ani', 'open', 'forbidden');
export const SEARCH_SHARDS_OPTIONS = options('iu ani', 'open', 'allowed');
/** Reading mappings, settings and named aliases. */
export const READ_OPTIONS = options('ani', 'open', 'allowed');
/** Reading the aliases of given indices. */
export const LENIENT_READ_OPTIONS = options('iu ani', 'open', 'allowed');
/** Reading the aliases of all indices. */
export const LENIENT_ALL_OPTIONS = options('iu ani', 'open,closed', 'allowed');
/** Index exists. */
export const EXISTS_OPTIONS = options('', 'open,closed', 'allowed');
export const DELETE_INDEX_OPTIONS = options('ani', 'open,closed', 'allowed');
export const CLOSE_INDEX_OPTIONS = options('', 'open', 'allowed');
export const OPEN_INDEX_OPTIONS = options('', 'closed', 'allowed');
/** Synced flush. */
export const SYNCED_FLUSH_OPTIONS = options('iu ani', 'open', 'allowed');
export const PUT_WARMER_OPTIONS = options('ani', 'open', 'forbidden');
export const DELETE_WARMER_OPTIONS = options('', 'open', 'allowed');
/** Put mapping, update settings. */
export const UPDATE_METADATA_OPTIONS = options('', 'open,closed', 'allowed');
export const VALIDATE_OPTIONS = options('', 'open', 'allowed');
export const DELETE_BY_QUERY_OPTIONS = options('', 'open', 'allowed');
export const DELETE_MAPPING_OPTIONS = options('', 'open', 'allowed');

/**
 * An operation's defaults with `ignore_unavailable`, `allow_no_indices` and `expand_wildcards` applied.
 * Naming any expansion replaces the default one.
 *
 * @throws EngineError 400 for an unknown `expand_wildcards` value
 */
export function indicesOptions(params: Params, defaults: IndicesOptions): IndicesOptions {
  let { expandOpen, expandClosed } = defaults;
  const wildcards = params.get('expand_wildcards');
  if (wildcards !== undefined) {
    expandOpen = expandClosed = false;
    for (const value of splitCommas(wildcards)) {
      switch (value) {
        case 'open':
          expandOpen = true;
          break;
        case 'closed':
          expandClosed = true;
          break;
        case 'none':
          expandOpen = expandClosed = false;
          break;
        case 'all':
          expandOpen = expandClosed = true;
          break;
        default:
          throw illegalArgument(`No valid expand wildcard value [${value}]`);
      }
    }
  }
  return {
    ignoreUnavailable: params.lenientFlag('ignore_unavailable', defaults.ignoreUnavailable),
    allowNoIndices: params.lenientFlag('allow_no_indices', defaults.allowNoIndices),
    expandOpen,
    expandClosed,
    forbidClosed: defaults.forbidClosed,
  };
}
