// The script form of the update API: the document as `ctx`, and what a script made of it.

import { EngineError } from '../errors';
import { isJsonObject, type JsonObject, type JsonOutput, type JsonValue } from '../json/index';
import { parseTimeValue } from '../common/index';
import {
  type ScriptLibrary,
  type ScriptRequest,
  ScriptMembers,
  runUpdateScript,
  isNumber,
  javaClassOf,
  objectFromJson,
  textOf,
  toBigInt,
  toOutput,
  type ScriptMap,
  type ScriptValue,
} from '../script/index';
import type { LogRecord } from '../../storage/index';

/** What an update by script is to do. */
type ScriptedChange =
  | {
      readonly op: 'index';
      readonly source: JsonOutput;
      /** What the script made of it. compat: it has no effect on updates. */
      readonly routing: string | undefined;
      readonly timestamp: string | undefined;
      /** Milliseconds. */
      readonly ttl: number | undefined;
    }
  | { readonly op: 'delete' }
  | { readonly op: 'none'; readonly source: JsonOutput };

/**
 * The script of an update body, or null; only text counts as one. `script` may also be an object of its
 * members.
 *
 * @throws EngineError ScriptParameterParseException for several sources
 */
export function scriptOf(body: JsonObject): ScriptRequest | null {
  const members = new ScriptMembers();
  const read = (object: JsonObject): void => {
    for (const [name, value] of object) {
      if (typeof value === 'string' || name === 'params') members.read(name, value);
    }
  };
  read(body);
  const inner = body.get('script');
  if (isJsonObject(inner)) read(inner);
  return members.request();
}

/**
 * Runs a script over a stored document.
 *
 * @param now epoch milliseconds
 * @throws EngineError what {@link runUpdateScript} throws; ClassCastException for a `ctx` that makes no sense
 */
export function changeByScript(
  script: ScriptRequest,
  scripts: ScriptLibrary,
  index: string,
  record: LogRecord,
  source: JsonObject,
  now: number,
): ScriptedChange {
  const ctx: ScriptMap = new Map<string, ScriptValue>([
    ['_index', index],
    ['_type', record.type],
    ['_id', record.id],
    ['_version', BigInt(record.version)],
    ['_routing', record.routing],
    ['_parent', record.parent],
    ['_timestamp', record.timestamp === null ? null : BigInt(record.timestamp)],
    ['_ttl', record.expiry === null ? null : BigInt(record.expiry - now)],
    ['_source', objectFromJson(source)],
  ]);
  runUpdateScript(script, scripts, ctx, now);
  const op = ctx.get('op') ?? null;
  if (op !== null && typeof op !== 'string') throw notA('java.lang.String', op);
  if (op === 'delete') return { op };
  const changed = sourceOf(ctx);
  if (op !== null && op !== 'index') return { op: 'none', source: changed };
  const timestamp = ctx.get('_timestamp') ?? null;
  return {
    op: 'index',
    source: changed,
    routing: optionalText(ctx.get('_routing')),
    timestamp: timestamp === null ? undefined : textOf(timestamp),
    ttl: timeToLive(ctx.get('_ttl') ?? null),
  };
}

/**
 * Runs a script over the document to create.
 *
 * @returns the document, or null when the script decided against it
 * @throws EngineError as {@link changeByScript}
 */
export function upsertByScript(
  script: ScriptRequest,
  scripts: ScriptLibrary,
  upsert: JsonValue,
  now: number,
): JsonOutput | null {
  if (!isJsonObject(upsert))
    throw new EngineError('ElasticsearchParseException', 'upsert must be an object');
  const ctx: ScriptMap = new Map<string, ScriptValue>([
    ['op', 'create'],
    ['_source', objectFromJson(upsert)],
  ]);
  runUpdateScript(script, scripts, ctx, now);
  return ctx.get('op') === 'create' ? sourceOf(ctx) : null;
}

function sourceOf(ctx: ScriptMap): JsonOutput {
  const source = ctx.get('_source') ?? null;
  if (source instanceof Map) return toOutput(source);
  if (source !== null) throw notA('java.util.Map', source);
  const cause = new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
  throw new EngineError('MapperParsingException', 'failed to parse', { cause });
}

function notA(type: string, value: ScriptValue): EngineError {
  return new EngineError(
    'ClassCastException',
    `class ${javaClassOf(value)} cannot be cast to class ${type}`,
  );
}

function optionalText(value: ScriptValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value);
}

/** Milliseconds as a number, or a time value such as `3h`. */
function timeToLive(value: ScriptValue): number | undefined {
  if (value === null) return undefined;
  return isNumber(value) ? Number(toBigInt(value)) : parseTimeValue(textOf(value));
}
