// Each metadata field: which options it keeps, and which changes of them a put mapping may make.

import { EngineError } from '../../errors';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  classCast,
  javaText,
  mapperParsing,
  optionFloat,
} from '../../json/index';
import { parseTimeValue } from '../../common/index';
import { DEFAULT_DATE_FORMAT, dateFormat } from '../dates/date-format';
import { floatNumber } from '../types/options';
import { keep, NOTHING, optionsOf, override, type MetaField } from './meta-options';

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

/** By name, in the order in which they are printed. */
export const META_FIELDS: ReadonlyMap<string, MetaField> = new Map(
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
