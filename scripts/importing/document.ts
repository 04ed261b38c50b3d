// A document on its way, and the lines of a bulk request for it.

import { JsonNumber, parseJson, writeJson, type JsonOutput } from '../../engine/json/index';

/** Levels of documents; what the target takes is its affair. */
export const MAX_DEPTH = 10_000;

/** Where a document belongs, and which state of it this is. */
export interface DocumentState {
  readonly index: string;
  readonly type: string;
  /** Null: the target makes one. */
  readonly id: string | null;
  /** A number of up to 64 bits; null where the source keeps none. */
  readonly version: string | null;
  readonly routing: string | null;
  readonly parent: string | null;
  /** Milliseconds since 1970. */
  readonly timestamp: number | null;
  /** When its time to live is over, in milliseconds since 1970. */
  readonly expires: number | null;
}

/** A document with its content. */
export interface ImportedDocument extends DocumentState {
  /** One JSON object in the source's own spelling; null where the source keeps none. */
  readonly source: string | null;
}

/** How a target compares versions (`version_type`). */
export type VersionType = 'external' | 'external_gte';

/** Whether the time of a document is over. */
export function isExpired({ expires }: DocumentState, now: number): boolean {
  return expires !== null && expires <= now;
}

/** The two lines of a bulk request that write a document. */
export function bulkLines(
  document: ImportedDocument & { readonly source: string },
  versionType: VersionType,
  now: number,
): string {
  const { index, type, id, version, routing, parent, timestamp, expires } = document;
  const action: Record<string, JsonOutput | undefined> = {
    _index: index,
    _type: type,
    _id: id ?? undefined,
    _routing: routing ?? undefined,
    _parent: parent ?? undefined,
    _timestamp: timestamp ?? undefined,
    _ttl: expires === null ? undefined : expires - (timestamp ?? now),
  };
  if (version !== null) {
    action['_version'] = new JsonNumber(version);
    action['_version_type'] = versionType;
  }
  return `${writeJson({ index: action })}\n${oneLine(document.source)}\n`;
}

/** The line of a bulk request that deletes a document, if it is still the one that was seen. */
export function deleteLine({ index, type, id, version, routing }: DocumentState): string {
  const action = {
    ...{ _index: index, _type: type, _id: id, _routing: routing ?? undefined },
    _version: version === null ? undefined : new JsonNumber(version),
  };
  return `${writeJson({ delete: action })}\n`;
}

/** JSON text without line breaks: outside of comments they are blanks, and strings have none. */
export function oneLine(json: string): string {
  if (!/[\n\r]/.test(json)) return json;
  // A comment would take in what is below it.
  if (json.includes('//')) return writeJson(parseJson(json, MAX_DEPTH));
  return json.replace(/[\n\r]/g, ' ');
}
