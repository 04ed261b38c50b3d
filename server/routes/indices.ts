// Whole indices: create, delete, exists, open, close, get (reference server).

import {
  illegalArgument,
  renderMappings,
  validationFailed,
  type JsonOutput,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  CLOSE_INDEX_OPTIONS,
  DELETE_INDEX_OPTIONS,
  EXISTS_OPTIONS,
  indicesOptions,
  OPEN_INDEX_OPTIONS,
  READ_OPTIONS,
} from '../request/index';
import { renderSettings } from '../render/index';
import { acknowledge } from './acknowledged';
import { aliasSections, readIndexAliases } from './alias-read';
import { exists } from './exists';
import { jsonObjectBody } from './json-body';

/** `PUT|POST /{index}`. */
export async function createIndex(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const name = params.get('index') ?? '';
  const settings = jsonObjectBody(body, 'failed to parse source for create index');
  return acknowledge(params, engine, () => engine.admin.createIndex(name, settings));
}

/** `DELETE /{index}`, `DELETE /`. */
export async function deleteIndex(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const names = params.list('index');
  if (names.length === 0) throw validationFailed('index / indices is missing');
  const options = indicesOptions(params, DELETE_INDEX_OPTIONS);
  return acknowledge(params, engine, () => engine.admin.deleteIndices(names, options));
}

/** `HEAD /{index}`: 200 only if every name is an index or alias. */
export function indexExists({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  return exists(() => {
    const names = requireIndex(params.list('index'));
    engine.admin.resolve(names, indicesOptions(params, EXISTS_OPTIONS), 'metadata_read');
    return true;
  });
}

/** `HEAD /{index}/{type}`: 200 only if every index has every type. */
export function typeExists({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  return exists(() => {
    const options = indicesOptions(params, READ_OPTIONS);
    const indices = engine.admin.resolve(params.list('index'), options, 'metadata_read');
    const types = params.list('type');
    const state = engine.state();
    return (
      indices.length > 0 &&
      indices.every((index) =>
        types.every((type) => state.indices.get(index)?.mappings.has(type) === true),
      )
    );
  });
}

/** `POST /{index}/_open`. */
export async function openIndex(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const names = requireIndex(params.list('index'));
  const options = indicesOptions(params, OPEN_INDEX_OPTIONS);
  return acknowledge(params, engine, () => engine.admin.openIndices(names, options));
}

/** `POST /{index}/_close`. */
export async function closeIndex(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const names = requireIndex(params.list('index'));
  const options = indicesOptions(params, CLOSE_INDEX_OPTIONS);
  return acknowledge(params, engine, () => engine.admin.closeIndices(names, options));
}

function requireIndex(names: string[]): string[] {
  if (names.length === 0) throw validationFailed('index is missing');
  return names;
}

type Feature = 'aliases' | 'mappings' | 'settings' | 'warmers';

const FEATURES = new Map<string, Feature>([
  ['_alias', 'aliases'],
  ['_aliases', 'aliases'],
  ['_mapping', 'mappings'],
  ['_mappings', 'mappings'],
  ['_settings', 'settings'],
  ['_warmer', 'warmers'],
  ['_warmers', 'warmers'],
]);
const ALL_FEATURES: readonly Feature[] = ['aliases', 'mappings', 'settings', 'warmers'];

/** `GET /{index}`, `GET /{index}/{features}` and `GET /{features}`: chosen sections of each index. */
export function getIndex(request: ApiRequest, context: RouteContext): ApiResponse {
  const { params } = request;
  let names = params.list('index');
  let features = params.has('type') ? params.list('type') : null;
  if (features === null && names[0]?.startsWith('_') === true && names[0] !== '_all') {
    features = names;
    names = [];
  }
  const sections = features === null ? ALL_FEATURES : features.map(featureOf);
  if (sections.length === 1 && sections[0] === 'aliases') {
    return json(readIndexAliases(params, names, context.engine));
  }
  return json(indexSections(request, context, names, sections));
}

function featureOf(name: string): Feature {
  const feature = FEATURES.get(name);
  if (feature === undefined) throw illegalArgument(`No feature for name [${name}]`);
  return feature;
}

function indexSections(
  { params }: ApiRequest,
  { engine }: RouteContext,
  names: readonly string[],
  sections: readonly Feature[],
): JsonOutput {
  const options = indicesOptions(params, READ_OPTIONS);
  const state = engine.state();
  const isFlat = params.flag('flat_settings');
  const result = new Map<string, JsonOutput>();
  for (const name of engine.admin.resolve(names, options, 'metadata_read')) {
    const index = state.indices.get(name);
    if (index === undefined) continue;
    const rendered = new Map<string, JsonOutput>();
    for (const section of sections) {
      switch (section) {
        case 'aliases':
          rendered.set('aliases', aliasSections(index.aliases.values()));
          break;
        case 'mappings':
          rendered.set('mappings', renderMappings(index));
          break;
        case 'settings':
          rendered.set('settings', renderSettings(index.settings, isFlat));
          break;
        case 'warmers':
          rendered.set('warmers', index.warmers);
          break;
      }
    }
    result.set(name, rendered);
  }
  return result;
}
