// The names of index settings that somebody reads: this engine, or the reference. Requests may give an index
// any other as well, as there; a default of new indices that nobody reads is a slip of the operator.

import { nearest } from '../common/index';
import { DYNAMIC_NAMES } from './dynamic-settings';

/** Settings that are fixed when an index is created, without the prefix `index.`. */
const FIXED = `
number_of_shards codec codec.bloom.load codec.doc_values_format.* codec.postings_format.* data_path
cache.field.expire cache.field.max_size cache.field.type cache.filter.expire cache.filter.max_size
cache.filter.type concurrency fielddata.cache gateway.local.sync gateway.type index_concurrency
legacy.routing.hash.type legacy.routing.use_type load_fixed_bitset_filters_eagerly mapper.default_mapping_location
mapper.default_percolator_mapping_location mapper.dynamic mapping.allow_type_wrapper mapping.coerce
mapping.date.round_ceil mapping.ignore_malformed mapping.nested_fields.limit merge.async merge.async_interval
merge.force_async_merge merge.policy.calibrate_size_by_deletes merge.policy.type merge.policy.use_compound_file
merge.scheduler.type norms.loading optimize_auto_generated_id percolator.map_unmapped_fields_as_string
query.default_field query.parse.allow_unmapped_fields search.highlight.term_vector_multi_value shadow_replicas
shard.check_on_startup shared_filesystem store.fs.* store.fs.fs_lock store.fs.memory.enabled store.stats_refresh_interval
store.type term_index_divisor term_index_interval translog.fs.buffer_size translog.fs.transient_buffer_size
translog.sync_interval use_compound_file
`
  .trim()
  .split(/\s+/);

/** Everything below these is named by the operator. */
const OPEN = ['analysis', 'similarity'];

/** Names of which the last part is. */
const FAMILIES = DYNAMIC_NAMES.concat(FIXED).flatMap((name) =>
  name.endsWith('.*') ? [name.slice(0, -2)] : [],
);

const KNOWN: ReadonlySet<string> = new Set(FIXED.concat(DYNAMIC_NAMES));

/** All names with their prefix `index.`; `*` stands for a last part of any name, `**` for several. */
export function knownIndexSettings(): readonly string[] {
  return [...KNOWN].concat(OPEN.map((name) => `${name}.**`)).map((name) => `index.${name}`);
}

/** Whether somebody reads a setting, named with the prefix `index.`. */
export function isKnownIndexSetting(key: string): boolean {
  const name = key.slice('index.'.length);
  if (KNOWN.has(name) || OPEN.some((open) => name.startsWith(`${open}.`))) return true;
  const lastDot = name.lastIndexOf('.');
  return lastDot > 0 && KNOWN.has(`${name.slice(0, lastDot)}.*`);
}

/** The last part of some names is the operator's. */
function nearestName(name: string): string | null {
  const lastDot = name.lastIndexOf('.');
  const family = lastDot < 0 ? null : nearest(name.slice(0, lastDot), FAMILIES);
  return family === null ? nearest(name, KNOWN) : family + name.slice(lastDot);
}

/** What was probably meant by the name of a setting that nobody reads; null: nothing is near. */
export function nearestIndexSetting(key: string): string | null {
  const name = key.slice('index.'.length);
  const [first = '', ...rest] = name.split('.');
  const open = rest.length === 0 ? null : nearest(first, OPEN);
  const found = open === null ? nearestName(name) : [open, ...rest].join('.');
  return found === null ? null : `index.${found}`;
}
