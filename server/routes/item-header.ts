// What the header lines of multi-searches and multi-percolations have in common (reference server).

import {
  EngineError,
  illegalArgument,
  JsonNumber,
  splitCommas,
  writeJson,
  type JsonObject,
  type JsonValue,
} from '../../engine/index';
import { Params } from '../request/index';

/** The options of a header under the names that URL parameters have. */
export function optionsOf(members: JsonObject): Params {
  const values = new Map<string, string>();
  for (const [name, alias] of [
    ['ignore_unavailable', 'ignoreUnavailable'],
    ['allow_no_indices', 'allowNoIndices'],
    ['expand_wildcards', 'expandWildcards'],
  ] as const) {
    const value = members.get(members.has(name) ? name : alias) ?? null;
    const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
    if (text !== undefined) values.set(name, text);
  }
  return new Params(values);
}

/**
 * A list, or a text with commas.
 *
 * @throws EngineError for null, on which the reference fails
 */
export function nameList(value: JsonValue, what: string): readonly string[] {
  if (!Array.isArray(value)) {
    const text = textOf(value);
    if (text !== undefined) return splitCommas(text);
    throw new EngineError(
      'NullPointerException',
      'Cannot invoke "Object.toString()" because "node" is null',
    );
  }
  return value.map((element, i) => {
    const text = textOf(element);
    if (text === undefined) throw illegalArgument(`${what}[${i}] must not be null`);
    return text;
  });
}

/** The text of a value; undefined for null. */
export function textOf(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : writeJson(value);
}
