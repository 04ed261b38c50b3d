// Showing hits of OpenSearch: their records as they came, rendered as ever. What is worked out of the
// documents themselves is worked out in a segment of just these.

import type { LogRecord, LogReader } from '../../../storage/index';
import type { IndexMapping } from '../../mapping/index';
import { type FetchedHits, type FetchJob, renderHits } from '../../search/index';
import { type MemorySegment, MemorySegments, SegmentBuilder } from '../../segment/index';
import { unsupported } from '../layout/unsupported';

/** Records of a shard, by sequence number. */
export interface FoundRecords {
  readonly records: Map<number, LogRecord>;
  /** `_id` in OpenSearch, by sequence number. */
  readonly ids: Map<number, string>;
}

/**
 * Renders hits.
 *
 * @param found by the position of the shard
 * @throws EngineError for what needs other documents than those
 */
export function renderFound(
  job: FetchJob,
  found: ReadonlyMap<number, FoundRecords>,
  mapping: IndexMapping,
): FetchedHits {
  if (job.fetch.innerHits?.some(({ target }) => target.kind === 'related') === true) {
    throw unsupported('[inner_hits] of parents and children', 'documents are not joined');
  }
  const [first] = job.hits;
  const records = (first === undefined ? undefined : found.get(first.shard))?.records ?? new Map();
  const documents = needsDocuments(job) ? new FoundDocuments(job, records, mapping) : null;
  const log: LogReader = {
    readRecord: (_shard, sequence) => records.get(sequence) as LogRecord | undefined,
    readUid: () => undefined,
  };
  const hits = documents === null ? job.hits : documents.hits;
  const open = () => (documents === null ? [] : [documents.segment.reader]);
  const nothing = (): void => undefined;
  try {
    const steps = renderHits(
      { ...job, hits },
      { open, log, hold: nothing, mark: nothing },
      Date.now,
    );
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  } finally {
    documents?.segment.close();
  }
}

function needsDocuments({ fetch, named, explained }: FetchJob): boolean {
  const { highlight, fielddataFields, scriptFields, innerHits } = fetch;
  return (
    highlight !== null ||
    fielddataFields.length + scriptFields.length + (innerHits?.length ?? 0) > 0 ||
    named.length > 0 ||
    explained !== null
  );
}

/** The documents of hits as a segment. */
class FoundDocuments {
  readonly segment: MemorySegment;
  readonly hits: FetchJob['hits'];

  constructor(job: FetchJob, records: ReadonlyMap<number, LogRecord>, mapping: IndexMapping) {
    const builder = new SegmentBuilder();
    const places = new Map<number, number>();
    const sequences = new Set(job.hits.map(({ sequence }) => sequence));
    for (const sequence of [...sequences].sort((a, b) => a - b)) {
      const record = records.get(sequence);
      if (record === undefined || record.op !== 'index') continue;
      builder.beginDocument(sequence);
      mapping.documentMapper(record.type)?.parse(record.source, record, builder);
      builder.endDocument();
      places.set(sequence, builder.docCount - 1);
    }
    this.segment = new MemorySegments().open(builder.finish(), records);
    this.hits = job.hits.map((hit) => ({ ...hit, segment: 0, doc: places.get(hit.sequence) ?? 0 }));
  }
}
