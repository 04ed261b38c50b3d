// Fields whose values cannot be counted, sorted by or read by scripts.

import { illegalArgument } from '../../errors';
import type { MappedField } from './mapped-field';

/** @throws EngineError for `_source` and for shapes, which have no values to load (reference server) */
export function refuseUnloadable({ path, type, indexName }: MappedField): void {
  if (path !== '_source' && type !== 'geo_shape') return;
  throw illegalArgument(`found no fielddata type for field [${indexName}]`);
}
