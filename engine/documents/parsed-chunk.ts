// A few writes to one index, parsed against its mapping before the committer takes them.

import type { DocumentWrite } from './document-write';
import { RECORD_OVERHEAD } from './log-units';
import { atOnce } from '../common/index';
import { EngineError } from '../errors';
import {
  joinUpdates,
  mergeDynamicSteps,
  PERCOLATOR_TYPE,
  VALIDATE_ONLY,
  type DocumentMapper,
  type DocumentOutcome,
} from '../mapping/index';
import type { JsonObject } from '../json/index';
import type { IndexMetadata } from '../metadata/index';
import type { QueryRegistry } from '../percolator/index';
import { timesIndexing, type WritableIndex } from '../shard/index';

const NO_SOURCE = Buffer.alloc(0);

/** Errors of documents that had added to the mapping before they were refused. */
const afterAdditions = new WeakSet<EngineError>();

/** Whether a document was refused only after it had added a type or fields to the mapping. */
export function addedBefore(error: EngineError): boolean {
  return afterAdditions.has(error);
}

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
 *
 * @param queries checks the documents that are stored queries
 * @param maxMs how long it may take when the mapping changes, which costs the more the larger it is; the
 *   chunk has only the first of the writes then, and the change is made in steps
 */
export function* parseChunk(
  indexService: WritableIndex,
  writes: readonly DocumentWrite[],
  base: IndexMetadata,
  queries: Pick<QueryRegistry, 'check'>,
  maxMs: number,
): Generator<void, ParsedChunk, void> {
  const started = performance.now();
  const msEach = timesIndexing(base.settings) ? new Float64Array(writes.length) : null;
  const parser = new ChunkParser(indexService, writes, base, queries);
  let bytes = 0;
  let taken = 0;
  let changes = 0;
  for (const write of writes) {
    if (parser.changes > changes) {
      changes = parser.changes;
      if (performance.now() - started > maxMs) break;
    }
    bytes += RECORD_OVERHEAD + write.source.length;
    const begun = msEach === null ? 0 : performance.now();
    parser.take(taken);
    if (msEach !== null) msEach[taken] = performance.now() - begun;
    taken++;
  }
  if (performance.now() - started > maxMs) yield* parser.mergeAdditions();
  else parser.mergeAtOnce();
  return {
    writes: taken === writes.length ? writes : writes.slice(0, taken),
    sources: parser.sources,
    base,
    next: parser.next,
    bytes,
    ms: performance.now() - started,
    msEach,
  };
}

/** What documents of a type add to it and is not merged into its mapping yet. */
interface Additions {
  readonly type: string;
  readonly update: JsonObject;
  /** The documents, by place in the chunk. */
  readonly places: number[];
}

/**
 * Parses the writes of a chunk one after the other. What they add to the mapping is merged together, as long
 * as no document has anything to do with what those before it add: nobody can tell it from one by one.
 */
class ChunkParser {
  readonly sources: (Buffer | EngineError)[] = [];
  /** How often the mapping was changed. */
  changes = 0;
  private additions: Additions | null = null;

  constructor(
    private readonly indexService: WritableIndex,
    private readonly writes: readonly DocumentWrite[],
    public next: IndexMetadata,
    private readonly queries: Pick<QueryRegistry, 'check'>,
  ) {}

  /** Parses the write at a place, the one after the last. */
  take(place: number): void {
    const write = this.writes[place]!;
    if (write.kind === 'delete') {
      this.sources[place] = NO_SOURCE;
      return;
    }
    const isNewType = write.type !== PERCOLATOR_TYPE && this.mapper(write.type) === null;
    try {
      let parsed = this.parse(write);
      if (!this.joins(write.type, parsed, place)) {
        this.mergeAtOnce();
        parsed = this.parse(write);
        this.joins(write.type, parsed, place);
      }
      const { error, mappingUpdate } = parsed;
      if (error !== null && (isNewType || mappingUpdate !== null)) afterAdditions.add(error);
      this.sources[place] = error ?? parsed.source;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (isNewType && this.mapper(write.type) !== null) afterAdditions.add(error);
      this.sources[place] = error;
    }
  }

  /** Puts what the documents so far add into the mapping. */
  mergeAtOnce(): void {
    atOnce(this.mergeAdditions());
  }

  /** The same in steps, because it takes the longer the more there is. */
  *mergeAdditions(): Generator<void, void, void> {
    const { additions } = this;
    if (additions === null) return;
    this.additions = null;
    yield;
    try {
      yield* this.merge(additions.type, additions.update);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // They are too many together, or one of them cannot be merged: one by one it shows which.
      for (const place of additions.places) this.sources[place] = this.parseAlone(place);
    }
  }

  /** Takes what a document adds; false when what is not merged yet may make a difference to it. */
  private joins(type: string, { mappingUpdate, error }: DocumentOutcome, place: number): boolean {
    const { additions } = this;
    if (additions === null) {
      if (mappingUpdate !== null) this.additions = { type, update: mappingUpdate, places: [place] };
      return true;
    }
    if (mappingUpdate === null || error !== null) return mappingUpdate === null && error === null;
    if (type !== additions.type || !joinUpdates(additions.update, mappingUpdate)) return false;
    additions.places.push(place);
    return true;
  }

  private parseAlone(place: number): Buffer | EngineError {
    const write = this.writes[place]!;
    try {
      const { mappingUpdate, error, source } = this.parse(write);
      if (mappingUpdate !== null) atOnce(this.merge(write.type, mappingUpdate));
      return error ?? source;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return error;
    }
  }

  private parse({ type, source, envelope }: DocumentWrite): DocumentOutcome {
    if (this.mapper(type) === null) {
      this.mergeAtOnce();
      atOnce(this.merge(type, new Map()));
    }
    const outcome = this.mapper(type)!.parse(source, envelope, VALIDATE_ONLY);
    if (type !== PERCOLATOR_TYPE || outcome.error !== null) return outcome;
    const mapping = this.indexService.mapping(this.next);
    return { ...outcome, error: this.queries.check(this.next, mapping, envelope.id, source) };
  }

  private mapper(type: string): DocumentMapper | null {
    return this.indexService.mapping(this.next).documentMapper(type);
  }

  private *merge(type: string, update: JsonObject): Generator<void, void, void> {
    const analysis = this.indexService.analysis(this.next);
    const { mappingLimits } = this.indexService;
    this.next = yield* mergeDynamicSteps(this.next, type, update, analysis, mappingLimits);
    this.changes++;
  }
}
