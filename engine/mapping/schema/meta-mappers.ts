// Metadata fields as queries see them. They exist in every type, enabled or not, under ids of their own.

import { type JsonValue, JsonNumber, javaText, truncated } from '../../json/index';
import type { Analyzer } from '../../analysis/index';
import { dateFormat, DEFAULT_DATE_FORMAT, type DateFormat } from '../dates/date-format';
import { timeZone, UTC } from '../dates/time-zone';
import { parseDateMath } from '../dates/date-math';
import { META_FIELD, type IndexedField } from '../fields/field-sink';
import type { TypeMapping } from './type-mapping';
import type { QueryValue } from '../types/field-mapper';
import type { TypeSetup } from '../types/field-location';
import { compact, parseDouble, parseInt64 } from '../../common/index';
import type { FieldKind } from '../../metadata/index';
import type { MappedField, RangeBoundOptions } from '../fields/mapped-field';

/** A metadata field. */
class MetaMapper implements MappedField {
  readonly path: string;
  readonly indexName: string;
  readonly type = 'meta';
  readonly nestedPath = null;
  readonly boost = 1;
  readonly nullValue: JsonValue | undefined = undefined;
  readonly format: string | null = null;
  readonly similarity: string | null = null;
  readonly text = null;

  constructor(
    name: string,
    readonly docType: string,
    readonly field: IndexedField | null,
    readonly searchAnalyzer: Analyzer | null = null,
    readonly store: boolean = false,
  ) {
    this.path = name;
    this.indexName = name;
  }

  termOf(value: QueryValue): string | number | bigint {
    const text = value instanceof JsonNumber ? value.text : String(value);
    switch (this.field?.kind) {
      case 'long':
      case 'int':
        return compact(value instanceof JsonNumber ? truncated(value, 64) : parseInt64(text));
      case 'float':
        return Math.fround(parseDouble(text));
      case 'double':
      case 'geo':
      case 'string':
      case undefined:
        return text;
    }
  }

  boundOf(value: QueryValue, _options: RangeBoundOptions): string | number | bigint {
    return this.termOf(value);
  }
}

/** `_timestamp`: read and compared as a date. */
class TimestampMapper extends MetaMapper {
  override readonly format: string;
  private readonly dates: DateFormat;

  constructor(docType: string, field: IndexedField, format: string, store: boolean) {
    super('_timestamp', docType, field, null, store);
    this.format = format;
    this.dates = dateFormat(format);
  }

  override termOf(value: QueryValue): number | bigint {
    if (value instanceof JsonNumber) return compact(truncated(value, 64));
    return this.dates.parse(String(value));
  }

  override boundOf(value: QueryValue, options: RangeBoundOptions): number | bigint {
    if (value instanceof JsonNumber) return compact(truncated(value, 64));
    return parseDateMath(String(value), {
      format: options.format === null ? this.dates : dateFormat(options.format),
      zone: options.timeZone === null ? UTC : timeZone(options.timeZone),
      now: options.now,
      roundUp: options.roundUp,
      resolution: 1,
    });
  }
}

/** `_parent`: holds `type#id`; a bare id means a parent of the mapped type. */
class ParentMapper extends MetaMapper {
  constructor(
    docType: string,
    private readonly parentType: string | null,
  ) {
    super('_parent', docType, PARENT_FIELD);
  }

  override termOf(value: QueryValue): string {
    const text = value instanceof JsonNumber ? value.text : String(value);
    return this.parentType === null || text.includes('#') ? text : `${this.parentType}#${text}`;
  }
}

/** `_all`: analyzed and scored as the type says. */
class AllMapper extends MetaMapper {
  override readonly similarity: string | null;

  constructor(mapping: TypeMapping, setup: TypeSetup) {
    const named = (option: string): Analyzer | null => {
      const name = mapping.metaOption('_all', option) ?? mapping.metaOption('_all', 'analyzer');
      return name === undefined ? null : setup.analyzer(javaText(name));
    };
    const given = mapping.metaOption('_all', 'similarity');
    const similarity = given === undefined ? null : javaText(given);
    const field = metaField('_all', 'string', false, {
      analyzer: named('index_analyzer') ?? setup.indexAnalyzer,
      norms: mapping.metaOption('_all', 'omit_norms') !== true,
      lengths: setup.lengthsOf(similarity),
    });
    super('_all', mapping.type, field, named('search_analyzer') ?? setup.searchAnalyzer);
    this.similarity = similarity;
  }
}

/** A physical field of a metadata field. */
function metaField(
  name: keyof typeof META_FIELD,
  kind: FieldKind,
  docValues: boolean,
  analyzed: {
    readonly analyzer: Analyzer;
    readonly norms: boolean;
    readonly lengths: Pick<IndexedField, 'countsOverlaps'>;
  } | null = null,
): IndexedField {
  return {
    id: META_FIELD[name],
    name,
    kind,
    indexed: true,
    analyzer: analyzed?.analyzer ?? null,
    indexOptions: analyzed ? 'positions' : 'docs',
    norms: analyzed?.norms ?? false,
    ...analyzed?.lengths,
    docValues,
    positionGap: analyzed?.analyzer.positionGap ?? 0,
  };
}

/** Fields that are the same in all types of all indices. `_uid` is looked up, hardly ever sorted by. */
export const UID_FIELD = metaField('_uid', 'string', false);
export const TYPE_FIELD = metaField('_type', 'string', true);
export const ROUTING_FIELD = metaField('_routing', 'string', false);
export const PARENT_FIELD = metaField('_parent', 'string', true);
export const TIMESTAMP_FIELD = metaField('_timestamp', 'long', true);
export const TTL_FIELD = metaField('_ttl', 'long', true);
export const SIZE_FIELD = metaField('_size', 'int', true);
const BOOST_FIELD = metaField('_boost', 'float', true);
export const INDEX_FIELD = metaField('_index', 'string', true);

/** The metadata fields of a type by name. */
export function compileMetaFields(
  mapping: TypeMapping,
  setup: TypeSetup,
): ReadonlyMap<string, MappedField> {
  const { type } = mapping;
  const format = mapping.metaOption('_timestamp', 'format');
  const parentType = mapping.metaOption('_parent', 'type');
  const isStored = (name: string): boolean => mapping.metaOption(name, 'store') === true;
  const fields: MappedField[] = [
    new MetaMapper('_uid', type, UID_FIELD),
    new MetaMapper('_id', type, null),
    new MetaMapper('_type', type, TYPE_FIELD),
    new AllMapper(mapping, setup),
    new MetaMapper('_routing', type, ROUTING_FIELD),
    new ParentMapper(type, parentType === undefined ? null : javaText(parentType)),
    new TimestampMapper(
      type,
      TIMESTAMP_FIELD,
      format === undefined ? DEFAULT_DATE_FORMAT : javaText(format),
      isStored('_timestamp'),
    ),
    new MetaMapper('_ttl', type, TTL_FIELD),
    new MetaMapper('_size', type, SIZE_FIELD, null, isStored('_size')),
    new MetaMapper('_boost', type, BOOST_FIELD),
    new MetaMapper('_index', type, INDEX_FIELD),
    new MetaMapper('_source', type, null),
    new MetaMapper('_analyzer', type, null),
  ];
  return new Map(fields.map((field) => [field.path, field]));
}
