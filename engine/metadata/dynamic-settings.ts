// The index settings that can change while the index is open, and what values they take. The list is the
// reference's, so that clients may set what has no effect here (merge, allocation, slow logs).

import { tryTimeValue } from '../common/index';
import { parseBytes, parseDecimal, parseInt32 } from './setting-values';

/** Why a value is refused, or null. */
type Check = (key: string, value: string) => string | null;

const anything: Check = () => null;

const time: Check = (_key, value) =>
  tryTimeValue(value) === null ? `cannot parse value [${value}] as time` : null;

const bytes: Check = (_key, value) =>
  parseBytes(value) === null ? `Failed to parse [${value}]` : null;

const boolean: Check = (_key, value) =>
  ['true', 'false', 'on', 'off', 'yes', 'no', '0', '1'].includes(value)
    ? null
    : `cannot parse value [${value}] as a boolean`;

const mustBe =
  (
    parse: (value: string) => number | null,
    kind: string,
    accepts: (value: number) => boolean,
    bound: string,
  ): Check =>
  (key, value) => {
    const number = parse(value);
    if (number === null) return `cannot parse value [${value}] as ${kind}`;
    return accepts(number) ? null : `the value of the setting ${key} must be ${bound}`;
  };

const integer = mustBe(parseInt32, 'an integer', () => true, '');
const nonNegativeInteger = mustBe(
  parseInt32,
  'an integer',
  (n) => n >= 0,
  'a non negative integer',
);
/** Replicas are never assigned on one node, but tables of shards have a row for each. */
const MAX_REPLICAS = 100;
const replicas: Check = (key, value) =>
  nonNegativeInteger(key, value) ??
  (Number(value) > MAX_REPLICAS
    ? `the value of the setting ${key} must be at most ${MAX_REPLICAS}`
    : null);
const positiveInteger = mustBe(parseInt32, 'an integer', (n) => n > 0, 'a positive integer');
const integerFrom2 = mustBe(parseInt32, 'an integer', (n) => n >= 2, '>= 2');
const nonNegativeDecimal = mustBe(parseDecimal, 'a double', (n) => n >= 0, 'a non negative double');
const decimalFrom2 = mustBe(parseDecimal, 'a double', (n) => n >= 2, '>= 2.0');

const wholeNumber: Check = (_key, value) =>
  Number.isSafeInteger(parseDecimal(value)) ? null : `cannot parse value [${value}] as a long`;

const memorySize: Check = (key, value) =>
  parseBytes(value) === null && parseDecimal(value.replace(/%$/, '')) === null
    ? `the value [${value}] for ${key} must end with % or be a valid bytes size value, like [16mb]`
    : null;

/** By name without the prefix `index.`; a name that ends in `*` covers everything below it. */
const DYNAMIC_SETTINGS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['number_of_replicas', replicas],
  ['auto_expand_replicas', anything],
  ['refresh_interval', time],
  ['gc_deletes', time],
  ['priority', nonNegativeInteger],
  ['blocks.read_only', anything],
  ['blocks.read', anything],
  ['blocks.write', anything],
  ['blocks.metadata', anything],
  ['cache.query.enable', boolean],
  ['checksum_on_merge', boolean],
  ['compound_format', anything],
  ['compound_on_flush', boolean],
  ['fail_on_corruption', boolean],
  ['fail_on_merge_failure', boolean],
  ['flush_on_close', boolean],
  ['indexing.slowlog.level', anything],
  ['indexing.slowlog.reformat', anything],
  ['indexing.slowlog.threshold.index.debug', time],
  ['indexing.slowlog.threshold.index.info', time],
  ['indexing.slowlog.threshold.index.trace', time],
  ['indexing.slowlog.threshold.index.warn', time],
  ['max_analyzed_size', bytes],
  ['max_shape_points', positiveInteger],
  ['merge.policy.expunge_deletes_allowed', nonNegativeDecimal],
  ['merge.policy.floor_segment', bytes],
  ['merge.policy.max_merge_at_once', integerFrom2],
  ['merge.policy.max_merge_at_once_explicit', integerFrom2],
  ['merge.policy.max_merge_docs', positiveInteger],
  ['merge.policy.max_merge_size', bytes],
  ['merge.policy.max_merged_segment', bytes],
  ['merge.policy.merge_factor', integerFrom2],
  ['merge.policy.min_merge_docs', positiveInteger],
  ['merge.policy.min_merge_size', bytes],
  ['merge.policy.reclaim_deletes_weight', nonNegativeDecimal],
  ['merge.policy.segments_per_tier', decimalFrom2],
  ['merge.scheduler.max_merge_count', anything],
  ['merge.scheduler.max_thread_count', anything],
  ['recovery.initial_shards', anything],
  ['routing.allocation.disable_allocation', anything],
  ['routing.allocation.disable_new_allocation', anything],
  ['routing.allocation.disable_replica_allocation', anything],
  ['routing.allocation.enable', anything],
  ['routing.allocation.exclude.*', anything],
  ['routing.allocation.include.*', anything],
  ['routing.allocation.require.*', anything],
  ['routing.allocation.total_shards_per_node', integer],
  ['search.slowlog.level', anything],
  ['search.slowlog.reformat', anything],
  ['search.slowlog.threshold.fetch.debug', time],
  ['search.slowlog.threshold.fetch.info', time],
  ['search.slowlog.threshold.fetch.trace', time],
  ['search.slowlog.threshold.fetch.warn', time],
  ['search.slowlog.threshold.query.debug', time],
  ['search.slowlog.threshold.query.info', time],
  ['search.slowlog.threshold.query.trace', time],
  ['search.slowlog.threshold.query.warn', time],
  ['shared_filesystem.recover_on_any_node', anything],
  ['store.throttle.max_bytes_per_sec', bytes],
  ['store.throttle.type', anything],
  ['translog.disable_flush', anything],
  ['translog.flush_threshold_ops', integer],
  ['translog.flush_threshold_period', time],
  ['translog.flush_threshold_size', bytes],
  ['translog.fs.type', anything],
  ['translog.interval', time],
  ['ttl.disable_purge', anything],
  ['unassigned.node_left.delayed_timeout', time],
  ['version_map_size', memorySize],
  ['warmer.enabled', anything],
]);

/** The names of all of them, without the prefix `index.`. */
export const DYNAMIC_NAMES: readonly string[] = [...DYNAMIC_SETTINGS.keys()];

/** Settings that are fixed when an index is created, and whose values count. */
const FIXED_SETTINGS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['index.creation_date', wholeNumber],
  ['index.version.created', integer],
]);

function checkOf(key: string): Check | undefined {
  const name = key.slice('index.'.length);
  const exact = DYNAMIC_SETTINGS.get(name);
  if (exact !== undefined) return exact;
  const lastDot = name.lastIndexOf('.');
  return lastDot < 0 ? undefined : DYNAMIC_SETTINGS.get(`${name.slice(0, lastDot)}.*`);
}

/** Whether a setting, named with the prefix `index.`, can change while the index is open. */
export function isDynamicSetting(key: string): boolean {
  return checkOf(key) !== undefined;
}

/** What is wrong with a value of a dynamic setting, or null. */
export function settingProblem(key: string, value: string): string | null {
  return checkOf(key)?.(key, value) ?? null;
}

/**
 * What is wrong with the settings that an index is to have, by setting; those that nobody here reads may have
 * any value. The reference creates such an index and then cannot start its shards, or does with a default.
 */
export function settingProblems(
  settings: ReadonlyMap<string, string | readonly string[]>,
): readonly string[] {
  const problems: string[] = [];
  for (const [key, value] of settings) {
    const problem = problemOf(key, value);
    if (problem !== null) problems.push(`[${key}] - ${problem}`);
  }
  return problems;
}

function problemOf(key: string, value: string | readonly string[]): string | null {
  if (typeof value === 'string') {
    const listed = /^(.*)\.\d+$/.exec(key)?.[1];
    if (listed !== undefined && hasOneValue(listed)) return 'a single value is expected';
    return settingProblem(key, value) ?? FIXED_SETTINGS.get(key)?.(key, value) ?? null;
  }
  return hasOneValue(key) ? 'a single value is expected' : null;
}

/** Whether a setting is read as one value of a certain kind, so that a list of them would not be seen. */
function hasOneValue(key: string): boolean {
  const check = checkOf(key) ?? FIXED_SETTINGS.get(key);
  return check !== undefined && check !== anything;
}
