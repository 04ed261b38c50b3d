// The options of metadata fields (`_all`, `_source`, `_routing`, ...): read, printed and merged.
//
// Behaviour as on the reference server. Each is kept as the JSON that GET prints, which
// holds only what was said; unknown options are dropped.

import { classCast, isJsonObject, type JsonObject } from '../../json/index';
import { NUMERIC_DEFAULTS } from '../types/numeric-options';
import { optionNode, type MappingContext, type OptionNode } from '../types/options';
import { parseCommon } from '../types/parse-options';
import { META_FIELDS } from './meta-kinds';
import { NOTHING } from './meta-options';

/** Fields that read the options of ordinary fields, and whether they keep those of fielddata. */
const LIKE_FIELDS: ReadonlyMap<string, boolean> = new Map([
  ['_all', false],
  ['_id', true],
  ['_type', false],
  ['_routing', false],
  ['_timestamp', true],
  ['_ttl', false],
  ['_index', true],
  ['_boost', true],
  ['_field_names', false],
]);

/** Options of metadata fields by name; those that say nothing are missing. */
export type MetaOptions = ReadonlyMap<string, JsonObject>;

/** Whether a root option of a type is a metadata field. */
export function isMetaField(name: string): boolean {
  return META_FIELDS.has(name);
}

/**
 * Reads the metadata fields among the root options of a type.
 *
 * @throws EngineError
 */
export function readMetaFields(node: OptionNode, context: MappingContext): MetaOptions {
  const result = new Map<string, JsonObject>();
  for (const [name, field] of META_FIELDS) {
    const body = node.get(name);
    if (body === undefined) continue;
    if (!isJsonObject(body)) throw classCast(body, 'java.util.Map');
    const own = optionNode(body);
    const options = field.read(own, context);
    if (LIKE_FIELDS.has(name)) {
      const shared = new Map([...own].filter(([option]) => option !== 'path'));
      const { fielddata } = parseCommon(name, shared, context, () => NUMERIC_DEFAULTS);
      if (fielddata !== null && LIKE_FIELDS.get(name) === true) options.set('fielddata', fielddata);
    }
    if (options.size > 0) result.set(name, options);
  }
  return requireRouting(result);
}

/** Children are found through their parent, so they need a routing value. */
function requireRouting(options: Map<string, JsonObject>): MetaOptions {
  if (!options.has('_parent')) return options;
  const routing = new Map(options.get('_routing') ?? []);
  routing.set('required', true);
  options.set('_routing', routing);
  return new Map([...META_FIELDS.keys()].flatMap((name) => entry(options, name)));
}

function entry(options: MetaOptions, name: string): [string, JsonObject][] {
  const value = options.get(name);
  return value === undefined ? [] : [[name, value]];
}

/** The options after a put mapping. */
export function mergeMetaFields(
  current: MetaOptions,
  next: MetaOptions,
  conflicts: string[],
): MetaOptions {
  const merged = new Map<string, JsonObject>();
  for (const [name, field] of META_FIELDS) {
    const before = current.get(name) ?? NOTHING;
    const after = next.get(name) ?? NOTHING;
    const options = field.merge(before, after, conflicts) ?? before;
    if (options.size > 0) merged.set(name, options);
  }
  return merged;
}
