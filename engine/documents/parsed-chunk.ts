// A few writes to one index, parsed against its mapping before the committer takes them.

import type { DocumentWrite } from './document-write';
import { EngineError } from '../errors';
import { mergeDynamic, VALIDATE_ONLY } from '../mapping/index';
import type { IndexMetadata } from '../metadata/index';
import { timesIndexing, type IndexRuntime } from '../shard/index';

/** Writes of one unit of work at most; keeps the committer's turns short. */
const CHUNK_WRITES = 128;
const CHUNK_BYTES = 512 * 1024;
/** Bytes a record takes beyond its source: keys, ids, uid entry, checksums. */
const RECORD_OVERHEAD = 160;

const NO_SOURCE = Buffer.alloc(0);

/** Writes that are committed as one unit of work. */
export interface ParsedChunk {
  readonly writes: readonly DocumentWrite[];
  /** Source as stored; or why the document is refused. */
  readonly sources: readonly (Buffer | EngineError)[];
  /** Metadata parsed against. */
  readonly base: IndexMetadata;
  /** `base` with what the documents add to the mapping. */
  readonly next: IndexMetadata;
  readonly bytes: number;
  /** Milliseconds that parsing took. */
  readonly ms: number;
  /** The same of each document; null when nothing can be slow. */
  readonly msEach: Float64Array | null;
}

/** The end of the chunk that starts at `from`. */
export function chunkEnd(writes: readonly DocumentWrite[], from: number): number {
  let bytes = 0;
  let to = from;
  while (to < writes.length && to - from < CHUNK_WRITES && (to === from || bytes < CHUNK_BYTES)) {
    bytes += writes[to]!.source.length;
    to++;
  }
  return to;
}

/**
 * Parses writes with the mapping of `base`, and what each adds to it for those after it. What is wrong with a
 * document becomes its result.
 */
export function parseChunk(
  runtime: IndexRuntime,
  writes: readonly DocumentWrite[],
  base: IndexMetadata,
): ParsedChunk {
  const started = performance.now();
  let next = base;
  let bytes = 0;
  const msEach = timesIndexing(base.settings) ? new Float64Array(writes.length) : null;
  const sources = writes.map((write, i) => {
    bytes += RECORD_OVERHEAD + write.source.length;
    if (write.kind === 'delete') return NO_SOURCE;
    const begun = msEach === null ? 0 : performance.now();
    try {
      const parsed = parseOne(runtime, write, next);
      next = parsed.next;
      if (msEach !== null) msEach[i] = performance.now() - begun;
      return parsed.source;
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
  });
  return { writes, sources, base, next, bytes, ms: performance.now() - started, msEach };
}

function parseOne(
  runtime: IndexRuntime,
  write: DocumentWrite,
  metadata: IndexMetadata,
): { next: IndexMetadata; source: Buffer | EngineError } {
  let next = metadata;
  if (runtime.mapping(next).documentMapper(write.type) === null) {
    next = mergeDynamic(next, write.type, new Map(), runtime.analysis(next));
  }
  const mapper = runtime.mapping(next).documentMapper(write.type)!;
  const parsed = mapper.parse(write.source, write.envelope, VALIDATE_ONLY);
  const { mappingUpdate, error, source } = parsed;
  if (mappingUpdate !== null) {
    next = mergeDynamic(next, write.type, mappingUpdate, runtime.analysis(next));
  }
  return { next, source: error ?? source };
}
