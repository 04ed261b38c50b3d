// A few writes to one index, parsed against its mapping before the committer takes them.

import type { DocumentWrite } from './document-write';
import { RECORD_OVERHEAD } from './log-units';
import { EngineError } from '../errors';
import { mergeDynamic, VALIDATE_ONLY } from '../mapping/index';
import type { IndexMetadata } from '../metadata/index';
import { timesIndexing, type IndexService } from '../shard/index';

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

/**
 * Parses writes with the mapping of `base`, and what each adds to it for those after it. What is wrong with a
 * document becomes its result.
 */
export function parseChunk(
  indexService: IndexService,
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
      const parsed = parseOne(indexService, write, next);
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
  indexService: IndexService,
  write: DocumentWrite,
  metadata: IndexMetadata,
): { next: IndexMetadata; source: Buffer | EngineError } {
  const analysis = indexService.analysis(metadata);
  const limits = indexService.mappingLimits;
  let next = metadata;
  if (indexService.mapping(next).documentMapper(write.type) === null) {
    next = mergeDynamic(next, write.type, new Map(), analysis, limits);
  }
  const mapper = indexService.mapping(next).documentMapper(write.type)!;
  const parsed = mapper.parse(write.source, write.envelope, VALIDATE_ONLY);
  const { mappingUpdate, error, source } = parsed;
  if (mappingUpdate !== null) {
    next = mergeDynamic(next, write.type, mappingUpdate, analysis, limits);
  }
  return { next, source: error ?? source };
}
