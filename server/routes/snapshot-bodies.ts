// The bodies of snapshot requests (reference server): what members mean, and how the reference complains.

import {
  decodeUtf8,
  EngineError,
  flattenIndexSettings,
  illegalArgument,
  isJsonObject,
  JsonNumber,
  JsonSyntaxError,
  parseJsonObject,
  type CreateSnapshotRequest,
  type IndicesOptions,
  type JsonObject,
  type JsonValue,
  type RestoreRequest,
  splitCommas,
  bodyBoolean,
} from '../../engine/index';

/** What is said of a create request besides repository and name. */
type CreateOptions = Omit<CreateSnapshotRequest, 'repository' | 'snapshot'>;
/** What is said of a restore request besides repository and name. */
type RestoreOptions = Omit<RestoreRequest, 'repository' | 'snapshot'>;

const CREATE_DEFAULTS: IndicesOptions = {
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: false,
};

/**
 * The body of a create request. Members without a meaning are ignored.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException
 */
export function parseCreateBody(body: Buffer): CreateOptions {
  return withSource(body, (members) => ({
    indices: nameList(members.get('indices'), 'indices'),
    options: {
      ...CREATE_DEFAULTS,
      ignoreUnavailable: flag(members.get('ignore_unavailable'), true),
      allowNoIndices: flag(members.get('allow_no_indices'), true),
    },
    includeGlobalState: flag(members.get('include_global_state'), true),
    partial: flag(members.get('partial'), false),
  }));
}

const RESTORE_MEMBERS = [
  'indices',
  'partial',
  'settings',
  'include_global_state',
  'include_aliases',
  'rename_pattern',
  'rename_replacement',
  'index_settings',
  'ignore_index_settings',
  'expand_wildcards_open',
  'expand_wildcards_closed',
  'ignore_unavailable',
  'ignoreUnavailable',
  'allow_no_indices',
  'allowNoIndices',
  'expand_wildcards',
  'expandWildcards',
];

/**
 * The body of a restore request.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException, also for members that there are none of
 */
export function parseRestoreBody(body: Buffer): RestoreOptions {
  return withSource(body, (members) => {
    for (const name of members.keys()) {
      if (!RESTORE_MEMBERS.includes(name)) throw illegalArgument(`Unknown parameter ${name}`);
    }
    const settings = members.get('index_settings') ?? new Map<string, JsonValue>();
    if (!isJsonObject(settings)) throw illegalArgument('malformed index_settings section');
    return {
      indices: nameList(members.get('indices'), 'indices'),
      ignoreUnavailable: flag(members.get('ignore_unavailable'), true),
      renamePattern: text(members.get('rename_pattern'), 'rename_pattern'),
      renameReplacement: text(members.get('rename_replacement'), 'rename_replacement'),
      includeAliases: flag(members.get('include_aliases'), true),
      includeGlobalState: flag(members.get('include_global_state'), true),
      partial: flag(members.get('partial'), false),
      indexSettings: flattenIndexSettings(settings),
      ignoreIndexSettings: nameList(members.get('ignore_index_settings'), 'ignore_index_settings'),
    };
  });
}

/** Parses a body that may be missing; whatever is wrong with it is told with its text. */
function withSource<T>(body: Buffer, parse: (members: JsonObject) => T): T {
  const source = decodeUtf8(body);
  try {
    return parse(source.trim() === '' ? new Map<string, JsonValue>() : parseJsonObject(source));
  } catch (error) {
    if (!(error instanceof EngineError) && !(error instanceof JsonSyntaxError)) throw error;
    throw illegalArgument(`failed to parse repository source [${source}]`, error);
  }
}

function nameList(value: JsonValue | undefined, member: string): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return splitCommas(value);
  if (Array.isArray(value)) {
    const names = value.filter((name) => typeof name === 'string');
    if (names.length === value.length) return names;
  }
  throw illegalArgument(`malformed ${member} section, should be an array of strings`);
}

function text(value: JsonValue | undefined, member: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw illegalArgument(`malformed ${member}`);
}

function flag(value: JsonValue | undefined, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === 'boolean') return value;
  if (value instanceof JsonNumber) return value.value !== 0;
  return typeof value !== 'string' || bodyBoolean(value);
}
