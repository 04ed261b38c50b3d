// A small double of a mapping: named fields of a few types, one document type.

import { EngineError } from '../../engine/errors';
import { NO_RULES, type EnvelopeRules } from '../../engine/mapping/schema/envelope-rules';
import { META_FIELD, type IndexedField } from '../../engine/mapping/fields/field-sink';
import { STANDARD_SIMILARITIES } from '../../engine/similarity/index';
import type { IndexMapping } from '../../engine/mapping/schema/index-mapping';
import { WORDS } from './query-segments';
import { indexedField } from './indexed-field';
import type { FieldKind } from '../../engine/metadata/field';
import type {
  FieldMatch,
  MappedField,
  MappedTypeName,
} from '../../engine/mapping/fields/mapped-field';

/** `text` is a string split at blanks; `string` is kept whole. */
type TestFieldType =
  | 'string'
  | 'text'
  | 'boolean'
  | 'integer'
  | 'long'
  | 'date'
  | 'float'
  | 'double'
  | 'geo_point';

/** Field types by path. A path that ends in `[]` is a nested object. */
export type TestMapping = Readonly<Record<string, TestFieldType | 'nested' | 'object'>>;

/** A value of a document. */
export type TestValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly TestValue[]
  | TestDocument;
/** A document as JSON. */
export interface TestDocument {
  readonly [name: string]: TestValue;
}

const KINDS: Readonly<Record<TestFieldType, FieldKind>> = {
  string: 'string',
  text: 'string',
  boolean: 'string',
  integer: 'int',
  long: 'long',
  date: 'long',
  float: 'float',
  double: 'double',
  geo_point: 'geo',
};

/** The field of ids. */
export const UID = indexedField(META_FIELD._uid, '_uid');
/** The field of types. */
export const TYPE = indexedField(META_FIELD._type, '_type');

function mappedField(
  path: string,
  type: TestFieldType,
  id: number,
  nestedPath: string | null,
): MappedField {
  const isText = type === 'text';
  const field: IndexedField = {
    id,
    name: path,
    kind: KINDS[type],
    indexed: true,
    analyzer: isText ? WORDS : null,
    indexOptions: isText ? 'positions' : 'docs',
    norms: isText,
    docValues: !isText,
    positionGap: 0,
  };
  const mappedType: MappedTypeName = isText ? 'string' : type;
  return mapped(path, mappedType, field, nestedPath);
}

function mapped(
  path: string,
  type: MappedTypeName,
  field: IndexedField | null,
  nestedPath: string | null,
): MappedField {
  const isNumber = field !== null && field.kind !== 'string';
  const convert = (value: unknown): string | number | bigint => {
    const text = String(value);
    if (type === 'boolean') return text === 'false' || text === 'F' ? 'F' : 'T';
    if (!isNumber) return text;
    if (Number.isNaN(Number(text)))
      throw new EngineError('NumberFormatException', `For input string: "${text}"`);
    return field.kind === 'long' ? BigInt(text) : Number(text);
  };
  return {
    path,
    indexName: path,
    docType: 'doc',
    type,
    field,
    nestedPath,
    searchAnalyzer: field?.analyzer ?? null,
    text: null,
    boost: 1,
    nullValue: undefined,
    format: null,
    similarity: null,
    store: false,
    termOf: convert,
    boundOf: convert,
  };
}

/** A mapping of named fields of a few types. */
export class MappingDouble implements IndexMapping {
  readonly types = ['doc'];
  readonly fieldCount = 0;
  readonly defaultSearchAnalyzer = WORDS;
  readonly similarities = STANDARD_SIMILARITIES;
  readonly fields = new Map<string, MappedField>();
  readonly nested = new Map<string, string | null>();

  constructor(mapping: TestMapping) {
    this.fields.set('_uid', mapped('_uid', 'meta', UID, null));
    this.fields.set('_type', mapped('_type', 'meta', TYPE, null));
    let id = 40;
    for (const [path, type] of Object.entries(mapping)) {
      if (type === 'nested') this.nested.set(path, this.enclosing(path));
      else if (type === 'object') this.fields.set(path, mapped(path, 'object', null, null));
      else this.fields.set(path, mappedField(path, type, id++, this.enclosing(path)));
    }
  }

  find(name: string): FieldMatch | null {
    const found = this.fields.get(name) ?? this.fields.get(name.replace(/^doc\./, ''));
    return found === undefined ? null : { mapped: found, restrictToType: null };
  }

  match(pattern: string): readonly MappedField[] {
    return pattern === '*' ? [...this.fields.values()] : [];
  }

  fieldsOf(): readonly MappedField[] {
    return [...this.fields.values()];
  }

  leavesOf(): readonly MappedField[] {
    return [];
  }

  nestedObject(path: string): { path: string; parent: string | null } | 'plain' | null {
    const parent = this.nested.get(path);
    if (parent !== undefined) return { path, parent };
    return this.fields.get(path)?.type === 'object' ? 'plain' : null;
  }

  analyzer(): null {
    return null;
  }

  documentMapper(): null {
    return null;
  }

  sourceFilter(): true {
    return true;
  }

  envelopeRules(): EnvelopeRules {
    return NO_RULES;
  }

  routingRequired(): boolean {
    return false;
  }

  parentType(): null {
    return null;
  }

  private enclosing(path: string): string | null {
    const inside = [...this.nested.keys()].filter((nested) => path.startsWith(`${nested}.`));
    return inside.sort((a, b) => b.length - a.length)[0] ?? null;
  }
}
