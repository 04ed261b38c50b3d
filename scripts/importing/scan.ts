// Reading all documents of a shard by scan and scroll.

import { writeJson, JsonSyntaxError, type JsonOutput } from '../../engine/json/index';
import { HttpError, TooLargeError, type Connection } from './connection';
import type { ImportedDocument } from './document';
import { numberOf, objectAt, valueAt } from './json-values';
import { firstValue, readPage, type Page } from './page';

const KEEP_ALIVE = '10m';
/** Bytes of a page: what is aimed at, and from where on smaller pages are asked for. */
const PAGE_BYTES = 2 * 1024 * 1024;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
/** Bytes of the only document of a page. */
const MAX_DOCUMENT_BYTES = 512 * 1024 * 1024;
const MAX_PAGE_DOCUMENTS = 2000;
/** Documents of a page that come without their content. */
const LISTED_DOCUMENTS = 5000;
/** How much smaller documents are on the disk, where they are compressed, than in an answer. */
const INFLATION = 4;

/** What is read as one: the documents of a shard, or its percolator queries, which searches leave out. */
export interface Slice {
  readonly index: string;
  /** Null: all types except percolator queries. */
  readonly type: string | null;
  /** Null: all shards, where a server cannot be asked for one. */
  readonly shard: number | null;
}

/** How a server tells when documents were written and how long they live. */
export interface TimeFields {
  readonly isTimestamped: boolean;
  readonly hasTtl: boolean;
  /** By `fielddata_fields`, which give what is indexed; stored fields lack times that are not stored. */
  readonly isExact: boolean;
}

/** What is read of each document. */
export interface ScanOptions {
  readonly times: TimeFields;
  /** False: ids, versions and the like only. */
  readonly withSource: boolean;
  /** Documents of a page; fewer if they are large. */
  readonly pageSize: number;
}

/** A scan that has lost its place; it can only begin again. */
export class BrokenScanError extends Error {}

/** Documents, or the word that all that came before it comes again. */
export type Scanned = readonly ImportedDocument[] | 'anew';

/**
 * All documents of a slice, page by page. The next page is asked for while the caller looks at one. A page
 * that is too large, or that cannot be read, has the scan begin anew in another way.
 *
 * @throws BrokenScanError when pages are missing; HttpError, UnreachableError for the first request
 */
export async function* scan(
  connection: Connection,
  slice: Slice,
  options: ScanOptions,
): AsyncGenerator<Scanned> {
  let { pageSize, withSource } = options;
  for (;;) {
    let isBegun = false;
    try {
      for await (const documents of pages(connection, slice, {
        ...options,
        pageSize,
        withSource,
      })) {
        isBegun = true;
        yield withSource === options.withSource
          ? documents
          : await fetchSources(connection, documents);
      }
      return;
    } catch (error) {
      if (error instanceof TooLargeError && pageSize > 1) {
        pageSize = Math.max(1, Math.floor(pageSize / 8));
      } else if (error instanceof JsonSyntaxError && withSource) {
        withSource = false;
      } else if (isBegun || error instanceof JsonSyntaxError || error instanceof TooLargeError) {
        throw new BrokenScanError(error instanceof Error ? error.message : String(error));
      } else throw error;
    }
    yield 'anew';
  }
}

async function* pages(
  connection: Connection,
  slice: Slice,
  { times, withSource, pageSize }: ScanOptions,
): AsyncGenerator<readonly ImportedDocument[]> {
  const { index, type, shard } = slice;
  const where = encodeURIComponent(index) + (type === null ? '' : `/${encodeURIComponent(type)}`);
  const preference = shard === null ? '' : `&preference=_shards:${shard}`;
  const first = read(
    await connection.text(
      'POST',
      `/${where}/_search?search_type=scan&scroll=${KEEP_ALIVE}&size=${pageSize}${preference}`,
      writeJson(searchBody(times, withSource)),
    ),
    times,
  );
  const maxBytes = pageSize === 1 ? MAX_DOCUMENT_BYTES : MAX_PAGE_BYTES;
  let { scrollId } = first;
  const next = async (): Promise<Page> => {
    // The server has gone on when an answer gets lost: asking again would miss a page.
    const text = await connection
      .text('POST', `/_search/scroll?scroll=${KEEP_ALIVE}`, scrollId ?? '', {
        maxBytes,
        retry: false,
      })
      .catch((error: unknown) => {
        throw error instanceof TooLargeError ? error : brokenBy(error);
      });
    const page = read(text, times);
    if (page.scrollId !== null) ({ scrollId } = page);
    return page;
  };
  try {
    if (scrollId === null) return;
    let waiting = next();
    for (;;) {
      const { documents } = await waiting;
      if (documents.length === 0) return;
      waiting = next();
      // It is awaited later, or nobody wants it any more.
      waiting.catch(() => undefined);
      yield documents;
    }
  } finally {
    if (scrollId !== null) {
      await connection
        .text('DELETE', '/_search/scroll', scrollId, { retry: false })
        .catch(() => undefined);
    }
  }
}

function read(text: string, times: TimeFields): Page {
  const page = readPage(text, { isTimeLeft: !times.isExact, now: Date.now() });
  if (page.failures.length > 0) throw new BrokenScanError(page.failures.join('; '));
  return page;
}

function brokenBy(error: unknown): BrokenScanError {
  return new BrokenScanError(error instanceof Error ? error.message : String(error));
}

/** What a search asks for. */
function searchBody(
  { isTimestamped, hasTtl, isExact }: TimeFields,
  withSource: boolean,
): Record<string, JsonOutput> {
  const times = [...(isTimestamped ? ['_timestamp'] : []), ...(hasTtl ? ['_ttl'] : [])];
  return {
    version: true,
    fields: [
      ...(withSource ? ['_source'] : []),
      ...['_parent', '_routing'],
      ...(isExact ? [] : times),
    ],
    ...(isExact && times.length > 0 ? { fielddata_fields: times } : {}),
  };
}

/** The contents of documents, asked for one by one: an answer with one of them cannot be read. */
async function fetchSources(
  connection: Connection,
  documents: readonly ImportedDocument[],
): Promise<readonly ImportedDocument[]> {
  const fetched: ImportedDocument[] = [];
  for (const document of documents) {
    const { index, type, id, routing } = document;
    const path = [index, type, id ?? '', '_source'].map(encodeURIComponent).join('/');
    const query = routing === null ? '' : `?routing=${encodeURIComponent(routing)}`;
    try {
      const text = await connection.text('GET', `/${path}${query}`);
      fetched.push({ ...document, source: firstValue(text) });
    } catch (error) {
      // Deleted since, or without a source, or nothing that could be read.
      const isGone = error instanceof HttpError && error.status === 404;
      if (!isGone && !(error instanceof JsonSyntaxError)) throw error;
      fetched.push(document);
    }
  }
  return fetched;
}

/**
 * How many documents of an index make a page of some megabytes.
 *
 * @throws UnreachableError
 */
export async function choosePageSize(connection: Connection, index: string): Promise<number> {
  try {
    const stats = await connection.json(
      'GET',
      `/${encodeURIComponent(index)}/_stats?clear=true&docs=true&store=true`,
    );
    const primaries = objectAt(stats, '_all', 'primaries');
    const count = numberOf(valueAt(primaries, 'docs', 'count')) ?? 0;
    const bytes = numberOf(valueAt(primaries, 'store', 'size_in_bytes')) ?? 0;
    if (count === 0) return MAX_PAGE_DOCUMENTS;
    const wanted = Math.ceil(PAGE_BYTES / ((bytes / count) * INFLATION));
    return Math.min(Math.max(wanted, 10), MAX_PAGE_DOCUMENTS);
  } catch (error) {
    if (error instanceof HttpError) return 200;
    throw error;
  }
}

/** The options for reading what is compared, and nothing else. */
export function listing(times: TimeFields): ScanOptions {
  return { times, withSource: false, pageSize: LISTED_DOCUMENTS };
}

/** The numbers of the shards of an index; null where the server does not say. @throws UnreachableError */
export async function listShards(
  connection: Connection,
  index: string,
): Promise<readonly number[] | null> {
  try {
    const answer = await connection.json('GET', `/${encodeURIComponent(index)}/_search_shards`);
    const shards = valueAt(answer, 'shards');
    if (!Array.isArray(shards) || shards.length === 0) return null;
    const numbers = shards.map((copies) =>
      numberOf(valueAt(Array.isArray(copies) ? copies[0] : copies, 'shard')),
    );
    return numbers.every((number) => number !== null) ? numbers : null;
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
}

/** A name for a slice, for people and for the state file. */
export function sliceName({ type, shard }: Slice): string {
  return `${type ?? 'documents'}:${shard ?? 'all'}`;
}

/**
 * Documents by their ids, wherever they are routed to; those that are gone are missing.
 *
 * @throws HttpError, UnreachableError, TooLargeError
 */
export async function fetchByIds(
  connection: Connection,
  { index, type }: { readonly index: string; readonly type: string },
  ids: readonly string[],
  times: TimeFields,
): Promise<readonly ImportedDocument[]> {
  const path = `/${encodeURIComponent(index)}/${encodeURIComponent(type)}/_search?size=${ids.length}`;
  const search = async (withSource: boolean): Promise<Page> => {
    const body = { ...searchBody(times, withSource), query: { ids: { type, values: ids } } };
    return read(await connection.text('POST', path, writeJson(body)), times);
  };
  try {
    return (await search(true)).documents;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return fetchSources(connection, (await search(false)).documents);
  }
}
