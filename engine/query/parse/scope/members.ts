// Reading the members of a query body.
//
// The reference reads bodies as a stream of tokens, and its parsers only look at the tokens they know:
// nulls are passed over, and where a parser does not handle an object or a list, it goes on with what is
// inside. The functions here keep that, so that odd but accepted bodies mean the same here.

import { EngineError } from '../../../errors';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  javaText,
  optionFloat,
  optionInt,
} from '../../../json/index';
import { parseInt32, bodyBoolean } from '../../../common/index';

/** What a parser of one kind is handed: the value of the member that names the kind. */
export type KindBody = JsonObject | JsonValue[];

/** A value as it stands in a request. */
export type Scalar = string | boolean | JsonNumber;

/** A member of a body, by the sort of its value. Nulls are passed over. */
type Member =
  | { readonly sort: 'value'; readonly name: string; readonly value: Scalar }
  | { readonly sort: 'object'; readonly name: string; readonly value: JsonObject }
  | { readonly sort: 'array'; readonly name: string; readonly value: JsonValue[] };

/**
 * The members of a body in order. Objects and lists are given out where the parser asks for them and
 * entered otherwise. (The depth of bodies is limited when they are parsed from text.)
 */
export function members<Sort extends 'object' | 'array' = never>(
  body: KindBody,
  ...wanted: readonly Sort[]
): Extract<Member, { sort: Sort | 'value' }>[] {
  const found: Member[] = [];
  if (isJsonObject(body)) {
    for (const [name, value] of body) collect(name, value, wanted, found);
  }
  return found as Extract<Member, { sort: Sort | 'value' }>[];
}

function collect(
  name: string,
  value: JsonValue,
  wanted: readonly ('object' | 'array')[],
  found: Member[],
): void {
  if (value === null) return;
  if (isJsonObject(value)) {
    if (wanted.includes('object')) found.push({ sort: 'object', name, value });
    else for (const [inner, content] of value) collect(inner, content, wanted, found);
  } else if (Array.isArray(value)) {
    if (wanted.includes('array')) found.push({ sort: 'array', name, value });
    else for (const element of value) collect(name, element, wanted, found);
  } else {
    found.push({ sort: 'value', name, value });
  }
}

/** The values within a member that its parser has no use for as a whole, under the names that they have. */
export function valuesWithin({ name, value }: Member): Extract<Member, { sort: 'value' }>[] {
  const found: Member[] = [];
  collect(name, value, [], found);
  return found as Extract<Member, { sort: 'value' }>[];
}

/** The one `field: value` member of queries such as `term`; null when there is none. */
export function firstMember(body: KindBody): readonly [string, JsonValue] | null {
  if (Array.isArray(body)) return null;
  for (const member of body) return member;
  return null;
}

/** Option names in either spelling: `minimumShouldMatch` is `minimum_should_match`. */
export function optionName(name: string): string {
  return !/[A-Z]/.test(name)
    ? name
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** As {@link optionName}, but for the names of options that a kind knows in their first spelling only. */
export function optionNameBut(name: string, exact: ReadonlySet<string>): string {
  const option = optionName(name);
  return exact.has(option) ? name : option;
}

/** Text of a value; numbers and booleans by their source spelling. */
export function textOf(value: Scalar): string {
  return value instanceof JsonNumber ? value.text : String(value);
}

/** Text of a value that was read as a number first: `1.50` gives `1.5`, `1e3` gives `1000.0`. */
export function valueText(value: Scalar): string {
  return javaText(value);
}

/** @throws EngineError NumberFormatException, for booleans JsonParseException */
export function floatOf(value: Scalar): number {
  if (typeof value === 'boolean') throw notNumeric(value);
  return optionFloat(value);
}

/** Decimals are truncated. @throws EngineError NumberFormatException, for booleans JsonParseException */
export function intOf(value: Scalar): number {
  if (typeof value === 'boolean') throw notNumeric(value);
  if (value instanceof JsonNumber) return optionInt(value);
  return parseInt32(String(value));
}

/**
 * A number where any value may stand.
 *
 * @throws EngineError as `read` does, and JsonParseException for nulls, objects and lists
 */
export function numberIn(value: JsonValue, read: (value: Scalar) => number): number {
  if (!isScalar(value)) throw notNumeric(value);
  return read(value);
}

/** What is said of a value that is none where a number should be. */
export function notNumeric(value: JsonValue): EngineError {
  const token =
    typeof value === 'boolean' ? (value ? 'VALUE_TRUE' : 'VALUE_FALSE') : tokenName(value);
  return new EngineError(
    'JsonParseException',
    `Current token (${token}) not numeric, can not use numeric value accessors`,
  );
}

/** The words `false`, `0`, `off`, `no`, the empty text and numbers without a whole part are false. */
export function booleanOf(value: Scalar): boolean {
  if (typeof value === 'boolean') return value;
  if (value instanceof JsonNumber) return Math.trunc(value.value) !== 0;
  return bodyBoolean(value);
}

/** The name of a value's token in error texts. */
export function tokenName(value: JsonValue): string {
  if (value === null) return 'VALUE_NULL';
  if (isJsonObject(value)) return 'START_OBJECT';
  if (Array.isArray(value)) return 'START_ARRAY';
  if (value instanceof JsonNumber) return 'VALUE_NUMBER';
  return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_STRING';
}

/**
 * The complaint about a value where a name should stand.
 *
 * @param name the last name that was read
 * @param value what was met; undefined: the end of a list
 */
export function misplaced(name: string, value: JsonValue | undefined): EngineError {
  const token = value === undefined ? 'END_ARRAY' : tokenName(value);
  const message = `Expected field name but got ${token} "${name}"`;
  return new EngineError('ElasticsearchParseException', message);
}

/**
 * Refuses a body with a second member: the reference reads on after the first and stumbles over what
 * follows the second name.
 *
 * @throws EngineError ElasticsearchParseException
 */
export function refuseSecondMember(body: JsonObject): void {
  const second = [...body].slice(1, 2)[0];
  if (second !== undefined) throw misplaced(second[0], second[1]);
}

/** Whether a value is a text, number or boolean. */
export function isScalar(value: JsonValue): value is Scalar {
  return value !== null && !isJsonObject(value) && !Array.isArray(value);
}

/** Reads the options that most queries share into a small record. */
export class CommonOptions {
  boost = 1;
  name: string | null = null;

  /** True when `name` was one of them. */
  read(option: string, value: Scalar): boolean {
    if (option === 'boost') this.boost = floatOf(value);
    else if (option === '_name') this.name = textOf(value);
    else return false;
    return true;
  }
}

/** Options that filters accept and that have no visible effect. */
export function isCacheOption(option: string): boolean {
  return option === '_cache' || option === '_cache_key';
}
