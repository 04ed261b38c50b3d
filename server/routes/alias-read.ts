// Reading aliases: pure views of the cluster state. The three families of paths differ in what they do with
// names that do not exist (reference server).

import {
  aliasToJson,
  matchesPattern,
  type AliasMetadata,
  type JsonOutput,
  type SearchEngine,
} from '../../engine/index';
import {
  json,
  jsonKeeping,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  LENIENT_ALL_OPTIONS,
  LENIENT_READ_OPTIONS,
  READ_OPTIONS,
  type Params,
} from '../request/index';
import { errorBody } from '../render/index';
import { exists } from './exists';

/** `GET [/{index}]/_alias/{name}`: indices with at least one of the aliases. */
export function getAlias({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const names = params.list('name');
  const indices = params.list('index');
  const state = engine.state();
  const result = new Map<string, JsonOutput>();
  const options = indicesOptions(params, READ_OPTIONS);
  for (const name of engine.admin.resolve(indices, options, 'metadata_read')) {
    const found = matchingAliases(state.indices.get(name)?.aliases, names, isEvery(names));
    if (found.length > 0) result.set(name, { aliases: aliasSections(found) });
  }
  if (result.size > 0 || indices.length > 0) return jsonKeeping([1], result);
  // compat: the names are printed as requested, but `*` and `_all` come out empty.
  const shown = isEvery(names) ? '' : names.join(',');
  return json(errorBody(`alias [${shown}] missing`, 404), 404);
}

/** `GET [/{index}]/_aliases/{name}`: the older form; every index is listed, and nothing is ever missing. */
export function getAliasesLegacy({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const names = params.list('name');
  const indices = params.list('index');
  // compat: `_all` in the path stands for open indices only, unlike in the forms without a name.
  const options = indices.length === 0 ? LENIENT_ALL_OPTIONS : LENIENT_READ_OPTIONS;
  // compat: among others `_all` is an ordinary name here.
  const isAll = names.length === 0 || (names.length === 1 && names[0] === '_all');
  const state = engine.state();
  const result = new Map<string, JsonOutput>();
  for (const name of engine.admin.resolve(indices, options)) {
    const found = matchingAliases(state.indices.get(name)?.aliases, names, isAll);
    result.set(name, { aliases: aliasSections(found) });
  }
  return jsonKeeping([1], result);
}

/** `HEAD [/{index}]/_alias/{name}`; `_all` is an ordinary name here. */
export function aliasExists({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  return exists(() => {
    const names = params.list('name');
    const state = engine.state();
    const options = indicesOptions(params, READ_OPTIONS);
    return engine.admin
      .resolve(params.list('index'), options, 'metadata_read')
      .some((name) => matchingAliases(state.indices.get(name)?.aliases, names, false).length > 0);
  });
}

/** `GET [/{index}]/_alias` and `_aliases` without a name: every index, lenient about missing ones. */
export function readIndexAliases(
  params: Params,
  indices: readonly string[],
  engine: SearchEngine,
): JsonOutput {
  const defaults = isAllIndices(indices) ? LENIENT_ALL_OPTIONS : LENIENT_READ_OPTIONS;
  const state = engine.state();
  const result = new Map<string, JsonOutput>();
  for (const name of engine.admin.resolve(
    indices,
    indicesOptions(params, defaults),
    'metadata_read',
  )) {
    const aliases = state.indices.get(name)?.aliases.values() ?? [];
    result.set(name, { aliases: aliasSections(aliases) });
  }
  return result;
}

/** Aliases by name, each with what is set of it. */
export function aliasSections(aliases: Iterable<AliasMetadata>): JsonOutput {
  const result = new Map<string, JsonOutput>();
  for (const alias of aliases) result.set(alias.name, aliasToJson(alias));
  return result;
}

function matchingAliases(
  aliases: ReadonlyMap<string, AliasMetadata> | undefined,
  names: readonly string[],
  isAll: boolean,
): AliasMetadata[] {
  return [...(aliases?.values() ?? [])].filter(
    ({ name }) => isAll || names.some((pattern) => matchesPattern(pattern, name)),
  );
}

function isEvery(names: readonly string[]): boolean {
  return names.length === 0 || names.includes('_all') || (names.length === 1 && names[0] === '*');
}

function isAllIndices(indices: readonly string[]): boolean {
  return indices.length === 0 || (indices.length === 1 && indices[0] === '_all');
}
