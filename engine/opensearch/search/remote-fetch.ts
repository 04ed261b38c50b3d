// Showing hits of OpenSearch: their records as they came, rendered as ever. What is worked out of the
// documents themselves is worked out in a segment of just these.

import type { LogRecord, LogReader } from '../../../storage/index';
import { atOnce } from '../../common/index';
import type { IndexMapping } from '../../mapping/index';
import { type FetchedHits, type FetchJob, renderHits } from '../../search/index';
import { foundSegment } from '../layout/found-segment';
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
  const documents = needsDocuments(job)
    ? atOnce(foundSegment(documentsOf(job.hits, records), mapping))
    : null;
  const log: LogReader = {
    readRecord: (_shard, sequence) => records.get(sequence) as LogRecord | undefined,
    readUid: () => undefined,
  };
  const hits =
    documents === null
      ? job.hits
      : job.hits.map((hit) => {
          const doc = documents.places.get(hit.sequence) ?? 0;
          return { ...hit, segment: 0, doc };
        });
  const open = () => (documents === null ? [] : [documents.segment.reader]);
  const nothing = (): void => undefined;
  try {
    const reads = { open, log, hold: nothing, mark: nothing };
    return atOnce(renderHits({ ...job, hits }, reads, Date.now));
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

/** The documents of hits, in the order in which they were written. */
function documentsOf(
  hits: FetchJob['hits'],
  records: ReadonlyMap<number, LogRecord>,
): ReadonlyMap<number, LogRecord> {
  const sequences = [...new Set(hits.map(({ sequence }) => sequence))].sort((a, b) => a - b);
  const known = sequences.filter((sequence) => records.has(sequence));
  return new Map(known.map((sequence) => [sequence, records.get(sequence)!]));
}
