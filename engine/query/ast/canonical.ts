// A text that identifies what a query means, for cache keys.

import type { Query } from './query';

/**
 * Equal for trees that match and score alike by construction: members in a fixed order, names left out.
 * Numbers keep their type (`1` and `1n` differ), strings are quoted, so that no two trees share a key by
 * accident. Trees that merely happen to mean the same may have different keys.
 */
export function canonicalKey(query: Query): string {
  return render(query);
}

/** Members that say how a query looks, not what it means. */
const LOOKS: ReadonlySet<string> = new Set(['shown', 'fieldName', 'order']);

/** The same for any plain data: texts, numbers, booleans, null, lists and objects of them. */
export function canonicalText(data: object): string {
  return render(data);
}

function render(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return `${value}n`;
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : renderObject(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      throw new TypeError(`a query cannot hold a ${typeof value}`);
  }
}

function renderObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map(render).join(',')}]`;
  if (value instanceof Float64Array) return `[${value.join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  if (members['kind'] === 'named') return render(members['query']);
  const parts: string[] = [];
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member !== undefined && !LOOKS.has(name)) parts.push(`${name}:${render(member)}`);
  }
  return `{${parts.join(',')}}`;
}
