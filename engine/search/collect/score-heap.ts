// A bounded heap for the best hits of a shard by score. Hot: offered every document that may be one.

import { MAX_DOCS } from '../../segment/index';

const INITIAL_CAPACITY = 256;

/**
 * The best documents of a shard by score. Documents are offered segment by segment in document order, so
 * of equal scores the earlier one is kept.
 */
export class ScoreHeap {
  size = 0;
  /** A document enters only with a score above this. */
  threshold: number;
  /** Hits that score more, or as much in an earlier document, belong to earlier pages. */
  private ceiling = Infinity;
  private ceilingKey = -1;
  private scores: Float64Array;
  /** Segment and document in one number, so that docKeys compare at once. */
  private docKeys: Float64Array;

  constructor(private readonly limit: number) {
    const capacity = Math.min(limit, INITIAL_CAPACITY);
    [this.scores, this.docKeys] = twoArrays(capacity);
    this.threshold = limit === 0 ? Infinity : -Infinity;
  }

  /** Infinity where hits of earlier pages are refused. */
  get places(): number {
    return this.ceiling === Infinity ? this.limit : Infinity;
  }

  get isFull(): boolean {
    return this.size >= this.limit;
  }

  /** Only what stands behind a hit may enter. @param doc may be -1 or NO_MORE_DOCS */
  startBehind(score: number, segment: number, doc: number): void {
    this.ceiling = score;
    this.ceilingKey = segment * MAX_DOCS + doc;
  }

  /** The highest score that was kept; -Infinity without any. */
  get best(): number {
    let best = -Infinity;
    for (let i = 0; i < this.size; i++) if (this.scores[i]! > best) best = this.scores[i]!;
    return best;
  }

  offer(score: number, segment: number, doc: number): void {
    const docKey = segment * MAX_DOCS + doc;
    if (score >= this.ceiling && (score > this.ceiling || docKey <= this.ceilingKey)) return;
    if (this.size < this.limit) {
      if (this.size === this.scores.length) this.grow();
      this.siftUp(this.size++, score, docKey);
    } else if (score > this.threshold) {
      this.siftDown(score, docKey);
    } else {
      return;
    }
    if (this.size === this.limit) this.threshold = this.scores[0]!;
  }

  /**
   * Empties the heap, worst hit first, until `rest` are left; these are not visited.
   */
  drain(rest: number, visit: (score: number, segment: number, doc: number) => void): void {
    while (this.size > rest) {
      const score = this.scores[0]!;
      const docKey = this.docKeys[0]!;
      const segment = Math.floor(docKey / MAX_DOCS);
      this.size--;
      if (this.size > 0) this.siftDown(this.scores[this.size]!, this.docKeys[this.size]!);
      visit(score, segment, docKey - segment * MAX_DOCS);
    }
  }

  /** Puts an entry at the end, or above it where it is worse than what stands there. */
  private siftUp(from: number, score: number, docKey: number): void {
    const { scores, docKeys } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = scores[parent]!;
      if (above < score || (above === score && docKeys[parent]! > docKey)) break;
      scores[at] = above;
      docKeys[at] = docKeys[parent]!;
      at = parent;
    }
    scores[at] = score;
    docKeys[at] = docKey;
  }

  /** Replaces the worst entry. */
  private siftDown(score: number, docKey: number): void {
    const { scores, docKeys, size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      let worst = scores[child]!;
      if (child + 1 < size) {
        const right = scores[child + 1]!;
        if (right < worst || (right === worst && docKeys[child + 1]! > docKeys[child]!)) {
          child++;
          worst = right;
        }
      }
      if (score < worst || (score === worst && docKey > docKeys[child]!)) break;
      scores[at] = worst;
      docKeys[at] = docKeys[child]!;
      at = child;
    }
    scores[at] = score;
    docKeys[at] = docKey;
  }

  private grow(): void {
    const capacity = Math.min(this.limit, this.scores.length * 2);
    const [scores, docKeys] = twoArrays(capacity);
    scores.set(this.scores);
    docKeys.set(this.docKeys);
    this.scores = scores;
    this.docKeys = docKeys;
  }
}

/** In one buffer: memory for a buffer costs more than a short page of hits. */
function twoArrays(length: number): [Float64Array, Float64Array] {
  const both = new ArrayBuffer(16 * length);
  return [new Float64Array(both, 0, length), new Float64Array(both, 8 * length, length)];
}
