// What a document brings along besides its body, and how its record is read back from OpenSearch.

import { JsonNumber, type JsonValue, parseJson, writeJson } from '../../json/index';
import type { DocumentEnvelope } from '../../mapping/index';
import type { LogRecord } from '../../../storage/index';

/** The depth of {@link writeEnvelope}. */
const DEPTH = 2;

/** The envelope without the id, as text. */
export function writeEnvelope({ routing, parent, timestamp, expiry }: DocumentEnvelope): string {
  return writeJson([routing, parent, timestamp, expiry]);
}

/** The `_id` of a document in OpenSearch. */
export function documentId(type: string, id: string): string {
  return `${type}#${id}`;
}

/**
 * The record of a document that OpenSearch has.
 *
 * @param id its `_id` there
 * @param envelope what {@link writeEnvelope} wrote
 */
export function recordOf(id: string, version: number, source: string, envelope: string): LogRecord {
  const at = id.indexOf('#');
  const [routing, parent, timestamp, expiry] = parseJson(envelope, DEPTH) as JsonValue[];
  return {
    op: 'index',
    type: id.slice(0, at),
    id: id.slice(at + 1),
    version,
    routing: textOf(routing),
    parent: textOf(parent),
    timestamp: numberOf(timestamp),
    expiry: numberOf(expiry),
    supersedes: 0,
    source: Buffer.from(source),
  };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: JsonValue | undefined): number | null {
  return value instanceof JsonNumber ? Number(value.text) : null;
}
