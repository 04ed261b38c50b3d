// Terms at positions: documents that have all slots, then a look at their positions. What was found is kept
// per segment from the second use on: looking at positions is most of what a phrase costs.

import {
  Bitset,
  NO_MORE_DOCS,
  type PostingsIterator,
  type SegmentReader,
} from '../../segment/index';
import { NO_NORM, type Scoring } from '../../similarity/index';
import type { PhraseSlot } from '../ast/query';
import { anyTermOf } from '../ast/simplify';
import type { QueryOf } from '../ast/traits';
import { MatchNoneWeight } from './all';
import type { Binder } from './binder';
import type { QueryWeight } from './query-weight';
import {
  type ExplainContext,
  type Explanation,
  explainFreq,
  noMatch,
} from '../scoring/explanation';
import type { Scorer, TopK } from '../scoring/weight';
import { findExactPhrase, PhraseMatches, PhraseTopK, type TermSlot } from '../top-k/phrase-top-k';
import { NO_RANKING } from '../top-k/restricted-top-k';
import { ExactPhrase, SloppyPhrase, type PhraseFrequency } from './phrase-frequency';
import { FoundPhraseScorer } from './found-phrase-scorer';
import { SlotUnion, type SlotPositions } from './slot-positions';
import { termPositions } from '../spans/positions';
import { explainTerms, scoringOfTerms } from './term';
import type { FieldId } from '../../metadata/index';

/** The weight of a phrase query; one of a single slot is any of its terms. */
export function bindPhrase(query: QueryOf<'phrase'>, binder: Binder): QueryWeight {
  const { slots } = query;
  const { statistics } = binder;
  if (slots.length === 0) return new MatchNoneWeight();
  if (slots.length === 1) return binder.scored(anyTermOf(query, slots[0]!));
  if (statistics === null) return new PhraseWeight(query, null);
  const terms = slots.flatMap((slot) => slot.terms);
  return new PhraseWeight(query, scoringOfTerms(query, terms, statistics));
}

const CACHE_KIND = 'phrase';
/** Phrases with longer keys are not kept: reading the key costs as much. */
const MAX_KEY_LENGTH = 4096;

/** A phrase as its similarity scores the frequency of its matches. */
class PhraseWeight implements QueryWeight {
  private readonly field: FieldId;
  private readonly slots: readonly PhraseSlot[];
  /** What identifies its matches; null: too long to be worth it. */
  private readonly key: string | null;

  /** @param scoring null when nobody asks for scores */
  constructor(
    private readonly query: QueryOf<'phrase'>,
    private readonly scoring: Scoring | null,
  ) {
    this.field = query.field;
    this.slots = query.slots;
    const key = keyOf(query);
    this.key = key.length > MAX_KEY_LENGTH ? null : key;
  }

  squaredWeights(): number {
    return this.scoring?.squaredWeights() ?? 0;
  }

  normalize(norm: number, topBoost: number): void {
    this.scoring?.normalize(norm, topBoost);
  }

  cost(segment: SegmentReader): number {
    const terms = segment.terms(this.field);
    if (terms === null) return 0;
    let least = segment.docCount;
    for (const slot of this.slots) {
      let sum = 0;
      for (const term of slot.terms) {
        const ordinal = terms.ordinalOf(term);
        if (ordinal >= 0) sum += terms.docFreq(ordinal);
      }
      least = Math.min(least, sum);
    }
    return least;
  }

  /**
   * @throws EngineError IllegalStateException when the field has the first terms but was indexed without
   *         positions
   */
  scorer(segment: SegmentReader): Scorer | null {
    const known = this.recall(segment);
    if (known === undefined) return this.walk(segment);
    return new FoundPhraseScorer(known, this.scoring, segment.norms(this.field));
  }

  /** Goes through the documents without keeping them. @throws EngineError as {@link scorer} */
  private walk(segment: SegmentReader): PhraseScorer | null {
    const positions: SlotPositions[] = [];
    for (const slot of this.slots) {
      const opened = this.open(segment, slot);
      if (opened === null) return null;
      positions.push(opened);
    }
    const frequency =
      this.query.slop === 0
        ? new ExactPhrase(positions, this.slots)
        : new SloppyPhrase(positions, this.slots, this.query.slop);
    return new PhraseScorer(positions, frequency, this.scoring, segment.norms(this.field));
  }

  explain(segment: SegmentReader, doc: number, context: ExplainContext): Explanation {
    const scorer = this.walk(segment);
    if (scorer?.advance(doc) !== doc) return noMatch('no matching term');
    const freq = explainFreq('phraseFreq', scorer.freq);
    const norm = segment.norms(this.field)?.[doc] ?? NO_NORM;
    const score = this.scoring?.explain(doc, freq, norm) ?? freq;
    return explainTerms(context.textOf(this.query), doc, score);
  }

  private open(segment: SegmentReader, slot: PhraseSlot): SlotPositions | null {
    const found: PostingsIterator[] = [];
    for (const term of slot.terms) {
      const positions = termPositions(segment, this.field, term, 'PhraseQuery');
      if (positions !== null) found.push(positions);
    }
    if (found.length === 0) return null;
    return found.length === 1 ? found[0]! : new SlotUnion(found);
  }

  /** @throws EngineError as {@link scorer} */
  topK(segment: SegmentReader): TopK | null {
    const { scoring } = this;
    if (scoring === null) return null;
    const found = this.find(segment);
    return found === null ? NO_RANKING : new PhraseTopK(found, scoring, segment.norms(this.field));
  }

  /** Null: some slot has no term here. @throws EngineError as {@link scorer} */
  private find(segment: SegmentReader): PhraseMatches | null {
    return this.recall(segment) ?? this.look(segment);
  }

  /** The documents if they are kept, which they are from the second time on; deleted ones are among them. */
  private recall(segment: SegmentReader): PhraseMatches | undefined {
    const { key } = this;
    const { cache } = segment;
    if (key === null) return undefined;
    const known = cache.get<PhraseMatches>(key, CACHE_KIND);
    if (known !== undefined || !cache.askedBefore(key)) return known;
    const found = this.look(segment);
    // Without one of its terms there is nothing to look at anyway.
    if (found === null) return undefined;
    found.trim();
    cache.put(key, CACHE_KIND, found, key.length + found.bytes);
    return found;
  }

  private look(segment: SegmentReader): PhraseMatches | null {
    if (this.query.slop === 0 && this.slots.every(({ terms }) => terms.length === 1)) {
      const slots = this.openTerms(segment);
      return slots === null ? null : findExactPhrase(slots);
    }
    const scorer = this.walk(segment);
    if (scorer === null) return null;
    const found = new PhraseMatches(scorer.cost);
    while (scorer.nextDoc() !== NO_MORE_DOCS) found.add(scorer.doc, scorer.freq);
    return found;
  }

  /** The slots of a phrase of single terms; null: one of them is not in the segment. */
  private openTerms(segment: SegmentReader): readonly TermSlot[] | null {
    const opened: TermSlot[] = [];
    for (const {
      terms: [term],
      position: offset,
    } of this.slots) {
      const postings = termPositions(segment, this.field, term!, 'PhraseQuery');
      if (postings === null) return null;
      const terms = segment.terms(this.field)!;
      const kept = terms.keptDocs(terms.ordinalOf(term!), segment.docCount);
      opened.push({ postings, offset, kept });
    }
    return opened;
  }

  matches(segment: SegmentReader): Bitset | null {
    const set = new Bitset(segment.docCount);
    this.addMatches(segment, set);
    return set;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    this.find(segment)?.addTo(into);
  }
}

/** Texts with their lengths, so that no two phrases share a key. */
function keyOf({ field, slop, slots }: QueryOf<'phrase'>): string {
  let key = `phrase/${field}/${slop}`;
  for (const { terms, position } of slots) {
    key += `/${position}`;
    for (const term of terms) key += `,${term.length}:${term}`;
  }
  return key;
}

class PhraseScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  /** How often the phrase is in the current document. */
  freq = 0;
  /** By ascending cost. */
  private readonly slots: readonly SlotPositions[];
  private readonly lead: SlotPositions;

  constructor(
    slots: readonly SlotPositions[],
    private readonly frequency: PhraseFrequency,
    private readonly scoring: Scoring | null,
    private readonly norms: Uint8Array | null,
  ) {
    this.slots = [...slots].sort((a, b) => a.cost - b.cost);
    this.lead = this.slots[0]!;
    this.cost = this.lead.cost;
  }

  nextDoc(): number {
    return (this.doc = this.settle(this.lead.nextDoc()));
  }

  advance(target: number): number {
    return (this.doc = this.settle(this.lead.advance(target)));
  }

  private settle(doc: number): number {
    const { slots, lead } = this;
    next: while (doc !== NO_MORE_DOCS) {
      for (let i = 1; i < slots.length; i++) {
        const slot = slots[i]!;
        const at = slot.doc < doc ? slot.advance(doc) : slot.doc;
        if (at === NO_MORE_DOCS) return NO_MORE_DOCS;
        if (at > doc) {
          doc = lead.advance(at);
          continue next;
        }
      }
      this.freq = this.frequency.compute();
      if (this.freq > 0) return doc;
      doc = lead.nextDoc();
    }
    return NO_MORE_DOCS;
  }

  score(): number {
    const { scoring, norms } = this;
    if (scoring === null) return 0;
    return scoring.scorePhrase(this.freq, norms === null ? NO_NORM : norms[this.doc]!);
  }
}
