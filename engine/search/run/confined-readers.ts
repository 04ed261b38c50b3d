// Segments as somebody sees them who may see some of their documents or fields only. The other documents look
// deleted, and the other fields look as if no document had them: whatever looks at documents leaves deleted
// ones out, so none of it has to know.

import type { LogReader } from '../../../storage/index';
import { bindFilter, isSegmentLocal, type Query } from '../../query/index';
import {
  Bitset,
  NO_MORE_DOCS,
  type SeenFields,
  type SegmentCache,
  type SegmentReader,
  seenRecord,
  type SnapshotView,
} from '../../segment/index';

const CACHE_KIND = 'documentView';
/** Bytes of a reader besides its set. */
const READER_BYTES = 500;

/** Names what is worked out for a confined reader apart from what is kept for others of the segment. */
let generations = 0;

/** The readers of a snapshot, confined to what it shows. */
export function confinedReaders(
  readers: readonly SegmentReader[],
  view: SnapshotView | undefined,
): readonly SegmentReader[] {
  if (view === undefined) return readers;
  const { fields, key } = view;
  const some = view.filter === null ? readers : someDocuments(readers, view.filter as Query, key);
  return fields === null ? some : some.map((reader) => someFields(reader, fields, key));
}

/** The document log, with as much of each record as a view shows. */
export function seenLog(log: LogReader, view: SnapshotView | undefined): LogReader {
  const fields = view?.fields ?? null;
  if (fields === null) return log;
  return {
    readUid: (shard, type, id) => log.readUid(shard, type, id),
    readRecord: (shard, sequence) => {
      const record = log.readRecord(shard, sequence);
      return record === undefined ? undefined : seenRecord(record, fields);
    },
  };
}

/** A segment with some of its fields. What is worked out for it is kept apart. */
function someFields(reader: SegmentReader, fields: SeenFields, view: string): SegmentReader {
  const { ids } = fields;
  const ifSeen =
    <T>(read: (field: number) => T | null) =>
    (field: number): T | null =>
      ids.has(field) ? read(field) : null;
  const hiding: Partial<SegmentReader> = {
    cache: new CacheOfView(reader.cache, `fields/${view}/`),
    fields: () => reader.fields().filter(({ id }) => ids.has(id)),
    terms: ifSeen((field) => reader.terms(field)),
    norms: ifSeen((field) => reader.norms(field)),
    numeric: ifSeen((field) => reader.numeric(field)),
    ordinals: ifSeen((field) => reader.ordinals(field)),
    geo: ifSeen((field) => reader.geo(field)),
    presence: ifSeen((field) => reader.presence(field)),
    completions: ifSeen((field) => reader.completions(field)),
    record: (doc) => {
      const record = reader.record(doc);
      return record === null ? null : seenRecord(record, fields);
    },
  };
  const own = Object.entries(hiding).map(([name, value]) => [name, { value }] as const);
  return Object.create(reader, Object.fromEntries(own)) as SegmentReader;
}

/** What is kept of a segment for those who see the same of it. */
class CacheOfView implements SegmentCache {
  constructor(
    private readonly inner: SegmentCache,
    private readonly prefix: string,
  ) {}

  get<T>(key: string, kind: string): T | undefined {
    return this.inner.get<T>(this.prefix + key, kind);
  }

  put(key: string, kind: string, value: object, bytes: number): void {
    this.inner.put(this.prefix + key, kind, value, bytes);
  }

  askedBefore(key: string): boolean {
    return this.inner.askedBefore(this.prefix + key);
  }

  countMiss(kind: string): void {
    this.inner.countMiss(kind);
  }
}

function someDocuments(
  readers: readonly SegmentReader[],
  filter: Query,
  view: string,
): readonly SegmentReader[] {
  const bound = { weight: null as ReturnType<typeof bindFilter> | null };
  const others = isSegmentLocal(filter)
    ? ''
    : readers.map((each) => `${each.segmentId}:${each.deletionGeneration}`).join();
  return readers.map((reader) => {
    const key = `view/${reader.deletionGeneration}/${view}/${others}`;
    const known = reader.cache.get<SegmentReader>(key, CACHE_KIND);
    if (known !== undefined) return known;
    bound.weight ??= bindFilter(filter, readers);
    const confined = confine(reader, bound.weight.matches(reader));
    const bytes = READER_BYTES + confined.liveDocs!.words.byteLength;
    reader.cache.put(key, CACHE_KIND, confined, bytes);
    return confined;
  });
}

/** @param matching root documents that are seen, among others that do not count; null: none */
function confine(reader: SegmentReader, matching: Bitset | null): SegmentReader {
  const { docCount, roots, liveDocs } = reader;
  const seen = new Bitset(docCount);
  if (matching !== null) {
    // The nested documents of a root stand directly before it.
    let first = 0;
    for (let root = nextRoot(roots, 0, docCount); root !== NO_MORE_DOCS;) {
      if (matching.has(root)) for (let doc = first; doc <= root; doc++) seen.add(doc);
      first = root + 1;
      root = nextRoot(roots, first, docCount);
    }
    if (liveDocs !== null) seen.and(liveDocs);
  }
  return Object.create(reader, {
    liveDocs: { value: seen },
    deletedCount: { value: docCount - seen.count() },
    deletionGeneration: { value: -++generations },
  }) as SegmentReader;
}

function nextRoot(roots: Bitset | null, from: number, docCount: number): number {
  if (from >= docCount) return NO_MORE_DOCS;
  return roots === null ? from : roots.next(from);
}
