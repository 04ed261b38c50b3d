// The documents of a phrase, found once for counting and ranking them. All have to be found, because all are
// counted; what they score is worked out from the frequencies found on the way.

import { NO_MORE_DOCS, type Bitset, type PostingsIterator } from '../../segment/index';
import { NO_NORM, type Scoring } from '../../similarity/index';
import type { BestHits, DocTest, TopK } from '../scoring/weight';

/** Documents of a phrase in a segment, ascending, and how often it is in each. */
export class PhraseMatches {
  count = 0;
  docs = new Uint32Array(64);
  /** float32: those of sloppy phrases are not whole. */
  freqs = new Float32Array(64);

  /** @param cost what looking for it costs: the documents of its rarest place */
  constructor(readonly cost: number) {}

  /** Memory that it holds, in bytes. */
  get bytes(): number {
    return this.docs.byteLength + this.freqs.byteLength;
  }

  add(doc: number, freq: number): void {
    const { count } = this;
    if (count === this.docs.length) this.grow();
    this.docs[count] = doc;
    this.freqs[count] = freq;
    this.count++;
  }

  addTo(set: Bitset): void {
    const { docs, count } = this;
    for (let i = 0; i < count; i++) set.add(docs[i]!);
  }

  /** Gives up the room for further ones, because it is to be kept. */
  trim(): void {
    this.docs = this.docs.slice(0, this.count);
    this.freqs = this.freqs.slice(0, this.count);
  }

  private grow(): void {
    const docs = new Uint32Array(this.docs.length * 4);
    const freqs = new Float32Array(docs.length);
    docs.set(this.docs);
    freqs.set(this.freqs);
    this.docs = docs;
    this.freqs = freqs;
  }
}

/** Ranks the documents of a phrase. */
export class PhraseTopK implements TopK {
  constructor(
    private readonly matches: PhraseMatches,
    private readonly scoring: Scoring,
    private readonly norms: Uint8Array | null,
  ) {}

  count(accept: DocTest | null): number {
    const { docs, count } = this.matches;
    if (accept === null) return count;
    let accepted = 0;
    for (let i = 0; i < count; i++) if (accept.has(docs[i]!)) accepted++;
    return accepted;
  }

  offer(accept: DocTest | null, best: BestHits, segment: number): void {
    const { scoring, norms } = this;
    const { docs, freqs, count } = this.matches;
    let { threshold } = best;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const score = scoring.scorePhrase(freqs[i]!, norms === null ? NO_NORM : norms[doc]!);
      if (score <= threshold || (accept !== null && !accept.has(doc))) continue;
      best.offer(score, segment, doc);
      threshold = best.threshold;
    }
  }
}

/** A place of an exact phrase that has one term. */
export interface TermSlot {
  readonly postings: PostingsIterator;
  /** Where it stands in the phrase. */
  readonly offset: number;
  /** The documents of the term where they are kept as a set. */
  readonly kept: Bitset | null;
}

/**
 * Finds an exact phrase of single terms. Sets tell most documents that lack a term; positions are read of
 * those that have all.
 *
 * @param slots at least two, opened with positions and not moved
 */
export function findExactPhrase(slots: readonly TermSlot[]): PhraseMatches {
  const [lead, ...others] = [...slots].sort((a, b) => a.postings.cost - b.postings.cost);
  const starts = new Starts();
  const { postings, offset } = lead!;
  const found = new PhraseMatches(postings.cost);
  let doc = postings.nextDoc();
  next: while (doc !== NO_MORE_DOCS) {
    for (let i = 0; i < others.length; i++) {
      const { kept } = others[i]!;
      if (kept === null || kept.has(doc)) continue;
      doc = postings.nextDoc();
      continue next;
    }
    for (let i = 0; i < others.length; i++) {
      const other = others[i]!.postings;
      const at = other.doc < doc ? other.advance(doc) : other.doc;
      if (at === doc) continue;
      if (at === NO_MORE_DOCS) return found;
      doc = postings.advance(at);
      continue next;
    }
    starts.read(postings, offset);
    for (let i = 0; i < others.length && starts.count > 0; i++) {
      starts.keep(others[i]!.postings, others[i]!.offset);
    }
    if (starts.count > 0) found.add(doc, starts.count);
    doc = postings.nextDoc();
  }
  return found;
}

/** Where a phrase may begin in a document: positions of a term minus its place in the phrase. */
class Starts {
  count = 0;
  private starts = new Int32Array(64);
  private positions = new Int32Array(64);

  /**
   * Those of the first term. compat: none lies before the document, although that of a phrase from whose
   * beginning words were left out may.
   */
  read(postings: PostingsIterator, offset: number): void {
    const freq = postings.freq();
    if (freq > this.starts.length) this.starts = new Int32Array(freq * 2);
    const { starts } = this;
    postings.readPositions(starts);
    let count = 0;
    for (let i = 0; i < freq; i++) {
      const start = starts[i]! - offset;
      if (start >= 0 && (count === 0 || starts[count - 1] !== start)) starts[count++] = start;
    }
    this.count = count;
  }

  /** Keeps those at which a further term stands in its place, too. */
  keep(postings: PostingsIterator, offset: number): void {
    const freq = postings.freq();
    if (freq > this.positions.length) this.positions = new Int32Array(freq * 2);
    const { starts, positions } = this;
    postings.readPositions(positions);
    const { count } = this;
    let kept = 0;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const wanted = starts[i]! + offset;
      while (at < freq && positions[at]! < wanted) at++;
      if (at === freq) break;
      if (positions[at] === wanted) starts[kept++] = starts[i]!;
    }
    this.count = kept;
  }
}
