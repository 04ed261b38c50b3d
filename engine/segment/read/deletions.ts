// Deletions of a segment: a bitmap in chunks of 4 KB, of which only the changed ones are written anew
// (docs/format-segments.md, "Deletions").

import type { CommittedSegment } from '../../../storage/index';
import { Bitset, NO_MORE_DOCS } from '../contract/bitset';
import { DELETION_CHUNK_DOCS } from '../format/format';
import type { SegmentReader } from '../contract/reader';
import type { SegmentContents } from './segment-contents';

const CHUNK_WORDS = DELETION_CHUNK_DOCS / 32;

/** A segment with more deletions, and the chunks to write before it may be committed. */
interface AppliedDeletions {
  readonly segment: CommittedSegment;
  readonly chunks: readonly {
    readonly chunk: number;
    readonly generation: number;
    readonly bits: Buffer;
  }[];
}

/** Grows with every change of a segment's deletions; 0 while there are none. */
export function deletionGeneration(meta: CommittedSegment): number {
  let sum = 0;
  for (const generation of meta.deletionChunks) sum += generation;
  return sum;
}

/**
 * The live documents of a segment, or null when nothing is deleted.
 *
 * @throws CorruptionError from the store
 */
export function readLiveDocs(meta: CommittedSegment, contents: SegmentContents): Bitset | null {
  const generation = deletionGeneration(meta);
  if (generation === 0) return null;
  return contents.cached(`live/${generation}`, 'liveDocs', bitsetBytes, () => {
    const live = Bitset.full(meta.docCount);
    meta.deletionChunks.forEach((chunkGeneration, chunk) => {
      if (chunkGeneration === 0) return;
      const bits = contents.file.source.readDeletions(meta.id, chunk, chunkGeneration);
      const from = chunk * CHUNK_WORDS;
      for (let i = 0; i + 4 <= bits.length; i += 4)
        live.words[from + (i >>> 2)]! &= ~bits.readUInt32LE(i);
    });
    return live;
  });
}

/**
 * Deletes root documents, each with its nested documents. Documents already deleted stay so.
 *
 * @param reader the segment as `meta` describes it
 * @param roots numbers of root documents, in any order
 * @param generation of the changed chunks: higher than any used for this segment before
 */
export function applyDeletions(
  meta: CommittedSegment,
  reader: Pick<SegmentReader, 'docCount' | 'liveDocs' | 'roots'>,
  roots: Iterable<number>,
  generation: number,
): AppliedDeletions {
  const live = (reader.liveDocs ?? Bitset.full(meta.docCount)).clone();
  const changed = new Set<number>();
  let deletedRoots = 0;
  let deleted = 0;
  for (const root of roots) {
    if (!(root >= 0 && root < meta.docCount)) throw new RangeError(`no document ${root}`);
    if (!live.has(root)) continue;
    deletedRoots++;
    for (let doc = firstOf(reader.roots, root); doc <= root; doc++) {
      live.remove(doc);
      changed.add(Math.floor(doc / DELETION_CHUNK_DOCS));
      deleted++;
    }
  }
  if (deleted === 0) return { segment: meta, chunks: [] };
  const chunkCount = Math.ceil(meta.docCount / DELETION_CHUNK_DOCS);
  const deletionChunks = Array.from({ length: chunkCount }, (_, chunk) =>
    changed.has(chunk) ? generation : (meta.deletionChunks[chunk] ?? 0),
  );
  return {
    segment: {
      ...meta,
      deletedCount: meta.deletedCount + deleted,
      deletedRootCount: meta.deletedRootCount + deletedRoots,
      deletionChunks,
    },
    chunks: [...changed]
      .sort((a, b) => a - b)
      .map((chunk) => ({ chunk, generation, bits: chunkBits(live, chunk) })),
  };
}

/** The first nested document of a root, or the root itself. */
function firstOf(roots: Bitset | null, root: number): number {
  let doc = root;
  if (roots !== null) while (doc > 0 && !roots.has(doc - 1)) doc--;
  return doc;
}

function chunkBits(live: Bitset, chunk: number): Buffer {
  const from = chunk * CHUNK_WORDS;
  const to = Math.min(from + CHUNK_WORDS, live.words.length);
  const bits = Buffer.alloc((to - from) * 4);
  for (let i = from; i < to; i++) {
    // Behind the last document nothing is live; it is not deleted either.
    const beyond = i * 32 + 32 - live.size;
    const mask = beyond > 0 ? 0xffffffff >>> beyond : 0xffffffff;
    bits.writeUInt32LE((~live.words[i]! & mask) >>> 0, (i - from) * 4);
  }
  return bits;
}

/**
 * Root documents deleted in `after` but not in `before`, two generations of one segment: what a merge that
 * began with `before` has to carry over.
 */
export function newlyDeletedRoots(
  before: Pick<SegmentReader, 'docCount' | 'liveDocs' | 'roots'>,
  after: Pick<SegmentReader, 'liveDocs'>,
): number[] {
  const now = after.liveDocs;
  if (now === null) return [];
  const gone = (before.liveDocs ?? Bitset.full(before.docCount)).clone().andNot(now);
  if (before.roots !== null) gone.and(before.roots);
  const docs: number[] = [];
  for (let doc = gone.next(0); doc !== NO_MORE_DOCS; doc = gone.next(doc + 1)) docs.push(doc);
  return docs;
}

function bitsetBytes(set: Bitset): number {
  return set.words.byteLength;
}
