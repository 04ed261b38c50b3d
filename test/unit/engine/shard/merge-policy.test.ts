// The merge policy on its own: what it chooses, and how many segments and how much writing it leads to over
// ten thousand refreshes.

import {
  chooseMerge,
  chooseOptimize,
  chooseRestMerge,
  DEFAULT_MERGE_POLICY,
  type MergeRange,
} from '../../../../engine/shard/merge-policy';
import type { CommittedSegment } from '../../../../storage/types';
import { Random } from '../../../support/random';

const KB = 1024;
const MB = 1024 * KB;
const GB = 1024 * MB;
const { segmentsPerTier, floorBytes, maxMergedBytes, reclaimShare } = DEFAULT_MERGE_POLICY;
const NOTHING_BUSY: ReadonlySet<number> = new Set();

/** Documents of 512 bytes. */
function segment(id: number, bytes: number, deletedShare = 0): CommittedSegment {
  const docCount = Math.max(1, Math.round(bytes / 512));
  const deletedCount = Math.round(docCount * deletedShare);
  return {
    id,
    blocks: 1,
    bytes,
    docCount,
    deletedCount,
    rootCount: docCount,
    deletedRootCount: deletedCount,
    minSequence: id,
    maxSequence: id,
    deletionChunks: [],
  };
}

function segments(...sizes: number[]): CommittedSegment[] {
  return sizes.map((bytes, i) => segment(i + 1, bytes));
}

const many = (bytes: number, n: number): number[] => new Array<number>(n).fill(bytes);

describe('what is merged at rest', () => {
  const choose = (...sizes: number[]) => chooseRestMerge(segments(...sizes), NOTHING_BUSY);

  test('as many neighbours as possible', () => {
    expect(choose(...many(2 * MB, 8), KB)).toEqual([0, 9]);
    expect(choose(44 * MB, 29 * MB, 29 * MB, 31 * MB, 22 * MB)).toEqual([0, 5]);
    expect(choose(...many(80 * MB, 8))).toEqual([0, 3]);
    expect(chooseRestMerge(segments(...many(MB, 6)), new Set([2]))).toEqual([2, 6]);
  });

  test('nothing that would be written again for little', () => {
    expect(choose()).toBeNull();
    expect(choose(12 * MB)).toBeNull();
    expect(choose(12 * MB, MB, KB)).toBeNull();
    expect(choose(12 * MB, MB, MB)).toEqual([1, 3]);
    expect(choose(...many(KB, 9))).toBeNull();
    expect(choose(GB, GB)).toBeNull();
  });

  test('the same documents are written a few times only, however often there is a rest', () => {
    let list: CommittedSegment[] = [];
    let written = 0;
    const rounds = 500;
    for (let round = 1; round <= rounds; round++) {
      list.push(segment(round, 100 * KB));
      for (let range = chooseRestMerge(list, NOTHING_BUSY); range !== null;) {
        const inputs = list.slice(...range);
        const bytes = inputs.reduce((sum, each) => sum + each.bytes, 0);
        written += bytes;
        list = [...list.slice(0, range[0]), segment(round, bytes), ...list.slice(range[1])];
        range = chooseRestMerge(list, NOTHING_BUSY);
      }
    }
    expect(list.length).toBeLessThan(12);
    expect(written).toBeLessThan(8 * rounds * 100 * KB);
  });
});

describe('what is merged', () => {
  test('nothing while every tier is short', () => {
    expect(chooseMerge([], NOTHING_BUSY)).toBeNull();
    expect(chooseMerge(segments(...many(MB, segmentsPerTier - 1)), NOTHING_BUSY)).toBeNull();
    const tiers = [...many(GB / 2, 9), ...many(40 * MB, 9), ...many(4 * MB, 9), ...many(KB, 9)];
    expect(chooseMerge(segments(...tiers), NOTHING_BUSY)).toBeNull();
  });

  test('a full tier of neighbours, the cheapest one first', () => {
    expect(chooseMerge(segments(...many(MB, 10)), NOTHING_BUSY)).toEqual([0, 10]);
    // The large one is not written again for the sake of the small ones.
    expect(chooseMerge(segments(GB / 2, ...many(KB, 10)), NOTHING_BUSY)).toEqual([1, 11]);
    const both = segments(...many(30 * MB, 10), ...many(KB, 10));
    expect(chooseMerge(both, NOTHING_BUSY)).toEqual([10, 20]);
  });

  test('smaller segments between larger ones go along', () => {
    const sizes = [...many(30 * MB, 4), KB, ...many(30 * MB, 5)];
    expect(chooseMerge(segments(...sizes), NOTHING_BUSY)).toEqual([0, 10]);
  });

  test('segments that are being merged split the list', () => {
    const list = segments(...many(MB, 20));
    expect(chooseMerge(list, new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))).toEqual([10, 20]);
    expect(chooseMerge(list, new Set([10]))).toEqual([10, 20]);
    expect(chooseMerge(list, new Set([4, 11]))).toBeNull();
  });

  test('nothing grows beyond the limit', () => {
    expect(chooseMerge(segments(...many(0.6 * maxMergedBytes, 20)), NOTHING_BUSY)).toBeNull();
    expect(chooseMerge(segments(...many(0.4 * maxMergedBytes, 30)), NOTHING_BUSY)).toBeNull();
  });

  test('a segment with many deleted documents is rewritten alone, whatever its size', () => {
    const list = [segment(1, GB, reclaimShare - 0.01), segment(2, 2 * GB, reclaimShare + 0.01)];
    expect(chooseMerge(list, NOTHING_BUSY)).toEqual([1, 2]);
    expect(chooseMerge(list, new Set([2]))).toBeNull();
    expect(chooseMerge([segment(1, KB, 1)], NOTHING_BUSY)).toEqual([0, 1]);
  });

  test('among them the one with most of them, and its neighbours of that kind along with it', () => {
    const list = [0.5, 0, 0.4, 0.9, 0.4].map((share, i) => segment(i + 1, GB / 4, share));
    expect(chooseMerge(list, NOTHING_BUSY)).toEqual([2, 5]);
    expect(chooseMerge(list, new Set([4]))).toEqual([0, 1]);
  });

  test('beside a merge that runs only what is smaller', () => {
    const list = segments(...many(30 * MB, 10), ...many(KB, 10));
    expect(chooseMerge(list, NOTHING_BUSY, 4 * MB)).toEqual([10, 20]);
    expect(chooseMerge(list.slice(0, 10), NOTHING_BUSY, 4 * MB)).toBeNull();
    expect(chooseMerge([segment(1, MB, 0.5)], NOTHING_BUSY, MB / 4)).toBeNull();
  });

  test('deleted documents do not count towards the size of a segment', () => {
    const list = [segment(1, 200 * MB, 0.29), ...segments(...many(KB, 9))];
    expect(chooseMerge(list, NOTHING_BUSY)).toBeNull();
    const shrunk = [...list.slice(0, 1), ...many(KB, 10).map((bytes, i) => segment(i + 2, bytes))];
    expect(chooseMerge(shrunk, NOTHING_BUSY)).toEqual([1, 11]);
  });
});

const down = (maxSegments: number | null) => ({ maxSegments, onlyExpungeDeletes: false });

describe('optimizing', () => {
  test('merges the cheapest neighbours down to the number asked for', () => {
    const list = segments(GB, MB, MB, GB, 100 * MB);
    expect(chooseOptimize(list, NOTHING_BUSY, down(1))).toEqual([0, 5]);
    expect(chooseOptimize(list, NOTHING_BUSY, down(4))).toEqual([1, 3]);
    expect(chooseOptimize(list, NOTHING_BUSY, down(5))).toBeNull();
    expect(chooseOptimize([], NOTHING_BUSY, down(1))).toBeNull();
  });

  test('to one segment drops deleted documents', () => {
    const list = [segment(1, MB), segment(2, MB, 0.01)];
    expect(chooseOptimize(list, NOTHING_BUSY, down(2))).toBeNull();
    expect(chooseOptimize(list.slice(1), NOTHING_BUSY, down(1))).toEqual([0, 1]);
    expect(chooseOptimize(list.slice(0, 1), NOTHING_BUSY, down(1))).toBeNull();
    expect(chooseOptimize(list, new Set([1]), down(1))).toBeNull();
  });

  test('without a number does what is due anyway', () => {
    expect(chooseOptimize(segments(MB, MB), NOTHING_BUSY, down(null))).toBeNull();
    expect(chooseOptimize(segments(...many(MB, 10)), NOTHING_BUSY, down(null))).toEqual([0, 10]);
  });

  test('of deletes rewrites what holds more than a tenth of them, neighbours together', () => {
    const expunge = { maxSegments: 1, onlyExpungeDeletes: true };
    const list = [0.09, 0.11, 0.3, 0, 0.2, 1].map((share, i) => segment(i + 1, MB, share));
    expect(chooseOptimize(list, NOTHING_BUSY, expunge)).toEqual([4, 6]);
    expect(chooseOptimize(list.slice(0, 4), NOTHING_BUSY, expunge)).toEqual([1, 3]);
    expect(chooseOptimize(list.slice(0, 1), NOTHING_BUSY, expunge)).toBeNull();
    const large = [0.2, 0.2].map((share, i) => segment(i + 1, 0.7 * maxMergedBytes, share));
    expect(chooseOptimize(large, NOTHING_BUSY, expunge)).toEqual([0, 1]);
  });
});

interface Simulated {
  readonly most: number;
  /** Bytes written for each byte that came in. */
  readonly amplification: number;
  readonly deletedShare: number;
}

/**
 * Refreshes one after another, with all merges that are due; `updates` is the share of replaced documents.
 */
function simulate(refreshes: number, sizeOf: (random: Random) => number, updates = 0): Simulated {
  const random = new Random(1);
  let list: CommittedSegment[] = [];
  let nextId = 1;
  let came = 0;
  let written = 0;
  let most = 0;
  let largest = 0;
  const merge = ([from, to]: MergeRange): void => {
    const inputs = list.slice(from, to);
    if (inputs.length === 0) throw new Error('an empty merge');
    let live = 0;
    for (const each of inputs) live += each.docCount - each.deletedCount;
    written += live * 512;
    largest = Math.max(largest, live * 512);
    const merged = { ...segment(nextId++, live * 512), docCount: live };
    // In place of its inputs, so that documents stay in order.
    list.splice(from, to - from, ...(live === 0 ? [] : [merged]));
  };
  for (let i = 0; i < refreshes; i++) {
    const fresh = segment(nextId++, sizeOf(random));
    came += fresh.bytes;
    written += fresh.bytes;
    if (updates > 0) list = deleteSome(list, Math.round(fresh.docCount * updates));
    list.push(fresh);
    for (let steps = 0; ; steps++) {
      const range = chooseMerge(list, NOTHING_BUSY);
      if (range === null) break;
      merge(range);
      if (steps > 50) throw new Error('no end of merging');
    }
    most = Math.max(most, list.length);
  }
  let docs = 0;
  let deleted = 0;
  for (const each of list) {
    docs += each.docCount;
    deleted += each.deletedCount;
  }
  expect(largest).toBeLessThanOrEqual(maxMergedBytes);
  return { most, amplification: written / came, deletedShare: deleted / docs };
}

/** Deletes `n` documents evenly over all segments. */
function deleteSome(list: readonly CommittedSegment[], n: number): CommittedSegment[] {
  let live = 0;
  for (const each of list) live += each.docCount - each.deletedCount;
  return list.map((each) => {
    const share = live === 0 ? 0 : (n * (each.docCount - each.deletedCount)) / live;
    const deletedCount = Math.min(each.docCount, each.deletedCount + Math.round(share));
    return { ...each, deletedCount };
  });
}

/** Full tiers but for one segment each, from the floor up to the limit, and those that are full grown. */
function mostSegments(bytes: number): number {
  const tiers =
    Math.ceil(Math.log(Math.min(bytes, maxMergedBytes) / floorBytes) / Math.log(segmentsPerTier)) +
    1;
  return (
    Math.max(1, tiers) * segmentsPerTier + Math.ceil((bytes / maxMergedBytes) * segmentsPerTier)
  );
}

describe('ten thousand refreshes', () => {
  test.each([
    ['of 10 KB', 20, () => 10 * KB],
    ['of 100 KB', 6, () => 100 * KB],
    ['of 1 MB', 6, () => MB],
    ['of all sizes', 6, (random: Random) => KB * 10 ** (4 * random.next() ** 3)],
  ] as const)('%s leave few segments and write little', (_name, amplification, sizeOf) => {
    const result = simulate(10_000, sizeOf);
    expect(result.most).toBeLessThanOrEqual(mostSegments(10_000 * MB));
    expect(result.most).toBeLessThanOrEqual(48);
    expect(result.amplification).toBeLessThan(amplification);
  });

  test('of single documents write no more than a floor each', () => {
    const result = simulate(10_000, () => KB);
    expect(result.most).toBeLessThanOrEqual(2 * segmentsPerTier);
    expect(result.amplification * KB).toBeLessThan(floorBytes);
  });

  test.each([0.5, 0.9, 1])('with %d of the documents replaced keep reclaiming space', (updates) => {
    const result = simulate(3000, () => 100 * KB, updates);
    expect(result.deletedShare).toBeLessThan(reclaimShare);
    expect(result.most).toBeLessThanOrEqual(40);
    expect(result.amplification).toBeLessThan(12);
  });
});
