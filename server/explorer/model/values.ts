// Values of documents by dotted path, as they are shown.

import { isObject, own, type JsonObject } from './own';

/** Leaves of a document, at most. */
const MOST_LEAVES = 200;
const DEEPEST = 12;

/** A value of a document by its path. */
export interface Leaf {
  readonly path: string;
  readonly values: readonly unknown[];
}

/** All values of a document; those of lists of objects are gathered by path. */
export function leavesOf(source: JsonObject): Leaf[] {
  const leaves = new Map<string, unknown[]>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (leaves.size >= MOST_LEAVES || depth > DEEPEST) return;
    if (Array.isArray(value)) {
      // A point is one value.
      if (value.length === 2 && value.every((one) => typeof one === 'number')) add(path, value);
      else for (const one of value) visit(one, path, depth + 1);
    } else if (isObject(value) && isPlace(value)) {
      add(path, value);
    } else if (isObject(value)) {
      for (const [name, below] of Object.entries(value)) {
        visit(below, path === '' ? name : `${path}.${name}`, depth + 1);
      }
    } else if (value !== null) add(path, value);
  };
  const add = (path: string, value: unknown): void => {
    const known = leaves.get(path);
    if (known === undefined) leaves.set(path, [value]);
    else known.push(value);
  };
  visit(source, '', 0);
  return [...leaves].map(([path, values]) => ({ path, values }));
}

function isPlace(value: JsonObject): boolean {
  const names = Object.keys(value);
  return names.length === 2 && names.includes('lat') && names.includes('lon');
}

/** A value by its path, where names may contain dots; undefined: none. */
export function valueAt(source: JsonObject, path: string): unknown {
  const whole = own(source, path);
  if (whole !== undefined) return whole;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const below = own(source, path.slice(0, dot));
    if (isObject(below)) return valueAt(below, path.slice(dot + 1));
  }
  return undefined;
}

/** A value as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  // oxlint-disable-next-line typescript/no-base-to-string -- no object is left
  return String(value);
}
