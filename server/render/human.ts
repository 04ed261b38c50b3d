// `human`: sizes and times of statistics a second time, as text that people read (reference server).

import type { JsonOutput } from '../../engine/index';
import { json, type ApiResponse, type Params } from '../request/index';
import { humanBytes, humanTime } from './units';

/** An answer of statistics: with the parameter `human`, readable twins stand before sizes and times. */
export function statistics(params: Params, body: JsonOutput): ApiResponse {
  return json(params.flag('human') ? withTwins(body, '') : body);
}

type Members =
  | ReadonlyMap<string, JsonOutput>
  | { readonly [name: string]: JsonOutput | undefined };

function withTwins(value: JsonOutput, parent: string): JsonOutput {
  if (Array.isArray(value)) return value.map((element: JsonOutput) => withTwins(element, parent));
  const members = membersOf(value);
  if (members === null) return value;
  const result = new Map<string, JsonOutput>();
  for (const [name, member] of members) {
    const twin = typeof member === 'number' ? twinOf(name, member, parent) : null;
    if (twin !== null) result.set(twin[0], twin[1]);
    result.set(name, withTwins(member, name));
  }
  return result;
}

/** What an object consists of; null for anything else. */
function membersOf(value: JsonOutput): [string, JsonOutput][] | null {
  if (value instanceof Map) return [...(value as ReadonlyMap<string, JsonOutput>)];
  if (value === null || typeof value !== 'object') return null;
  if (Object.getPrototypeOf(value) !== Object.prototype) return null;
  const members: [string, JsonOutput][] = [];
  for (const [name, member] of Object.entries(value as Members)) {
    if (member !== undefined) members.push([name, member as JsonOutput]);
  }
  return members;
}

/** Twins whose name is not that of the figure without its unit. */
const ODD_NAMES = new Map([
  ['get/time_in_millis', 'get_time'],
  ['percolate/time_in_millis', 'get_time'],
  ['segments/fixed_bit_set_memory_in_bytes', 'fixed_bit_set'],
]);
const MOMENTS = new Set(['start_time_in_millis', 'stop_time_in_millis']);

/** Name and text of the twin of a figure, if it has one. */
function twinOf(name: string, figure: number, parent: string): [string, string] | null {
  const match = /^(.+)_in_(bytes|millis)$/.exec(name);
  if (match === null) return null;
  const [, plain, unit] = match;
  const twin = ODD_NAMES.get(`${parent}/${name}`) ?? plain!;
  if (unit === 'bytes') return [twin, humanBytes(figure)];
  return [twin, MOMENTS.has(name) ? new Date(figure).toISOString() : humanTime(figure)];
}
