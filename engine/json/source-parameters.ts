// Which parts of a source the URL asks for.

import { explicitBoolean, splitCommas } from '../common/index';
import type { SourceFilter } from './source-filter';

/** The `_source`, `_source_include(s)` and `_source_exclude(s)` parameters; undefined when none is given. */
export function sourceParameters(
  params: ReadonlyMap<string, string>,
): Exclude<SourceFilter, true> | undefined {
  const source = params.get('_source');
  const includes = params.get('_source_include') ?? params.get('_source_includes');
  const excludes = params.get('_source_exclude') ?? params.get('_source_excludes');
  if (source === undefined && includes === undefined && excludes === undefined) return undefined;
  const wanted = source === undefined ? null : explicitBoolean(source);
  if (wanted === false) return false;
  const patterns = includes ?? (wanted === null ? source : undefined) ?? '';
  return { includes: splitCommas(patterns), excludes: splitCommas(excludes ?? '') };
}
