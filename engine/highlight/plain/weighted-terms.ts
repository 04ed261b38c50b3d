// What a query marks in one text, by term: where, and how much it weighs.
//
// Behaviour as on the reference server, which runs the query on the text as on an index of one document. Of
// terms that a query has several times the last one counts. Terms of phrases are marked only where the phrase
// stands, unless the query has them alone as well.

import type { Analyzer } from '../../analysis/index';
import type { FieldId } from '../../metadata/index';
import {
  allSpanTerms,
  expandMark,
  expandSpanMark,
  hasSpanTerms,
  type Mark,
  markedTerms,
  type Query,
  spanTerms,
  type SpanTree,
  textSegment,
  visitMarks,
} from '../../query/index';
import { forEachToken } from '../texts/analyzers';
import { SpanIndex } from './span-index';
import { spansOf, type Spans } from './spans';

const f = Math.fround;

/** Terms of the text that a query of terms may stand for. */
const MAX_TERMS = 1024;

type Phrase = Extract<Mark, { kind: 'phrase' }>;

/** A term of the query. */
export class WeightedTerm {
  /** It counts where a span covers it only. */
  isSensitive = false;
  private readonly lists: Spans[] = [];
  private index: SpanIndex | null = null;

  constructor(readonly weight: number) {}

  addSpans(spans: Spans): void {
    this.lists.push(spans);
  }

  /** Whether the term counts at a position. */
  countsAt(position: number): boolean {
    return !this.isSensitive || this.spans().covers(position);
  }

  /** The end of the first span that starts at a position, or -1. */
  endOfSpan(position: number): number {
    return this.lists.length === 0 ? -1 : this.spans().endFrom(position);
  }

  private spans(): SpanIndex {
    return (this.index ??= new SpanIndex(this.lists));
  }
}

/** The terms of a query in a text. */
export type WeightedTerms = ReadonlyMap<string, WeightedTerm>;

/** What one query marks in the texts of one field. */
export class PlainQuery {
  private readonly marks: Mark[] = [];
  /** Terms whose positions are asked for. */
  private readonly wanted = new Set<string>();
  private readonly prefixes: string[] = [];
  /** Positions of all terms are asked for. */
  private readonly wantsAll: boolean = false;
  private readonly needsTerms: boolean;
  private readonly fixed: WeightedTerms | null;

  /** @param field only terms of this field count; null: those of all */
  constructor(
    query: Query,
    private readonly field: FieldId | null,
  ) {
    visitMarks(query, { entersNested: false, mark: (part) => this.marks.push(part) });
    let needsTerms = false;
    for (const mark of this.marks) {
      if (mark.kind === 'phrase' || mark.kind === 'phrasePrefix') {
        for (const { terms } of mark.slots) for (const term of terms) this.wanted.add(term);
      }
      if (mark.kind === 'spans') {
        for (const { term } of allSpanTerms(mark.tree)) this.wanted.add(term);
        this.wantsAll ||= hasSpanTerms(mark.tree);
      }
      if (mark.kind === 'phrasePrefix')
        for (const prefix of mark.prefixes) this.prefixes.push(prefix);
      needsTerms ||= DEPENDS_ON_TEXT[mark.kind];
    }
    this.needsTerms = needsTerms || this.wantsAll;
    this.fixed = this.needsTerms || this.wanted.size > 0 ? null : this.termsIn(NOTHING);
  }

  /** The terms that count in a text. */
  termsOf(text: string, analyzer: Analyzer): WeightedTerms {
    return this.fixed ?? this.termsIn(this.read(text, analyzer));
  }

  private read(text: string, analyzer: Analyzer): TextContents {
    const terms = new Set<string>();
    const positions = new Map<string, number[]>();
    let position = -1;
    forEachToken(analyzer, text, (term, _start, _end, increment) => {
      position += increment;
      if (this.needsTerms) terms.add(term);
      if (!this.wantsPosition(term)) return;
      const known = positions.get(term);
      if (known === undefined) positions.set(term, [position]);
      else known.push(position);
    });
    return { terms, positions };
  }

  private wantsPosition(term: string): boolean {
    if (this.wantsAll || this.wanted.has(term)) return true;
    return this.prefixes.some((prefix) => term.startsWith(prefix));
  }

  private termsIn(contents: TextContents): WeightedTerms {
    const into = new Map<string, WeightedTerm>();
    const segments = this.needsTerms ? [textSegment(contents.terms)] : [];
    for (const mark of this.marks) this.add(mark, contents, segments, into);
    return into;
  }

  private add(
    mark: Mark,
    contents: TextContents,
    segments: Parameters<typeof expandMark>[1],
    into: Map<string, WeightedTerm>,
  ): void {
    switch (mark.kind) {
      case 'term':
        this.put(mark.field, mark.term, mark.boost, into);
        return;
      case 'stringRange':
      case 'prefix':
      case 'wildcard':
      case 'regexp':
      case 'fuzzy':
        for (const { term, boost } of markedTerms(mark, segments, MAX_TERMS)) {
          this.put(mark.field, term, f(f(mark.boost) * boost), into);
        }
        return;
      case 'blended':
        for (const { field, term } of mark.terms) this.put(field, term, mark.boost, into);
        return;
      case 'commonTerms':
        for (const term of mark.terms) this.put(mark.field, term, mark.boost, into);
        return;
      case 'phrase':
        this.addPhrase(mark, contents, into);
        return;
      case 'spans': {
        const { tree } = expandSpanMark(mark, segments);
        const terms = spanTerms(tree)
          .filter(({ field }) => this.field === null || this.field === field)
          .map(({ term }) => term);
        this.putSpans(terms, spansOf(tree, contents.positions), mark.boost, into);
        return;
      }
      case 'phrasePrefix':
      case 'similar':
      case 'fuzzyWords':
        visitMarks(expandMark(mark, segments), {
          entersNested: false,
          mark: (part) => this.add(part, contents, segments, into),
        });
    }
  }

  private put(field: FieldId, term: string, boost: number, into: Map<string, WeightedTerm>): void {
    if (this.field !== null && this.field !== field) return;
    into.set(term, new WeightedTerm(f(boost)));
  }

  private addPhrase(
    phrase: Phrase,
    { positions }: TextContents,
    into: Map<string, WeightedTerm>,
  ): void {
    const { slots, field, boost } = phrase;
    if (slots.length === 1) {
      for (const term of slots[0]!.terms) this.put(field, term, boost, into);
      return;
    }
    if (this.field !== null && this.field !== field) return;
    const tree: SpanTree = {
      type: 'near',
      field: { id: field },
      clauses: slots.map((slot) => anyTerm(field, slot.terms)),
      ...nearness(phrase),
    };
    const terms = slots.flatMap((slot) => slot.terms);
    this.putSpans(terms, spansOf(tree, positions), boost, into);
  }

  /** Terms that count where the spans are. */
  private putSpans(
    terms: readonly string[],
    spans: Spans,
    boost: number,
    into: Map<string, WeightedTerm>,
  ): void {
    if (spans.length === 0) return;
    for (const term of new Set(terms)) {
      let known = into.get(term);
      if (known === undefined) {
        known = new WeightedTerm(f(boost));
        known.isSensitive = true;
        into.set(term, known);
      }
      known.addSpans(spans);
    }
  }
}

function anyTerm(id: FieldId, terms: readonly string[]): SpanTree {
  const field = { id };
  const clauses = terms.map((term) => ({ type: 'term', field, term }) as const);
  return { type: 'or', field, clauses };
}

/** How near to one another the terms of a phrase have to stand. */
function nearness({ slots, slop }: Phrase): { slop: number; isOrdered: boolean } {
  if (slots.every(({ terms }) => terms.length === 1)) {
    let largest = 1;
    for (let i = 1; i < slots.length; i++) {
      largest = Math.max(largest, slots[i]!.position - slots[i - 1]!.position);
    }
    // compat: a phrase with holes matches in any order.
    const total = largest > 1 ? slop + largest : slop;
    return { slop: total, isOrdered: total === 0 };
  }
  const gaps = slots[slots.length - 1]!.position + 1 - slots.length;
  return { slop: slop + gaps, isOrdered: slop === 0 };
}

/** What a query may ask about a text. */
interface TextContents {
  readonly terms: ReadonlySet<string>;
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

const NOTHING: TextContents = { terms: new Set(), positions: new Map() };

const DEPENDS_ON_TEXT: Readonly<Record<Mark['kind'], boolean>> = {
  term: false,
  phrase: false,
  spans: false,
  blended: false,
  commonTerms: false,
  stringRange: true,
  prefix: true,
  wildcard: true,
  regexp: true,
  fuzzy: true,
  phrasePrefix: true,
  similar: true,
  fuzzyWords: true,
};
