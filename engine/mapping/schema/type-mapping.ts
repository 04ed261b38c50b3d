// The mapping of one type: its root object, the options of the root, and the metadata fields.

import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  classCast,
  javaText,
  mapperParsing,
  optionBoolean,
} from '../../json/index';
import { assertFewFormats, DEFAULT_DATE_FORMAT, dateFormat } from '../dates/date-format';
import {
  mergeDynamicTemplates,
  parseDynamicTemplates,
  type DynamicTemplate,
} from './dynamic-templates';
import { isMetaField, mergeMetaFields, readMetaFields, type MetaOptions } from './meta-fields';
import { ObjectMapping } from './object-mapping';
import { optionNode, type MappingContext, type OptionNode } from '../types/options';

/** Formats tried on strings of new fields, when the type names none. */
export const DYNAMIC_DATE_FORMATS: readonly string[] = [
  DEFAULT_DATE_FORMAT,
  'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd',
];

/** Members of the root that are read as those of an object. */
const OBJECT_OPTIONS = ['dynamic', 'enabled', 'include_in_all', 'properties'];

const ROOT_OPTIONS = new Set([
  ...OBJECT_OPTIONS,
  'date_detection',
  'numeric_detection',
  'date_formats',
  'dynamic_date_formats',
  'dynamic_templates',
  'analyzer',
  'index_analyzer',
  'search_analyzer',
  'search_quote_analyzer',
  'transform',
  '_meta',
]);

/** Names that a document's root may hold but no field can have: metadata fields look at them. */
const RESERVED = new Set(['_id', '_all', '_routing', '_parent', '_timestamp', '_ttl', '_boost']);

/** Options of a type apart from its properties and metadata fields. */
export interface RootOptions {
  readonly indexAnalyzer: string | null;
  readonly searchAnalyzer: string | null;
  readonly dateDetection: boolean;
  readonly numericDetection: boolean;
  /** Null: {@link DYNAMIC_DATE_FORMATS}. */
  readonly dynamicDateFormats: readonly string[] | null;
  readonly dynamicTemplates: readonly DynamicTemplate[];
  readonly transform: JsonValue | null;
  /** `_meta`: kept for clients. */
  readonly clientData: JsonObject | null;
}

/** A type's mapping. Immutable. */
export class TypeMapping {
  private constructor(
    readonly type: string,
    readonly root: ObjectMapping,
    readonly options: RootOptions,
    readonly meta: MetaOptions,
  ) {}

  /**
   * Reads the body of a type, without the name around it.
   *
   * @throws EngineError for unknown root options and everything that the reference refuses
   */
  static parse(type: string, body: JsonObject, context: MappingContext): TypeMapping {
    const node = optionNode(body);
    const rootNode = new Map([...node].filter(([name]) => OBJECT_OPTIONS.includes(name)));
    const parsed = ObjectMapping.parse(type, rootNode, context);
    const reserved = [...parsed.properties].filter(([name]) => !RESERVED.has(name));
    const root =
      reserved.length === parsed.properties.size
        ? parsed
        : parsed.withProperties(new Map(reserved));
    const options: RootOptions = {
      dateDetection: optionBoolean(node.get('date_detection') ?? true),
      numericDetection: optionBoolean(node.get('numeric_detection') ?? false),
      dynamicDateFormats: parseDateFormats(node),
      dynamicTemplates: parseDynamicTemplates(node.get('dynamic_templates') ?? []),
      indexAnalyzer: rootAnalyzer(type, node, 'index_analyzer', context),
      searchAnalyzer: rootAnalyzer(type, node, 'search_analyzer', context),
      transform: transformOf(node),
      clientData: clientData(node),
    };
    const meta = readMetaFields(node, context);
    const unknown = [...node].filter(([name]) => !ROOT_OPTIONS.has(name) && !isMetaField(name));
    if (unknown.length > 0) {
      const list = unknown.map(([name, value]) => ` [${name} : ${javaText(value)}]`).join('');
      throw mapperParsing(`Root type mapping not empty after parsing! Remaining fields:  ${list}`);
    }
    return new TypeMapping(type, root, options, meta);
  }

  /** The canonical mapping: what was said and differs from the defaults. */
  render(): JsonObject {
    const out: JsonObject = new Map<string, JsonValue>();
    const { options } = this;
    this.root.renderOptions(out);
    const { indexAnalyzer, searchAnalyzer } = options;
    if (indexAnalyzer !== null && indexAnalyzer === searchAnalyzer)
      out.set('analyzer', indexAnalyzer);
    else {
      if (indexAnalyzer !== null) out.set('index_analyzer', indexAnalyzer);
      if (searchAnalyzer !== null) out.set('search_analyzer', searchAnalyzer);
    }
    if (options.dynamicDateFormats)
      out.set('dynamic_date_formats', [...options.dynamicDateFormats]);
    if (options.dynamicTemplates.length > 0) {
      const templates = options.dynamicTemplates.map(({ name, body }) => new Map([[name, body]]));
      out.set('dynamic_templates', templates);
    }
    if (!options.dateDetection) out.set('date_detection', false);
    if (options.numericDetection) out.set('numeric_detection', true);
    if (options.clientData) out.set('_meta', options.clientData);
    if (options.transform !== null) out.set('transform', options.transform);
    for (const [name, value] of this.meta) out.set(name, value);
    out.set('properties', this.root.renderProperties());
    return out;
  }

  /** This mapping with a newer one merged in; `conflicts` receives what cannot be merged. */
  merge(next: TypeMapping, conflicts: string[]): TypeMapping {
    const root = this.root.merge(next.root, '', conflicts);
    const options: RootOptions = {
      ...this.options,
      dynamicTemplates: mergeDynamicTemplates(
        this.options.dynamicTemplates,
        next.options.dynamicTemplates,
      ),
      clientData: next.options.clientData,
    };
    const meta = mergeMetaFields(this.meta, next.meta, conflicts);
    return new TypeMapping(this.type, root, options, meta);
  }

  /** This mapping with the fields of an update merged in, and nothing else of it. */
  mergeFields(update: TypeMapping, conflicts: string[]): TypeMapping {
    const root = this.root.merge(update.root, '', conflicts);
    return new TypeMapping(this.type, root, this.options, this.meta);
  }

  /** An option of a metadata field. */
  metaOption(field: string, option: string): JsonValue | undefined {
    return this.meta.get(field)?.get(option);
  }
}

function parseDateFormats(node: OptionNode): string[] | null {
  const value = node.get('dynamic_date_formats') ?? node.get('date_formats') ?? null;
  // compat: `none` does not turn detection off, it stands for the defaults.
  if (value === null || value === 'none') return null;
  const formats = (Array.isArray(value) ? value : [value]).map(javaText);
  if (formats.length === 0) return null;
  assertFewFormats(formats);
  for (const format of formats) dateFormat(format);
  return formats;
}

function rootAnalyzer(
  type: string,
  node: OptionNode,
  option: string,
  context: MappingContext,
): string | null {
  const own = node.get(option) ?? null;
  const shared = node.get('analyzer') ?? null;
  const value = own ?? shared;
  if (value === null) return null;
  const name = javaText(value);
  if (name === 'default') return null;
  if (context.hasAnalyzer(name)) return name;
  const setting = own === null ? 'analyzer' : option;
  throw mapperParsing(`Analyzer [${name}] not found for ${setting} setting on root type [${type}]`);
}

function transformOf(node: OptionNode): JsonValue | null {
  const value = node.get('transform') ?? null;
  return Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value;
}

function clientData(node: OptionNode): JsonObject | null {
  const value = node.get('_meta');
  if (value === undefined || value === null) return null;
  if (!isJsonObject(value)) throw classCast(value, 'java.util.Map');
  return value.size === 0 ? null : value;
}
