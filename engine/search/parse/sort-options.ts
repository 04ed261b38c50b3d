// Options of one sort key (reference server).

import { illegalArgument } from '../../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  isScalar,
  lenientBoolean,
  type JsonScalar,
} from '../../json/index';
import type { SortKey } from '../plan/search-plan';
import type { SearchContext } from '../../query/index';

/** Options of one key as given. */
export interface SortOptions {
  reverse: boolean;
  missing: string | null;
  mode: SortKey['mode'] | null;
  unmappedType: string | null;
  /** The nested object named by `nested_path`, or null. */
  nestedPath: string | null;
  nestedFilter: JsonValue | undefined;
}

/** Options of a key that has none. */
export function defaultOptions(): SortOptions {
  return {
    reverse: false,
    missing: null,
    mode: null,
    unmappedType: null,
    nestedPath: null,
    nestedFilter: undefined,
  };
}

/** `reverse` is against the natural order: descending for `_score`, ascending for fields. */
export function setOrder(options: SortOptions, field: string, order: string): void {
  const isScore = field === '_score';
  if (order === 'asc') options.reverse = isScore;
  else if (order === 'desc') options.reverse = !isScore;
}

/**
 * Reads the members of a key's options into `options`.
 *
 * @param field the name sorted by
 * @throws EngineError with the reference's texts
 */
export function readOptions(
  options: SortOptions,
  field: string,
  object: JsonObject,
  context: SearchContext,
): void {
  for (const [name, value] of object) {
    if ((name === 'nested_filter' || name === 'nestedFilter') && isJsonObject(value)) {
      options.nestedFilter = value;
      continue;
    }
    for (const scalar of scalarsOf(name, value)) readOption(options, field, name, scalar, context);
  }
}

/** compat: the elements of a list are taken one after the other, and nulls are passed over. */
function scalarsOf(option: string, value: JsonValue): Exclude<JsonScalar, null>[] {
  if (Array.isArray(value)) return value.flatMap((element) => scalarsOf(option, element));
  if (!isScalar(value)) throw illegalArgument(`sort option [${option}] not supported`);
  return value === null ? [] : [value];
}

function readOption(
  options: SortOptions,
  field: string,
  name: string,
  value: Exclude<JsonScalar, null>,
  context: SearchContext,
): void {
  const text = String(value);
  switch (name) {
    case 'order':
      setOrder(options, field, text);
      break;
    case 'reverse':
      options.reverse = lenientBoolean(value, false);
      break;
    case 'missing':
      options.missing = text;
      break;
    case 'mode':
    case 'sort_mode':
    case 'sortMode':
      options.mode = sortMode(text);
      break;
    case 'unmapped_type':
    case 'unmappedType':
      options.unmappedType = text;
      break;
    case 'ignore_unmapped':
    case 'ignoreUnmapped':
      if (lenientBoolean(value, false)) options.unmappedType ??= 'long';
      break;
    case 'nested_path':
    case 'nestedPath':
      options.nestedPath = nestedPathOption(text, context);
      break;
    default:
      throw illegalArgument(`sort option [${name}] not supported`);
  }
}

/** @throws EngineError for any other word */
export function sortMode(text: string): SortKey['mode'] {
  const mode = text.toLowerCase();
  if (mode === 'min' || mode === 'max' || mode === 'avg' || mode === 'sum') return mode;
  throw illegalArgument(`Illegal sort_mode ${text}`);
}

/** The nested object of a path. @throws EngineError when the types asked for have none there */
export function nestedPathOption(name: string, context: SearchContext): string {
  const found = context.mapping.nestedObject(name, context.types);
  if (found !== null && found !== 'plain') return found.path;
  throw context.queryError(`[nested] failed to find nested object under path [${name}]`);
}
