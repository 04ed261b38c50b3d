// The nested objects of a hit that a query matches: those between the hit and the document, or object of the
// same path, before it.

import { bindFilter, bindPart } from '../../query/index';
import { NO_MORE_DOCS, previousMember, type SegmentReader } from '../../segment/index';
import type { IndexPlan, InnerHitsTarget, ShardHit } from '../plan/search-plan';
import { BY_SCORE } from '../plan/top-hits-spec';
import { SortHeap } from '../sort/sort-heap';
import { openSortKey } from '../sort/sort-key';
import { type SegmentSortKey } from '../sort/segment-sort-key';
import { placeOf } from '../top-hits/nested-place';
import type { FetchTime } from './fetch-time';
import type { InnerHits } from './found-inner-hits';

type Nested = Extract<InnerHitsTarget, { kind: 'nested' }>;

/** Objects looked at between two looks at the clock, and so many times as many between two steps. */
const OBJECTS_PER_LOOK = 128;
const LOOKS_PER_STEP = 32;

/** Finds objects, those before the page included. The query is bound once, and opened for each hit. */
export function nestedFinder(
  plan: IndexPlan,
  target: Nested,
  segments: readonly SegmentReader[],
  time: FetchTime,
): (hit: ShardHit) => Generator<void, InnerHits, void> {
  const weight = bindPart(plan.query, segments, plan.similarities, null);
  const keys = (plan.sort ?? [BY_SCORE]).map((key) => ({
    key,
    filter: key.nestedFilter === null ? null : bindFilter(key.nestedFilter, segments),
  }));
  const bases: number[] = [];
  let base = 0;
  for (const segment of segments) {
    bases.push(base);
    base += segment.docCount;
  }
  const opened = new Map<number, readonly SegmentSortKey[]>();
  const keysOf = (at: number, segment: SegmentReader): readonly SegmentSortKey[] => {
    const known = opened.get(at);
    if (known !== undefined) return known;
    const own = keys.map(({ key, filter }) =>
      openSortKey(key, segment, bases[at]!, filter?.matches(segment)),
    );
    opened.set(at, own);
    return own;
  };
  const shows = plan.sort === null || plan.trackScores;
  return function* (hit) {
    const segment = segments[hit.segment];
    const first = segment === undefined ? NO_MORE_DOCS : firstBelow(segment, hit, target);
    const objects = segment?.nestedDocs(target.path) ?? null;
    if (segment === undefined || objects === null || first >= hit.doc) return NONE;
    const scorer = weight.scorer(segment);
    if (scorer === null) return NONE;
    const turned = keysOf(hit.segment, segment).map((key) => new TurnedKey(key, first + hit.doc));
    const best = new SortHeap(turned, Math.min(plan.window, hit.doc - first));
    let total = 0;
    let maxScore = NaN;
    let looked = 0;
    let doc = scorer.advance(objects.next(first));
    while (doc < hit.doc) {
      if (objects.has(doc)) {
        const score = scorer.score();
        total++;
        if (!(maxScore >= score)) maxScore = score;
        best.offer(first + hit.doc - doc, score);
      }
      doc = scorer.nextDoc();
      if (++looked % OBJECTS_PER_LOOK !== 0) continue;
      if (time.isOver()) break;
      if (looked % (OBJECTS_PER_LOOK * LOOKS_PER_STEP) === 0) yield;
    }
    const hits: ShardHit[] = [];
    best.drain(0, (turnedDoc, score) => {
      const own = first + hit.doc - turnedDoc;
      hits.push({
        shard: hit.shard,
        segment: hit.segment,
        doc: own,
        sequence: hit.sequence,
        score: shows ? score : NaN,
        sort: plan.sort === null ? [] : turned.map((key) => key.value(turnedDoc, score)),
        nested: placeOf(segment, own, target.paths),
      });
    });
    return { total, maxScore: shows ? maxScore : NaN, hits: hits.reverse() };
  };
}

const NONE: InnerHits = { total: 0, maxScore: NaN, hits: [] };

/** The first document that may stand below a hit. */
function firstBelow(segment: SegmentReader, hit: ShardHit, { parentPath }: Nested): number {
  // compat: objects in objects stand below the object around them only, not below the whole document.
  if ((hit.nested?.at(-1)?.path ?? null) !== parentPath) return NO_MORE_DOCS;
  const around = parentPath === null ? segment.roots : segment.nestedDocs(parentPath);
  return around === null ? NO_MORE_DOCS : previousMember(around, hit.doc) + 1;
}

/**
 * A sort key by documents counted backwards: of equal objects the reference shows the last one of the
 * document first.
 */
class TurnedKey implements SegmentSortKey {
  readonly lanes: number;
  readonly descending: boolean;

  /** @param sum of a document and the number it goes by */
  constructor(
    private readonly key: SegmentSortKey,
    private readonly sum: number,
  ) {
    this.lanes = key.lanes;
    this.descending = key.descending;
  }

  load(doc: number, score: number, into: Float64Array, at: number): void {
    this.key.load(this.sum - doc, score, into, at);
  }

  place(value: ShardHit['sort'][number], into: Float64Array, at: number): void {
    this.key.place(value, into, at);
  }

  value(doc: number, score: number): ShardHit['sort'][number] {
    return this.key.value(this.sum - doc, score);
  }
}
