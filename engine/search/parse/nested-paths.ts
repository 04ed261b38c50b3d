// What hits that are nested objects need to know of their places.

import type { SearchContext } from '../../query/index';
import type { SortKey } from '../plan/search-plan';

/** A sort key of nested objects at a path: they have the values themselves. */
export function withinObjects(key: SortKey, path: string | null): SortKey {
  return path !== null && key.nestedPath === path
    ? { ...key, nestedPath: null, nestedFilter: null }
    : key;
}

/** The paths of the nested objects around and at a path, from the outermost one down. */
export function nestedPathsOf(path: string, { mapping, types }: SearchContext): string[] {
  const paths: string[] = [];
  for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
    const part = end < 0 ? path : path.slice(0, end);
    const found = mapping.nestedObject(part, types);
    if (found !== null && found !== 'plain') paths.push(found.path);
    if (end < 0) return paths;
  }
}
