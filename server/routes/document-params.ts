// URL parameters that the document APIs share, with the reference's complaints about them.

import {
  illegalArgument,
  validationFailed,
  parseTtl,
  type GetRequest,
  type SourceFilter,
  type VersionType,
  type WriteOptions,
  numberFormat,
  splitCommas,
  sourceParameters,
} from '../../engine/index';
import { json, type ApiResponse, type Params } from '../request/index';
import { errorBody } from '../render/index';

const VERSION_TYPES = new Map<string, VersionType>([
  ['internal', 'internal'],
  ['external', 'external'],
  ['external_gt', 'external'],
  ['external_gte', 'external_gte'],
  ['force', 'force'],
]);
const CONSISTENCY_LEVELS = new Set(['default', 'one', 'quorum', 'all']);
const REPLICATION_TYPES = new Set(['default', 'sync', 'async']);

/** @throws EngineError 400 for an unknown version type */
export function parseVersionType(text: string | undefined): VersionType {
  if (text === undefined) return 'internal';
  const type = VERSION_TYPES.get(text);
  if (type === undefined) throw illegalArgument(`No version type match [${text}]`);
  return type;
}

/**
 * A version, or another whole number, as a body spells it; a fraction is dropped.
 *
 * @throws EngineError 500 `NumberFormatException` also for what a double does not hold exactly: never a
 *         neighbour of the number that was meant
 */
export function wholeNumber(text: string): number {
  const number = /^[+-]?\d+(\.\d*)?$/.test(text) ? Math.trunc(Number(text)) : NaN;
  if (!Number.isSafeInteger(number)) throw numberFormat(text);
  return number;
}

/** The answer to an unknown `op_type`, or null. */
export function refusedOperation(params: Params): ApiResponse | null {
  const operation = params.get('op_type') ?? 'index';
  if (operation === 'index' || operation === 'create') return null;
  // The one error body without a status.
  const error = `opType [${operation}] not allowed, either [index] or [create] are allowed`;
  return json(errorBody(error), 400);
}

/** True when what exists must not be replaced. */
export function isCreate(params: Params): boolean {
  return params.get('op_type') === 'create';
}

/** What an index or update takes from its URL. @throws EngineError 400 */
export function writeOptions(params: Params): WriteOptions {
  return optionsOf(params, params.get('timestamp'), ttlParameter(params));
}

/** The same of an update, but for `ttl`, which is a matter of the document. @throws EngineError 400 */
export function updateOptions(params: Params): WriteOptions {
  return optionsOf(params, params.get('timestamp'), undefined);
}

/** `ttl` of the URL. @throws EngineError 400 */
export function ttlParameter(params: Params): number | undefined {
  const ttl = params.get('ttl');
  return ttl === undefined ? undefined : parseTtl(ttl);
}

/** What the reference takes for a version that is not given. */
const ANY_VERSION = -3;

/** The version that a get asks for. @throws EngineError 400 for one that no document can have */
export function readVersion(params: Params): Pick<GetRequest, 'version' | 'versionType'> {
  const version = params.long('version');
  const versionType = parseVersionType(params.get('version_type'));
  if (version === ANY_VERSION) return { version: undefined, versionType };
  if (version !== undefined && version < 0) {
    const type = versionType.toUpperCase();
    throw validationFailed(`illegal version value [${version}] for version type [${type}]`);
  }
  return { version, versionType };
}

/** What a delete takes from its URL. @throws EngineError 400 */
export function deleteOptions(params: Params): WriteOptions {
  return optionsOf(params, undefined, undefined);
}

/**
 * `consistency`, `replication` and `timeout` have no effect on one machine and are only checked.
 *
 * @throws EngineError 400
 */
function optionsOf(
  params: Params,
  timestamp: string | undefined,
  ttl: number | undefined,
): WriteOptions {
  const options = {
    index: params.get('index') ?? '',
    type: params.get('type') ?? '',
    routing: params.get('routing'),
    parent: params.get('parent'),
    timestamp,
    ttl,
    refresh: params.flag('refresh'),
    version: params.long('version'),
    versionType: parseVersionType(params.get('version_type')),
  };
  checkIneffective(params);
  return options;
}

/** @throws EngineError 400 for values of parameters without effect that the reference would refuse */
export function checkIneffective(params: Params): void {
  params.timeMs('timeout');
  const replication = params.get('replication');
  if (replication !== undefined && !REPLICATION_TYPES.has(replication)) {
    throw illegalArgument(
      `No replication type match for [${replication}], should be either \`async\`, or \`sync\``,
    );
  }
  const consistency = params.get('consistency');
  if (consistency !== undefined && !CONSISTENCY_LEVELS.has(consistency)) {
    throw illegalArgument(`No write consistency match [${consistency}]`);
  }
}

/** `fields` of the URL; undefined when not given, empty when given without names. */
export function fieldsParameter(params: Params): string[] | undefined {
  const fields = params.get('fields');
  return fields === undefined ? undefined : splitCommas(fields);
}

/** Without a word about `_source`, asking for fields leaves it out unless it is among them. */
export function impliedSource(fields: readonly string[] | undefined): SourceFilter {
  return fields === undefined || fields.includes('_source');
}

/** A get as its URL describes it, whatever the version. @throws EngineError 400 */
export function getRequest(params: Params): GetRequest {
  const fields = fieldsParameter(params);
  return {
    index: params.get('index') ?? '',
    type: params.get('type') ?? '_all',
    id: params.get('id') ?? '',
    routing: params.get('routing'),
    parent: params.get('parent'),
    realtime: params.flag('realtime', true),
    refresh: params.flag('refresh'),
    version: undefined,
    versionType: 'internal',
    source: sourceParameters(params.values) ?? impliedSource(fields),
    fields,
  };
}
