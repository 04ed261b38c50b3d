// The options of metadata fields (`_all`, `_source`, `_routing`, ...): read, printed and merged.
//
// Behaviour as on the reference server. Each is kept as the JSON that GET prints, which
// holds only what was said; unknown options are dropped.

import { EngineError } from '../../errors';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  classCast,
  javaText,
  mapperParsing,
  optionBoolean,
  optionFloat,
  underscoreCase,
} from '../../json/index';
import { DEFAULT_DATE_FORMAT, dateFormat } from '../dates/date-format';
import { parseTimeValue } from '../../common/index';
import { NUMERIC_DEFAULTS } from '../types/numeric-options';
import { floatNumber, optionNode, type MappingContext, type OptionNode } from '../types/options';
import { parseCommon } from '../types/parse-options';

interface MetaField {
  readonly name: string;
  /** Canonical options. @throws EngineError */
  read(node: OptionNode, context: MappingContext): JsonObject;
  /** The options after a put; null: the current ones stay. Both are empty when nothing was said. */
  merge(current: JsonObject, next: JsonObject, conflicts: string[]): JsonObject | null;
}

const NOTHING: JsonObject = new Map();

/** Collects canonical options from a node. */
class Options {
  readonly out: JsonObject = new Map<string, JsonValue>();

  constructor(private readonly node: OptionNode) {}

  /** Keeps a boolean when it was said. */
  said(name: string): this {
    const value = this.node.get(name);
    if (value !== undefined) this.out.set(name, optionBoolean(value));
    return this;
  }

  /** Keeps a boolean when it differs from its default. */
  unless(name: string, standard: boolean): this {
    const value = this.node.get(name);
    if (value === undefined) return this;
    const flag = name === 'store' && javaText(value) === 'no' ? false : optionBoolean(value);
    if (flag !== standard) this.out.set(name, flag);
    return this;
  }

  /** Keeps a text that differs from its default. */
  text(name: string, standard?: string): this {
    const value = this.node.get(name);
    if (value !== undefined && value !== null && javaText(value) !== standard) {
      this.out.set(name, javaText(value));
    }
    return this;
  }

  /** Keeps one of some values of `index`. */
  index(...kept: readonly string[]): this {
    const value = this.node.get('index');
    if (value !== undefined && kept.includes(underscoreCase(javaText(value)))) {
      this.out.set('index', underscoreCase(javaText(value)));
    }
    return this;
  }

  analyzers(context: MappingContext, field: string): this {
    const name = (option: string): string | null => {
      const value = this.node.get(option) ?? this.node.get('analyzer');
      if (value === undefined || value === null) return null;
      const text = javaText(value);
      if (text === 'default') return null;
      if (context.hasAnalyzer(text)) return text;
      throw mapperParsing(`Analyzer [${text}] not found for field [${field}]`);
    };
    const index = name('index_analyzer');
    const search = name('search_analyzer');
    if (index !== null && index === search) this.out.set('analyzer', index);
    else {
      if (index !== null) this.out.set('index_analyzer', index);
      if (search !== null) this.out.set('search_analyzer', search);
    }
    return this;
  }
}

const keep = (): null => null;

/** Takes over what the next declaration says, option by option. */
function override(current: JsonObject, next: JsonObject): JsonObject {
  return new Map([...current, ...next]);
}

function optionsOf(node: OptionNode, fill: (options: Options) => void): JsonObject {
  const options = new Options(node);
  fill(options);
  return options.out;
}

const ALL: MetaField = {
  name: '_all',
  read: (node, context) =>
    optionsOf(node, (options) => {
      options.said('enabled').unless('store', false).unless('omit_norms', false);
      options.unless('auto_boost', false).analyzers(context, '_all');
      const vectors = node.get('term_vector');
      const kinds = [
        'store_term_vectors',
        'store_term_vector_offsets',
        'store_term_vector_positions',
      ];
      for (const kind of kinds) options.unless(kind, false);
      if (vectors !== undefined && javaText(vectors) !== 'no') {
        options.out.set('store_term_vectors', true);
        for (const detail of ['offsets', 'positions']) {
          if (javaText(vectors).includes(detail))
            options.out.set(`store_term_vector_${detail}`, true);
        }
      }
      const similarity = node.get('similarity');
      if (similarity !== undefined && context.hasSimilarity(javaText(similarity))) {
        options.out.set('similarity', javaText(similarity));
      }
    }),
  merge: (current, next, conflicts) => {
    const enabled = current.get('enabled') ?? true;
    const wanted = next.get('enabled');
    if (wanted !== undefined && wanted !== enabled) {
      conflicts.push(
        `mapper [_all] enabled is ${javaText(enabled)} now encountering ${javaText(wanted)}`,
      );
    }
    const differs = (option: string, what: string): void => {
      if (javaText(current.get(option) ?? null) !== javaText(next.get(option) ?? null)) {
        conflicts.push(`mapper [_all] has different ${what}`);
      }
    };
    differs('store', 'store values');
    if (current.get('omit_norms') === true && next.get('omit_norms') !== true) {
      conflicts.push('mapper [_all] cannot enable norms (`norms.enabled`)');
    }
    differs('store_term_vectors', 'store_term_vector values');
    if (indexAnalyzerOf(current) !== indexAnalyzerOf(next)) {
      conflicts.push('mapper [_all] has different index_analyzer');
    }
    differs('similarity', 'similarity');
    return null;
  },
};

function indexAnalyzerOf(options: JsonObject): JsonValue {
  return options.get('index_analyzer') ?? options.get('analyzer') ?? null;
}

const SOURCE: MetaField = {
  name: '_source',
  read: (node) =>
    optionsOf(node, (options) => {
      options.unless('enabled', true);
      for (const option of ['includes', 'excludes']) {
        const list = node.get(option);
        if (list === undefined || list === null) continue;
        if (!Array.isArray(list)) throw classCast(list, 'java.util.List');
        options.out.set(option, list.map(javaText));
      }
      options.said('compress').text('compress_threshold');
      if (options.out.has('compress_threshold') && !options.out.has('compress')) {
        options.out.set('compress', true);
      }
      // compat: alone it is not kept.
      if (options.out.size > 0) options.text('format');
    }),
  merge: (current, next) => {
    const merged = override(current, next);
    if (current.has('enabled')) merged.set('enabled', false);
    else merged.delete('enabled');
    return merged;
  },
};

const ROUTING: MetaField = {
  name: '_routing',
  read: (node) =>
    optionsOf(node, (options) =>
      options.unless('store', true).index('no').unless('required', false).text('path'),
    ),
  merge: keep,
};

const PARENT: MetaField = {
  name: '_parent',
  read: (node) => {
    const type = node.get('type');
    if (type === undefined || type === null) {
      throw mapperParsing('Parent mapping must contain the parent type');
    }
    const out: JsonObject = new Map<string, JsonValue>([['type', javaText(type)]]);
    const fielddata = node.get('fielddata');
    if (isJsonObject(fielddata) && fielddata.size > 0) out.set('fielddata', fielddata);
    return out;
  },
  merge: (current, next, conflicts) => {
    if (current.get('type') !== next.get('type')) {
      conflicts.push("The _parent field's type option can't be changed");
    }
    return next.has('fielddata') ? override(current, next) : null;
  },
};

const TIMESTAMP: MetaField = {
  name: '_timestamp',
  read: (node) =>
    optionsOf(node, (options) => {
      options.said('enabled').unless('store', false).index('no').unless('doc_values', false);
      options.text('path').text('format', DEFAULT_DATE_FORMAT);
      const format = options.out.get('format');
      if (typeof format === 'string') dateFormat(format);
      const standard = node.get('default');
      if (standard === null) throw badTimestamp('default timestamp can not be set to null');
      options.said('ignore_missing').text('default', 'now');
      if (options.out.get('ignore_missing') === false && options.out.has('default')) {
        throw badTimestamp('default timestamp can not be set with ignore_missing set to false');
      }
      // compat: alone it is not kept.
      if (options.out.size === 1) options.out.delete('ignore_missing');
    }),
  merge: (current, next, conflicts) => {
    const merged = override(current, next);
    if (!next.has('format')) merged.delete('format');
    const missing = current.get('ignore_missing');
    if (missing === undefined) merged.delete('ignore_missing');
    else merged.set('ignore_missing', missing);
    if (next.size === 0) return merged;
    const text = (options: JsonObject, name: string, otherwise: string): string =>
      javaText(options.get(name) ?? otherwise);
    for (const [option, what] of [
      ['store', 'store values'],
      ['index', 'index values'],
    ] as const) {
      if (text(current, option, '') !== text(next, option, '')) {
        conflicts.push(`mapper [_timestamp] has different ${what}`);
      }
    }
    const [before, after] = [text(current, 'default', 'now'), text(next, 'default', 'now')];
    if (before !== after) {
      conflicts.push(
        `Cannot update default in _timestamp value. Value is ${before} now encountering ${after}`,
      );
    }
    const path = current.get('path') ?? null;
    const wanted = next.get('path') ?? null;
    if (path !== wanted) {
      const newPath = path === null || wanted === null ? 'missing' : javaText(wanted);
      conflicts.push(
        `Cannot update path in _timestamp value. Value is ${javaText(path)} path in merged mapping is ${newPath}`,
      );
    }
    return merged;
  },
};

function badTimestamp(what: string): EngineError {
  return new EngineError('TimestampParsingException', `failed to parse timestamp [${what}]`);
}

const TTL: MetaField = {
  name: '_ttl',
  read: (node) =>
    optionsOf(node, (options) => {
      options.said('enabled');
      const standard = node.get('default') ?? null;
      if (standard === null) return;
      const millis = parseTimeValue(javaText(standard));
      // Without `enabled` a default counts for nothing.
      if (options.out.get('enabled') === true) {
        options.out.set('default', new JsonNumber(String(millis)));
      }
    }),
  merge: (current, next, conflicts) => {
    if (current.get('enabled') === true && next.get('enabled') === false) {
      conflicts.push('_ttl cannot be disabled once it was enabled.');
    }
    return override(current, next);
  },
};

const ID: MetaField = {
  name: '_id',
  read: (node) =>
    optionsOf(node, (options) =>
      options.unless('store', false).index('not_analyzed', 'analyzed').text('path'),
    ),
  merge: keep,
};

const TYPE: MetaField = {
  name: '_type',
  read: (node) => optionsOf(node, (options) => options.unless('store', false).index('no')),
  merge: keep,
};

const UID: MetaField = { name: '_uid', read: () => NOTHING, merge: keep };

const switched = (name: string): MetaField => ({
  name,
  read: (node) => optionsOf(node, (options) => options.said('enabled').unless('store', false)),
  // Only whether it is enabled can change.
  merge: (current, next) => {
    const enabled = next.get('enabled');
    return enabled === undefined ? null : override(current, new Map([['enabled', enabled]]));
  },
});

const FIELD_NAMES: MetaField = {
  name: '_field_names',
  read: (node) =>
    optionsOf(node, (options) => {
      options.said('enabled').index('no');
      if (options.out.has('index')) options.out.set('enabled', false);
    }),
  merge: override,
};

const BOOST: MetaField = {
  name: '_boost',
  read: (node) =>
    optionsOf(node, (options) => {
      options.text('name', '_boost').index('not_analyzed', 'analyzed').unless('store', false);
      const nullValue = node.get('null_value');
      if (nullValue !== undefined) {
        options.out.set('null_value', floatNumber(optionFloat(nullValue)));
      }
    }),
  merge: (current, next) => (current.size === 0 && next.has('name') ? next : null),
};

const ANALYZER: MetaField = {
  name: '_analyzer',
  read: (node) => optionsOf(node, (options) => options.text('path', '_analyzer')),
  merge: keep,
};

const VERSION: MetaField = {
  name: '_version',
  read: (node) => optionsOf(node, (options) => options.text('doc_values_format')),
  merge: keep,
};

/** In the order in which they are printed. */
const META_FIELDS: ReadonlyMap<string, MetaField> = new Map(
  [
    ALL,
    ANALYZER,
    BOOST,
    FIELD_NAMES,
    ID,
    switched('_index'),
    PARENT,
    ROUTING,
    switched('_size'),
    SOURCE,
    TIMESTAMP,
    TTL,
    TYPE,
    UID,
    VERSION,
  ].map((field) => [field.name, field]),
);

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
