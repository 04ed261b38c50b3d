// Where a nested object stands in its document.

import { previousMember, type SegmentReader } from '../../segment/index';
import type { NestedPlace } from '../plan/search-plan';

/**
 * Which of the nested objects of a document one is: for each path from the outermost down to its own, its
 * place among the objects of the same object around.
 */
export function placeOf(
  segment: SegmentReader,
  doc: number,
  paths: readonly string[],
): NestedPlace[] {
  return paths.map((path, i) => {
    const objects = segment.nestedDocs(path)!;
    const around = i === 0 ? segment.roots! : segment.nestedDocs(paths[i - 1]!)!;
    const own = objects.next(doc);
    let offset = 0;
    const before = previousMember(around, own);
    for (let at = objects.next(before + 1); at < own; at = objects.next(at + 1)) offset++;
    return { path, offset };
  });
}
