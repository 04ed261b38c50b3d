// Segments as somebody sees them who may see some of their documents only: the others look deleted. Whatever
// looks at documents leaves deleted ones out, so none of it has to know.

import { bindFilter, type Query } from '../../query/index';
import { Bitset, NO_MORE_DOCS, type SegmentReader, type ShardSnapshot } from '../../segment/index';
import { isSegmentLocal } from '../../query/index';

const CACHE_KIND = 'documentView';
/** Bytes of a reader besides its set. */
const READER_BYTES = 500;

/** Names what is worked out for a confined reader apart from what is kept for others of the segment. */
let generations = 0;

/** The readers of a snapshot, confined to the documents that it shows. */
export function confinedReaders(
  readers: readonly SegmentReader[],
  view: ShardSnapshot['view'],
): readonly SegmentReader[] {
  if (view === undefined) return readers;
  const filter = view.filter as Query;
  const bound = { weight: null as ReturnType<typeof bindFilter> | null };
  const others = isSegmentLocal(filter)
    ? ''
    : readers.map((each) => `${each.segmentId}:${each.deletionGeneration}`).join();
  return readers.map((reader) => {
    const key = `view/${reader.deletionGeneration}/${view.key}/${others}`;
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
