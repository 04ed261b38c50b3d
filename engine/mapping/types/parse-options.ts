// Reading the options that all field types share.

import { EngineError } from '../../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  javaClass,
  javaText,
  mapperParsing,
  optionBoolean,
  optionFloat,
  underscoreCase,
} from '../../json/index';
import type { IndexOptions } from '../fields/field-sink';
import type { FieldMapping } from './field-mapping';
import {
  optionNode,
  optionText,
  TERM_VECTORS,
  unsaidNorms,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TermVector,
  type TypeDefaults,
} from './options';

/**
 * Reads the shared options.
 *
 * @param defaults the type's defaults for a field that is indexed like this
 * @throws EngineError MapperParsingException, ElasticsearchParseException, NumberFormatException
 */
export function parseCommon(
  name: string,
  node: OptionNode,
  context: MappingContext,
  defaults: (indexed: boolean, tokenized: boolean) => TypeDefaults,
): CommonOptions {
  for (const option of ANALYZER_OPTIONS) {
    const analyzer = optionText(node, option);
    if (analyzer !== undefined) requireAnalyzer(analyzer, name, context);
  }
  const { indexed, tokenized } = parseIndex(name, node, defaults(true, true));
  const basis = defaults(indexed, tokenized);
  const boost = node.has('boost') ? optionFloat(node.get('boost') ?? null) : 1;
  const norms = parseNorms(node);
  const fielddata = parseFielddata(node);
  requireNoOldOption(node);
  const similarity = optionText(node, 'similarity');
  const docValuesAsked =
    optionBoolean(node.get('doc_values') ?? false) || fielddata?.get('format') === 'doc_values';
  return {
    indexName: indexNameOf(name, node),
    indexed,
    tokenized,
    store: parseStore(node),
    boost,
    docValues: docValuesAsked,
    termVector: parseTermVector(name, node),
    omitNorms: norms.omit ?? unsaidNorms(basis, boost),
    normsLoading: norms.loading,
    indexOptions: parseIndexOptions(node) ?? basis.indexOptions,
    similarity: similarity !== undefined && context.hasSimilarity(similarity) ? similarity : null,
    fielddata,
    postingsFormat: formatName(node, 'postings_format'),
    docValuesFormat: formatName(node, 'doc_values_format'),
    includeInAll:
      basis.inAll && node.has('include_in_all')
        ? optionBoolean(node.get('include_in_all') ?? null)
        : null,
    copyTo: parseCopyTo(node),
    subFields: basis.subFields ? parseSubFields(name, node, context) : new Map(),
    subFieldsJustName: basis.subFields && parseJustName(name, node),
  };
}

/** Checked for all types, whether they analyze anything or not. */
const ANALYZER_OPTIONS = ['analyzer', 'index_analyzer', 'search_analyzer'];

/** @throws EngineError MapperParsingException when the index does not know the analyzer */
export function requireAnalyzer(analyzer: string, field: string, context: MappingContext): void {
  if (analyzer === 'default' || context.hasAnalyzer(analyzer)) return;
  throw mapperParsing(`Analyzer [${analyzer}] not found for field [${field}]`);
}

function parseIndex(
  name: string,
  node: OptionNode,
  { indexed, tokenized }: TypeDefaults,
): { indexed: boolean; tokenized: boolean } {
  const tokenizedOption = node.get('tokenized');
  const basic = {
    indexed,
    tokenized: tokenizedOption === undefined ? tokenized : optionBoolean(tokenizedOption),
  };
  const value = node.get('index');
  if (value === undefined) return basic;
  const text = underscoreCase(javaText(value));
  switch (text) {
    case 'no':
      return { ...basic, indexed: false };
    case 'not_analyzed':
      return { indexed: true, tokenized: false };
    case 'analyzed':
      return { indexed: true, tokenized: true };
    default:
      throw mapperParsing(`Wrong value for index [${text}] for field [${name}]`);
  }
}

function parseStore(node: OptionNode): boolean {
  const value = node.get('store');
  if (value === undefined) return false;
  return javaText(value) !== 'no' && optionBoolean(value);
}

function requireNoOldOption(node: OptionNode): void {
  const value = node.get('omit_term_freq_and_positions');
  if (value === undefined) return;
  const instead = optionBoolean(value) ? 'DOCS_ONLY' : 'DOCS_AND_FREQS_AND_POSITIONS';
  throw new EngineError(
    'ElasticsearchParseException',
    `'omit_term_freq_and_positions' is not supported anymore - use ['index_options' : '${instead}']  instead`,
  );
}

/** The old switches of term vectors, as the names of what `term_vector` asks for with each. */
const VECTOR_SWITCHES: readonly (readonly [option: string, detail: string])[] = [
  ['store_term_vectors', ''],
  ['store_term_vector_positions', '_positions'],
  ['store_term_vector_offsets', '_offsets'],
  ['store_term_vector_payloads', '_payloads'],
];

function parseTermVector(name: string, node: OptionNode): TermVector {
  const text = optionText(node, 'term_vector');
  const chosen = TERM_VECTORS.find((choice) => choice === underscoreCase(text ?? 'no'));
  if (chosen === undefined) {
    throw mapperParsing(`Wrong value for termVector [${text ?? ''}] for field [${name}]`);
  }
  if (!VECTOR_SWITCHES.some(([option]) => node.has(option))) return chosen;
  let stored = chosen !== 'no';
  let details = '';
  for (const [option, detail] of VECTOR_SWITCHES) {
    const value = node.get(option);
    const asked =
      value === undefined ? detail !== '' && chosen.includes(detail) : optionBoolean(value);
    if (value !== undefined && asked) stored = true;
    if (asked) details += detail;
  }
  if (!stored) return 'no';
  // Payloads are those of positions or offsets; alone they say nothing.
  const kind = details === '' || details === '_payloads' ? 'yes' : `with${details}`;
  return TERM_VECTORS.find((choice) => choice === kind) ?? 'yes';
}

function parseNorms(node: OptionNode): { omit: boolean | null; loading: string | null } {
  let omit = node.has('omit_norms') ? optionBoolean(node.get('omit_norms') ?? null) : null;
  const norms = node.get('norms');
  if (norms === undefined) return { omit, loading: null };
  if (!isJsonObject(norms)) {
    throw new EngineError(
      'ElasticsearchParseException',
      `norms should be a hash but was of type: class ${javaClass(norms)}`,
    );
  }
  const options = optionNode(norms);
  if (options.has('enabled')) omit = !optionBoolean(options.get('enabled') ?? null);
  const loading = optionText(options, 'loading') ?? null;
  if (loading !== null && loading !== 'lazy' && loading !== 'eager') {
    throw mapperParsing(`Unknown [loading] value: [${loading}]`);
  }
  return { omit, loading };
}

function parseIndexOptions(node: OptionNode): IndexOptions | null {
  const text = optionText(node, 'index_options');
  switch (text) {
    case undefined:
      return null;
    case 'docs':
    case 'freqs':
    case 'positions':
    case 'offsets':
      return text;
    default:
      throw new EngineError(
        'ElasticsearchParseException',
        `Failed to parse index option [${text}]`,
      );
  }
}

function parseFielddata(node: OptionNode): JsonObject | null {
  const value = node.get('fielddata');
  if (value === undefined) return null;
  if (isJsonObject(value)) return flattened(value);
  throw new EngineError(
    'ElasticsearchParseException',
    `fielddata should be a hash but was of type: class ${javaClass(value)}`,
  );
}

/** Nested settings as one level of texts: `filter.frequency.min`. */
function flattened(settings: JsonObject): JsonObject {
  const out: JsonObject = new Map();
  const add = (name: string, value: JsonValue): void => {
    const members = Array.isArray(value) ? value.entries() : isJsonObject(value) ? value : null;
    if (members === null) out.set(name, javaText(value));
    else for (const [key, member] of members) add(`${name}.${key}`, member);
  };
  for (const [name, value] of settings) add(name, value);
  return out;
}

/** Formats of files that the reference has; here there is one format. */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'postings_format',
    ['default', 'Lucene40', 'Lucene41', 'es090', 'completion090', 'XBloomFilter'],
  ],
  ['doc_values_format', ['default', 'Lucene42', 'Lucene45', 'Lucene49', 'Lucene410']],
]);

function formatName(node: OptionNode, option: string): string | null {
  const name = optionText(node, option);
  if (name === undefined || FORMATS.get(option)?.includes(name) === true) return name ?? null;
  throw new EngineError(
    'ElasticsearchIllegalArgumentException',
    `failed to find ${option} [${name}]`,
  );
}

function parseCopyTo(node: OptionNode): string[] {
  const value = node.get('copy_to');
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(javaText) : [javaText(value)];
}

function indexNameOf(name: string, node: OptionNode): string | null {
  const indexName = optionText(node, 'index_name');
  return indexName === undefined || indexName === name ? null : indexName;
}

/** `path` of a field with sub-fields. */
export function parseJustName(name: string, node: OptionNode): boolean {
  const path = optionText(node, 'path');
  if (path === undefined || path === 'full') return false;
  if (path === 'just_name' || path === 'justName') return true;
  throw mapperParsing(`Wrong value for pathType [${path}] for object [${name}]`);
}

/** Reads `fields`. Sub-fields do not say whether they go into `_all`: they never do. */
function parseSubFields(
  name: string,
  node: OptionNode,
  context: MappingContext,
): Map<string, FieldMapping> {
  const fields = node.get('fields');
  const result = new Map<string, FieldMapping>();
  if (fields === undefined) return result;
  if (Array.isArray(fields)) {
    if (fields.length === 0) return result;
    throw mapperParsing(
      `Expected map for property [fields] on field [${javaText(fields)}] or [fields] but got a class ${javaClass(fields)}`,
    );
  }
  if (!isJsonObject(fields)) {
    throw mapperParsing(
      `Expected map for property [fields] on field [${name}] but got a class ${javaClass(fields)}`,
    );
  }
  for (const [subName, body] of fields) {
    if (!isJsonObject(body)) {
      throw mapperParsing(`Illegal field [${subName}], only fields can be specified inside fields`);
    }
    const options = optionNode(body);
    const type = options.get('type');
    if (type === undefined || type === null) {
      throw mapperParsing(`No type specified for property [${subName}]`);
    }
    const sub = context.parseField(subName, options);
    result.set(subName, sub.withIncludeInAll(null));
  }
  return result;
}
