// Searches and their phases on the wire between main and a search worker.

import type {
  CollectJob,
  FetchedHits,
  FetchJob,
  JsonText,
  Outcome,
  PrepareJob,
  RescoreJob,
  SearchJob,
  SearchOutcome,
  SearchShard,
  SuggestJob,
} from '../plan/executor';
import type { KnownSnapshots, SentSnapshots, ViewReference } from './snapshot-cache';
import type { StorageLocation } from '../../../storage/index';
import type { RenderedHitsBudget } from '../../common/index';

/** The jobs of each kind of request to a search worker. */
export interface SearchRequests {
  readonly search: SearchJob;
  readonly prepare: readonly PrepareJob[];
  readonly collect: readonly CollectJob[];
  readonly rescore: readonly RescoreJob[];
  readonly fetch: readonly FetchJob[];
  readonly suggest: readonly SuggestJob[];
}

type Encoded<T> = Omit<T, 'snapshot'> & { readonly snapshot: ViewReference };

type EncodedSearch = Omit<SearchJob, 'shards'> & {
  readonly shards: readonly Encoded<SearchShard>[];
};

/** A request as it is sent to a thread: snapshots that the thread has are named instead of sent again. */
export function encodeRequest(kind: string, payload: unknown, sent: SentSnapshots): unknown {
  if (kind !== 'search') return encodeAll(payload as readonly PrepareJob[], sent);
  const job = payload as SearchJob;
  return { ...job, shards: encodeAll(job.shards, sent) };
}

/** The shards of a search, to be called as requests arrive. */
export function decodeSearch(payload: unknown, snapshots: KnownSnapshots): SearchJob {
  const job = payload as EncodedSearch;
  return { ...job, shards: decodeAll<SearchShard>(job.shards, snapshots) };
}

/** The jobs of a phase, to be called as requests arrive. */
export function decodeJobs<K extends 'prepare' | 'collect' | 'rescore' | 'fetch' | 'suggest'>(
  payload: unknown,
  snapshots: KnownSnapshots,
): SearchRequests[K] {
  type Job = SearchRequests[K][number];
  return decodeAll<Job>(payload as readonly Encoded<Job>[], snapshots) as SearchRequests[K];
}

function encodeAll<T extends { readonly snapshot: SearchShard['snapshot'] }>(
  items: readonly T[],
  sent: SentSnapshots,
): readonly Encoded<T>[] {
  return items.map((item) => ({ ...item, snapshot: sent.encode(item.snapshot) }));
}

function decodeAll<T extends { readonly snapshot: SearchShard['snapshot'] }>(
  items: readonly Encoded<T>[],
  snapshots: KnownSnapshots,
): readonly T[] {
  return items.map(
    (item) => ({ ...item, snapshot: snapshots.decode(item.snapshot) }) as unknown as T,
  );
}

/** Texts in one piece, so that they are moved together. */
interface PackedTexts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** End of each text in `bytes`. */
  readonly ends: Uint32Array;
}

/** The outcome of a search as it crosses threads. */
export type PackedSearch = Omit<SearchOutcome, 'hits'> & { readonly hits: PackedTexts };

/** Rendered hits as they cross threads. */
export type PackedFetch = readonly Outcome<
  Omit<FetchedHits, 'texts'> & { readonly texts: PackedTexts }
>[];

/** Smaller buffers are copied faster than moved. */
const MIN_MOVED_BYTES = 64 * 1024;

/** Longer texts are made bytes by the thread that wrote them, which main would do otherwise. */
const MAX_TEXT = 16 * 1024;

/** An outcome as it is sent, and the buffers of it that are worth moving. */
export function packSearch(outcome: SearchOutcome): [PackedSearch, ArrayBuffer[]] {
  const hits = packTexts(outcome.hits);
  const moved = buffersToMove([hits]);
  const facets = packLong(outcome.facets, moved);
  const aggregations = packLong(outcome.aggregations, moved);
  return [{ ...outcome, hits, facets, aggregations }, moved];
}

function packLong(texts: SearchOutcome['facets'], moved: ArrayBuffer[]): SearchOutcome['facets'] {
  if (texts === null) return null;
  const packed = new Map<string, JsonText>();
  for (const [name, text] of texts) {
    if (typeof text !== 'string' || text.length <= MAX_TEXT) packed.set(name, text);
    else {
      // Of this size it has a buffer of its own.
      const bytes = new Uint8Array(Buffer.from(text).buffer);
      packed.set(name, bytes);
      if (bytes.length >= MIN_MOVED_BYTES) moved.push(bytes.buffer);
    }
  }
  return packed;
}

/** Always copies: what is shared with others (slabs, caches) must neither be moved nor copied as a whole. */
export function packTexts(texts: readonly Uint8Array[]): PackedTexts {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (let i = 0; i < texts.length; i++) {
    end += texts[i]!.length;
    ends[i] = end;
  }
  const bytes = new Uint8Array(end);
  for (let i = 0; i < texts.length; i++) bytes.set(texts[i]!, i === 0 ? 0 : ends[i - 1]!);
  return { bytes, ends };
}

/** The buffers of packed texts that are worth moving. */
export function buffersToMove(packed: readonly PackedTexts[]): ArrayBuffer[] {
  return packed
    .filter(({ bytes }) => bytes.length >= MIN_MOVED_BYTES)
    .map(({ bytes }) => bytes.buffer);
}

/** The texts that were packed, as views of their bytes. */
export function unpackTexts({ bytes, ends }: PackedTexts): readonly Uint8Array[] {
  return Array.from(ends, (end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

/** What main passes to a search worker. */
export interface SearchWorkerOptions {
  readonly location: StorageLocation;
  readonly cacheBytes: number;
  /** Shared by all threads, and the place of this one in it. */
  readonly renderedHits: RenderedHitsBudget;
  readonly place: number;
  /** Run hot code before the first request, so that it is compiled by then. */
  readonly warmsUp: boolean;
}
