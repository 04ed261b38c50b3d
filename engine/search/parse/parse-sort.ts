// The `sort` element (reference server).

import { EngineError, illegalArgument, incompleteSource } from '../../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index';
import { KIND_OF_TYPE, type MappedField, refuseUnloadable } from '../../mapping/index';
import { type Query, type SearchContext, ElementFailure } from '../../query/index';
import { parseDistanceSort } from './parse-distance-sort';
import { type SortKey, NO_DISTANCE } from '../plan/search-plan';
import { parseScriptSort } from './parse-script-sort';
import {
  defaultOptions,
  nestedPathOption,
  readOptions,
  setOrder,
  type SortOptions,
} from './sort-options';
import { parseDouble, parseInt64 } from '../../common/index';
import type { FieldKind } from '../../metadata/index';

const NO_FIELD = -1;

/** A `sort` element. */
interface ParsedSort {
  /** Null where hits stay in score order (no keys at all, or just `_score`). */
  readonly keys: readonly SortKey[] | null;
  /** Why comparing documents will fail; it is noticed only when there is something to compare. */
  readonly failure: EngineError | null;
}

/** @throws EngineError, ElementFailure with the reference's texts */
export function parseSort(value: JsonValue, context: SearchContext): ParsedSort {
  const parser = new SortParser(context);
  if (typeof value === 'string') parser.add(value, defaultOptions());
  else if (isJsonObject(value)) {
    if (!parser.addObject(value)) {
      throw incompleteSource();
    }
  } else if (Array.isArray(value)) {
    for (const element of value) {
      if (typeof element === 'string') parser.add(element, defaultOptions());
      else if (!isJsonObject(element) || !parser.addObject(element)) {
        throw illegalArgument(
          'malformed sort format, within the sort array, an object, or an actual string are allowed',
        );
      }
    }
  } else {
    throw illegalArgument(
      'malformed sort format, either start with array, object, or an actual string',
    );
  }
  return parser.result();
}

class SortParser {
  private readonly keys: SortKey[] = [];
  private failure: EngineError | null = null;

  constructor(private readonly context: SearchContext) {}

  result(): ParsedSort {
    const [first, second] = this.keys;
    const byScore = second === undefined && first?.kind === 'score' && first.descending;
    return { keys: first === undefined || byScore ? null : this.keys, failure: this.failure };
  }

  /**
   * Adds the keys of an object. False when one has neither a direction nor options: the reference then
   * takes what follows it for its options and loses its place.
   */
  addObject(object: JsonObject): boolean {
    const entries = [...object];
    for (const [i, [name, value]] of entries.entries()) {
      const options = defaultOptions();
      if (typeof value === 'string') {
        // compat: the text names the field, not the direction.
        if (value !== 'asc' && value !== 'desc')
          throw illegalArgument(`sort direction [${name}] not supported`);
        setOrder(options, name, value);
        this.add(name, options);
      } else if (isJsonObject(value)) {
        if (name === '_script') {
          this.push(parseScriptSort(value, options, this.context), options);
          continue;
        }
        if (name === '_geo_distance' || name === '_geoDistance') {
          this.addDistance(value);
          continue;
        }
        readOptions(options, name, value, this.context);
        this.add(name, options);
      } else {
        readOptions(options, name, new Map(entries.slice(i + 1)), this.context);
        this.add(name, options);
        return false;
      }
    }
    return true;
  }

  private push(key: SortKey, options: SortOptions): void {
    const nestedFilter = this.nestedFilter(options.nestedFilter, key);
    this.context.meter.add('sortKeys', 1);
    this.keys.push({ ...key, nestedFilter });
  }

  private addDistance(body: JsonObject): void {
    const options = defaultOptions();
    const { path, field, distance } = parseDistanceSort(body, options, this.context);
    const key: SortKey = {
      kind: 'distance',
      field: field ?? NO_FIELD,
      fieldKind: 'double',
      descending: options.reverse,
      missing: NO_DISTANCE,
      mode: options.mode ?? (options.reverse ? 'max' : 'min'),
      nestedPath: pathOf(path, options, this.context),
      nestedFilter: null,
      distance,
    };
    this.push(key, options);
  }

  add(name: string, options: SortOptions): void {
    const key = sortKey(name, options, this.context);
    this.push({ ...key, missing: this.missing(options.missing, key) }, options);
  }

  private nestedFilter(body: JsonValue | undefined, { nestedPath }: SortKey): Query | null {
    if (body === undefined || nestedPath === null) return null;
    const filter = this.context.parseFilter(body, nestedPath);
    // compat: the reference does not expect a filter that restricts nothing.
    if (filter === null) this.failure ??= new EngineError('NullPointerException', '');
    return filter;
  }

  /** A value for documents without one. */
  private missing(text: string | null, key: SortKey): SortKey['missing'] {
    if (text === null || key.missing !== '_last') return key.missing;
    try {
      return missingValue(text, key.fieldKind);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.failure ??= error;
      return '_last';
    }
  }
}

function sortKey(name: string, options: SortOptions, context: SearchContext): SortKey {
  const extreme = options.reverse ? 'max' : 'min';
  const base: SortKey = {
    kind: 'field',
    field: NO_FIELD,
    fieldKind: 'string',
    descending: options.reverse,
    missing: '_last',
    mode: options.mode ?? extreme,
    nestedPath: null,
    nestedFilter: null,
  };
  if (name === '_score')
    return { ...base, kind: 'score', fieldKind: null, descending: !options.reverse };
  if (name === '_doc') return { ...base, kind: 'doc', fieldKind: null };
  // compat: every document has the name of its index, and none has an `_id` to sort by.
  if (knowsTypes(context)) {
    if (name === '_index') return { ...base, missing: context.index.name };
    if (name === '_id') return base;
  }
  const mapped = context.mapping.find(name, context.types)?.mapped;
  if (mapped === undefined || mapped.type === 'object' || mapped.type === 'nested') {
    return unmappedKey(name, base, options, context);
  }
  const { fieldKind, field } = mappedKind(mapped);
  const nestedPath = pathOf(name, options, context);
  const combines = options.mode === 'sum' || options.mode === 'avg';
  // Sum and average mean nothing for text.
  const mode = combines && fieldKind === 'string' ? extreme : base.mode;
  return { ...base, field, fieldKind, mode, nestedPath };
}

/** Metadata fields belong to types: where no type asked for exists, there are none. */
function knowsTypes({ types, mapping }: SearchContext): boolean {
  return types.length === 0 || types.some((type) => mapping.types.includes(type));
}

function unmappedKey(
  name: string,
  base: SortKey,
  options: SortOptions,
  context: SearchContext,
): SortKey {
  if (options.unmappedType === null) {
    throw new ElementFailure(`No mapping found for [${name}] in order to sort on`);
  }
  const fieldKind = KIND_OF_TYPE.get(options.unmappedType);
  if (fieldKind === undefined)
    throw illegalArgument(`No mapper found for type [${options.unmappedType}]`);
  return { ...base, fieldKind, nestedPath: pathOf(name, options, context) };
}

function mappedKind(mapped: MappedField): { fieldKind: FieldKind; field: number } {
  if (mapped.type === 'geo_point') {
    throw illegalArgument(
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    );
  }
  refuseUnloadable(mapped);
  if (mapped.type === 'binary') {
    throw new EngineError(
      'ElasticsearchIllegalStateException',
      `Field data loading is forbidden on ${mapped.indexName}`,
    );
  }
  const { field } = mapped;
  if (field === null)
    return { fieldKind: KIND_OF_TYPE.get(mapped.type) ?? 'string', field: NO_FIELD };
  return { fieldKind: field.kind, field: field.id };
}

/** @throws EngineError when the nested object that a name lies in belongs to types not asked for */
function pathOf(name: string, options: SortOptions, context: SearchContext): string | null {
  if (options.nestedPath !== null) return options.nestedPath;
  const path = closestNestedPath(name, context);
  return path === null ? null : nestedPathOption(path, context);
}

/** The nested object that a name lies in. Only names given with their path lie in one. */
function closestNestedPath(name: string, { mapping }: SearchContext): string | null {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const path = name.slice(0, dot);
    const object = mapping.nestedObject(path, []);
    if (object === null) return null;
    if (object !== 'plain') return object.path === path ? path : null;
  }
  return null;
}

/** @throws EngineError NumberFormatException for text that is no number where one is needed */
function missingValue(text: string, kind: FieldKind | null): SortKey['missing'] {
  if (text === '_last' || text === '_first') return text;
  switch (kind) {
    case 'float':
      return Math.fround(parseDouble(text));
    case 'double':
      return parseDouble(text);
    case 'int':
    case 'long': {
      const value = parseInt64(text);
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
    case 'geo':
    case 'string':
    case null:
      return text;
  }
}
