// What a record of the source's document log becomes in the destination: a write, or nothing.

import type { ReindexRequest } from '../api/index';
import { changeByScript, type DocumentWrite } from '../documents/index';
import { illegalArgument } from '../errors';
import { decodeUtf8, parseJsonObject, writeJson } from '../json/index';
import { resolveEnvelope, type IndexMapping } from '../mapping/index';
import { shardOf } from '../metadata/index';
import type { ScriptLibrary, ScriptRequest } from '../script/index';
import { FORGOTTEN, type LogRecord } from '../../storage/index';

/** Where copies go, and how they are numbered. */
export interface Carrier {
  readonly request: ReindexRequest;
  readonly script: ScriptRequest | null;
  /** Of the source. */
  readonly index: string;
  /** Of the destination. */
  readonly mapping: IndexMapping;
  readonly destination: string;
  readonly shards: number;
  /** The request made the destination: nobody else's documents are in it. */
  readonly isNew: boolean;
  readonly scripts: ScriptLibrary;
  /** Epoch milliseconds. */
  readonly now: number;
}

const NO_SOURCE = Buffer.alloc(0);

/** Removes what an earlier record of the document was copied to. */
export function carryDeletion(carrier: Carrier, record: LogRecord): DocumentWrite {
  const { id, routing } = record;
  return {
    kind: 'delete',
    shard: shardOf(routing ?? id, carrier.shards),
    alias: null,
    type: carrier.request.destination.type ?? record.type,
    id,
    envelope: { id, routing, parent: null, timestamp: null, expiry: null },
    create: false,
    ...versionOf(carrier, record),
    source: NO_SOURCE,
    ...(record.timestamp === FORGOTTEN ? { forgetsVersion: true } : {}),
  };
}

/**
 * Writes a document as it is in the source, or as a script makes it.
 *
 * @returns null when the script leaves it out
 * @throws EngineError when there cannot be such a document in the destination
 */
export function carryDocument(carrier: Carrier, record: LogRecord): DocumentWrite | null {
  const { request, script, index, mapping, scripts, now } = carrier;
  let { source } = record;
  if (script !== null) {
    const current = parseJsonObject(decodeUtf8(record.source));
    const change = changeByScript(script, scripts, index, record, current, now);
    if (change.op !== 'index') return null;
    // A later deletion in the source would look for the copy on another shard.
    if ((change.routing ?? record.routing) !== record.routing) {
      throw illegalArgument('a script cannot change the routing of a document that is copied');
    }
    source = Buffer.from(writeJson(change.source));
  }
  const type = request.destination.type ?? record.type;
  const { id, routing } = record;
  const rules = mapping.envelopeRules(type);
  const resolved = resolveEnvelope(mapping, {
    index: carrier.destination,
    type,
    id,
    routing: routing ?? undefined,
    parent: rules.parentType === null ? undefined : (record.parent ?? undefined),
    timestamp: undefined,
    ttl: undefined,
    source,
    now,
  });
  return {
    kind: 'index',
    shard: shardOf(resolved.routing ?? id, carrier.shards),
    alias: null,
    type,
    id,
    envelope: {
      id,
      routing: resolved.routing,
      parent: resolved.parent,
      timestamp: rules.timestamp.enabled ? (record.timestamp ?? resolved.timestamp) : null,
      expiry: rules.ttl.enabled ? (record.expiry ?? resolved.expiry) : null,
    },
    create: request.destination.create,
    ...versionOf(carrier, record),
    source,
  };
}

function versionOf(
  { request, isNew }: Carrier,
  { version }: LogRecord,
): Pick<DocumentWrite, 'version' | 'versionType'> {
  const { versionType } = request.destination;
  if (versionType === 'external') return { version, versionType: 'external_gte' };
  if (versionType === undefined && isNew) return { version, versionType: 'force' };
  return { version: undefined, versionType: 'internal' };
}
