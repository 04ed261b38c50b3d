// A text that tells plain data apart: what structured clone copies, without copying it.

/**
 * Equal texts only for equal data: lists, objects, maps, sets, typed arrays and scalars, to the last member
 * and the sign of 0. Equal data whose members were set in another order may have another text.
 *
 * @throws TypeError for functions and symbols
 */
export function exactText(data: unknown): string {
  switch (typeof data) {
    case 'string':
      return JSON.stringify(data);
    case 'number':
      return Object.is(data, -0) ? '-0' : String(data);
    case 'boolean':
      return data ? 'T' : 'F';
    case 'undefined':
      return 'U';
    case 'bigint':
      return `${data}n`;
    case 'object':
      return data === null ? '_' : objectText(data);
    case 'function':
    case 'symbol':
      throw new TypeError(`a ${typeof data} is no plain data`);
  }
}

function objectText(data: object): string {
  if (Array.isArray(data)) return `[${listText(data)}]`;
  const prototype: unknown = Object.getPrototypeOf(data);
  if (prototype === Object.prototype || prototype === null) {
    let text = '{';
    for (const name in data) {
      text += `${JSON.stringify(name)}:${exactText((data as Record<string, unknown>)[name])},`;
    }
    return text + '}';
  }
  if (data instanceof Map) return `M[${listText([...data].flat(1))}]`;
  if (data instanceof Set) return `S[${listText([...data])}]`;
  if (ArrayBuffer.isView(data) && !(data instanceof DataView)) {
    return `${data.constructor.name}[${listText(data as unknown as ArrayLike<unknown>)}]`;
  }
  throw new TypeError(`a ${data.constructor.name} is no plain data`);
}

function listText(items: ArrayLike<unknown>): string {
  let text = '';
  for (let i = 0; i < items.length; i++) text += `${exactText(items[i])},`;
  return text;
}
