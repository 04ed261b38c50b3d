// A query as a list of terms and phrases (reference server): what the fast vector highlighter looks for.

import type { FieldId } from '../../metadata/index';
import {
  expandMark,
  type Mark,
  markedTerms,
  type PhraseSlot,
  type Query,
  visitMarks,
} from '../../query/index';
import type { SegmentReader } from '../../segment/index';

const f = Math.fround;

/** Terms of the shard that a query of terms may stand for. */
const MAX_TERMS = 1024;
/** A phrase with alternatives becomes one phrase for each way through them if it has no more terms. */
const MAX_ALTERNATIVES = 16;
/** Words compared to find phrases that overlap; what is not compared stays on its own. */
const MAX_COMPARISONS = 2_000_000;

/** A term, or a phrase of several. */
export interface FlatQuery {
  readonly field: FieldId;
  readonly terms: readonly string[];
  readonly slop: number;
  readonly boost: number;
}

/**
 * The terms and phrases of a query in its order, each once; behind a phrase those that it makes together with
 * phrases that go on where it ends.
 *
 * @param isFieldBound only phrases of the same field make others
 */
export function flatQueries(
  query: Query,
  segments: () => readonly SegmentReader[],
  isFieldBound: boolean,
): readonly FlatQuery[] {
  const flat = new FlatQueries(segments);
  visitMarks(query, { entersNested: false, mark: (part, { factor }) => flat.add(part, factor) });
  return withOverlaps(flat.queries, isFieldBound);
}

class FlatQueries {
  readonly queries: FlatQuery[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly segments: () => readonly SegmentReader[]) {}

  add(mark: Mark, factor: number): void {
    switch (mark.kind) {
      case 'term':
        this.push(mark.field, [mark.term], 0, f(f(mark.boost) * factor));
        return;
      case 'stringRange':
      case 'prefix':
      case 'wildcard':
      case 'regexp':
      case 'fuzzy': {
        const outer = f(f(mark.boost) * factor);
        for (const { term, boost } of markedTerms(mark, this.segments(), MAX_TERMS)) {
          this.push(mark.field, [term], 0, f(outer * boost));
        }
        return;
      }
      case 'phrase':
        this.addPhrase(mark, f(f(mark.boost) * factor));
        return;
      // compat: of span queries it knows single terms only.
      case 'spans':
        if (mark.tree.type === 'term') this.push(mark.tree.field.id, [mark.tree.term], 0, 1);
        return;
      case 'phrasePrefix': {
        const expanded = expandMark(mark, this.segments());
        if (expanded.kind === 'phrase') this.addPhrase(expanded, 1, true);
        return;
      }
      case 'blended':
      case 'commonTerms':
      case 'similar':
      case 'fuzzyWords':
        this.addExpanded(mark, factor);
    }
  }

  private addExpanded(mark: Parameters<typeof expandMark>[0], outer: number): void {
    visitMarks(expandMark(mark, this.segments()), {
      entersNested: false,
      mark: (part, { factor }) => this.add(part, f(outer * factor)),
    });
  }

  private addPhrase(
    { field, slots, slop }: Extract<Mark, { kind: 'phrase' }>,
    boost: number,
    hasAlternatives = false,
  ): void {
    const terms = slots.reduce((sum, slot) => sum + slot.terms.length, 0);
    const isLong = hasAlternatives && terms > MAX_ALTERNATIVES;
    if (terms === slots.length && !isLong) {
      const words = slots.map((slot) => slot.terms[0]!);
      this.push(field, words, slop, boost, slots);
    } else if (slots.length === 1 || terms > MAX_ALTERNATIVES) {
      for (const slot of slots) for (const term of slot.terms) this.push(field, [term], 0, 1);
    } else {
      for (const words of ways(slots)) this.push(field, words, slop, boost, slots);
    }
  }

  private push(
    field: FieldId,
    terms: readonly string[],
    slop: number,
    boost: number,
    slots: readonly PhraseSlot[] = [],
  ): void {
    const key = JSON.stringify([field, slop, boost, terms, slots.map(({ position }) => position)]);
    if (this.known.has(key)) return;
    this.known.add(key);
    this.queries.push({ field, terms, slop, boost });
  }
}

/** All ways to take one term of each slot; there are at most a few hundred. */
function ways(slots: readonly PhraseSlot[]): readonly (readonly string[])[] {
  return slots.reduce<readonly (readonly string[])[]>(
    (before, { terms }) => before.flatMap((words) => terms.map((term) => [...words, term])),
    [[]],
  );
}

function withOverlaps(queries: readonly FlatQuery[], isFieldBound: boolean): readonly FlatQuery[] {
  const all: FlatQuery[] = [];
  const known = new Set<string>();
  const push = (query: FlatQuery): void => {
    const key = JSON.stringify([query.field, query.terms, query.slop, query.boost]);
    if (query.terms.length > 1 && known.has(key)) return;
    known.add(key);
    all.push(query);
  };
  const work = { left: MAX_COMPARISONS };
  queries.forEach((query, i) => {
    push(query);
    if (query.terms.length === 1) return;
    for (let j = i + 1; j < queries.length && work.left > 0; j++) {
      const other = queries[j]!;
      work.left--;
      if (other.terms.length === 1 || other.slop !== query.slop) continue;
      if (isFieldBound && other.field !== query.field) continue;
      for (const joined of joins(query, other, work)) push(joined);
      for (const joined of joins(other, query, work)) push(joined);
    }
  });
  return all;
}

/** Phrases that begin as one and end as another, with words in common in the middle. */
function joins(first: FlatQuery, second: FlatQuery, work: { left: number }): FlatQuery[] {
  const joined: FlatQuery[] = [];
  const { terms: source } = first;
  const { terms: target } = second;
  for (let i = 1; i < source.length && work.left > 0; i++) {
    if (source.length - i >= target.length) continue;
    let j = i;
    while (j < source.length && source[j] === target[j - i]) j++;
    work.left -= j - i + 1;
    if (j < source.length) continue;
    work.left -= source.length + target.length;
    joined.push({ ...first, terms: [...source, ...target.slice(source.length - i)] });
  }
  return joined;
}
