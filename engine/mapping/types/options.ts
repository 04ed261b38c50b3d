// The options that all field types share: how they are read from a mapping, printed and merged.
//
// Behaviour as on the reference server. Options equal to their default are not printed, unknown
// ones are dropped. `index` is two facts, whether a field is searchable and whether it is analyzed: a
// string with `index: no` still counts as analyzed when mappings are merged.

import {
  Float,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  formatFloat,
  javaText,
  mapperParsing,
  underscoreCase,
} from '../../json/index';
import type { IndexOptions } from '../fields/field-sink';
import type { FieldMapping } from './field-mapping';

/** Options of one field or type, by name in snake case. */
export type OptionNode = ReadonlyMap<string, JsonValue>;

/** What reading a mapping needs to know of the index. */
export interface MappingContext {
  /** True when the index knows an analyzer of this name. */
  hasAnalyzer(name: string): boolean;
  /** True when the index knows a similarity of this name. */
  hasSimilarity(name: string): boolean;
  /** Reads a field other than an object. @throws EngineError for unknown types and bad options */
  parseField(name: string, node: OptionNode): FieldMapping;
  /** A mapping that was accepted before, perhaps by an older version, is read once more. */
  readonly isStored: boolean;
}

/** Choices of `term_vector`. */
export const TERM_VECTORS = [
  'no',
  'yes',
  'with_offsets',
  'with_positions',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
] as const;
/** Values of `term_vector`. */
export type TermVector = (typeof TERM_VECTORS)[number];

/** What a field type takes for granted. */
export interface TypeDefaults {
  readonly indexed: boolean;
  readonly tokenized: boolean;
  readonly omitNorms: boolean;
  /** A boost other than 1 is kept in norms, which are then not omitted. */
  readonly boostNeedsNorms: boolean;
  readonly indexOptions: IndexOptions;
  /** False for types whose values never go into `_all`. */
  readonly inAll: boolean;
  /** False for types without sub-fields. */
  readonly subFields: boolean;
}

/** The shared options of a field, complete. */
export interface CommonOptions {
  /** Null: the field's own name. */
  readonly indexName: string | null;
  readonly indexed: boolean;
  readonly tokenized: boolean;
  readonly store: boolean;
  readonly boost: number;
  readonly docValues: boolean;
  readonly termVector: TermVector;
  readonly omitNorms: boolean;
  readonly normsLoading: string | null;
  readonly indexOptions: IndexOptions;
  readonly similarity: string | null;
  readonly fielddata: JsonObject | null;
  readonly postingsFormat: string | null;
  readonly docValuesFormat: string | null;
  /** Null: not said. */
  readonly includeInAll: boolean | null;
  readonly copyTo: readonly string[];
  readonly subFields: ReadonlyMap<string, FieldMapping>;
  /** Sub-fields are indexed under their bare name (`path: just_name`). */
  readonly subFieldsJustName: boolean;
}

/** A JSON object as options: names in snake case, of names that then coincide the last counts. */
export function optionNode(node: JsonObject): OptionNode {
  const options = new Map<string, JsonValue>();
  for (const [name, value] of node) options.set(underscoreCase(name), value);
  return options;
}

/** An option's text, or undefined when it is not given. */
export function optionText(node: OptionNode, name: string): string | undefined {
  const value = node.get(name);
  return value === undefined ? undefined : javaText(value);
}

/** A `null_value`, which must not be null. */
export function nullValueOption(node: OptionNode): Exclude<JsonValue, null> | undefined {
  const value = node.get('null_value');
  if (value === null) throw mapperParsing('Property [null_value] cannot be null.');
  return value;
}

/** Whether norms are omitted when the mapping does not say. */
export function unsaidNorms({ omitNorms, boostNeedsNorms }: TypeDefaults, boost: number): boolean {
  return omitNorms && !(boostNeedsNorms && boost !== 1);
}

/** Writes the shared options that differ from the type's defaults. */
export function renderCommon(
  out: JsonObject,
  options: CommonOptions,
  fresh: TypeDefaults,
  defaults: TypeDefaults,
): void {
  const { indexed, tokenized } = options;
  if (options.indexName !== null) out.set('index_name', options.indexName);
  if (options.boost !== 1) out.set('boost', floatNumber(options.boost));
  if (indexed !== fresh.indexed || tokenized !== fresh.tokenized) {
    out.set('index', !indexed ? 'no' : tokenized ? 'analyzed' : 'not_analyzed');
  }
  if (options.store) out.set('store', true);
  if (options.docValues) out.set('doc_values', true);
  if (options.termVector !== 'no') out.set('term_vector', options.termVector);
  const norms: JsonObject = new Map();
  const { omitNorms } = options;
  if (omitNorms !== defaults.omitNorms || omitNorms !== unsaidNorms(defaults, options.boost)) {
    norms.set('enabled', !omitNorms);
  }
  if (options.normsLoading !== null) norms.set('loading', options.normsLoading);
  if (norms.size > 0) out.set('norms', norms);
  if (indexed && options.indexOptions !== defaults.indexOptions) {
    out.set('index_options', options.indexOptions);
  }
  if (options.postingsFormat !== null) out.set('postings_format', options.postingsFormat);
  if (options.docValuesFormat !== null) out.set('doc_values_format', options.docValuesFormat);
  if (options.similarity !== null) out.set('similarity', options.similarity);
  if (options.fielddata !== null) out.set('fielddata', options.fielddata);
  if (options.subFieldsJustName) out.set('path', 'just_name');
  if (options.subFields.size > 0) {
    out.set('fields', new Map([...options.subFields].map(([name, sub]) => [name, sub.render()])));
  }
  if (options.copyTo.length > 0) out.set('copy_to', [...options.copyTo]);
}

/** A float as mappings print it. */
export function floatNumber(value: number): JsonValue {
  const text = formatFloat(new Float(value).value);
  return text.startsWith('"') ? text.slice(1, -1) : new JsonNumber(text);
}

/**
 * Merges the shared options of a field. What cannot change is reported in `conflicts`.
 *
 * @param analyzers names of the analyzers that index the current and the new field
 */
export function mergeCommon(
  path: string,
  current: CommonOptions,
  next: CommonOptions,
  analyzers: readonly [string | null, string | null],
  conflicts: string[],
): CommonOptions {
  const differs = (what: string): void => {
    conflicts.push(`mapper [${path}] has different ${what}`);
  };
  if (current.indexed !== next.indexed || current.tokenized !== next.tokenized) {
    differs('index values');
  }
  if (current.store !== next.store) differs('store values');
  if (!current.docValues && next.docValues) differs('doc_values values');
  if (current.omitNorms && !next.omitNorms) {
    conflicts.push(`mapper [${path}] cannot enable norms (\`norms.enabled\`)`);
  }
  if (current.tokenized !== next.tokenized) differs('tokenize values');
  if ((current.termVector === 'no') !== (next.termVector === 'no')) {
    differs('store_term_vector values');
  }
  for (const detail of ['offsets', 'positions', 'payloads']) {
    if (current.termVector.includes(detail) !== next.termVector.includes(detail)) {
      differs(`store_term_vector_${detail} values`);
    }
  }
  if (analyzers[0] !== analyzers[1]) differs('index_analyzer');
  if (current.indexName !== next.indexName) differs('index_name');
  if (current.similarity !== next.similarity) differs('similarity');
  const subFields = mergeSubFields(path, current.subFields, next.subFields, conflicts);
  return {
    ...current,
    boost: next.boost,
    omitNorms: current.omitNorms || next.omitNorms,
    normsLoading: next.normsLoading,
    fielddata: next.fielddata ?? current.fielddata,
    postingsFormat: next.postingsFormat ?? current.postingsFormat,
    docValuesFormat: next.docValuesFormat ?? current.docValuesFormat,
    includeInAll: next.includeInAll,
    copyTo: next.copyTo,
    subFields,
  };
}

function mergeSubFields(
  path: string,
  current: ReadonlyMap<string, FieldMapping>,
  next: ReadonlyMap<string, FieldMapping>,
  conflicts: string[],
): ReadonlyMap<string, FieldMapping> {
  if (next.size === 0) return current;
  const merged = new Map(current);
  for (const [name, sub] of next) {
    const known = current.get(name);
    merged.set(name, known ? known.merge(sub, `${path}.${name}`, conflicts) : sub);
  }
  return merged;
}
