// Finds the terms and phrases of a query among the tokens of a field: always the longest phrase that begins
// at a token (reference server).

import type { FieldId } from '../../metadata/index';
import { compareUtf8 } from '../../segment/index';
import type { FlatQuery } from './flat-queries';
import { PhraseNode } from './phrase-map';

/** Tokens looked at for phrases of one field; further ones are not marked. */
const MAX_STEPS = 20_000_000;

/** The key of what is looked for in any field. */
const ANY_FIELD = -1;

/** A token that the query has a term for. */
export interface VectorToken {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

/** A term or phrase where it stands: what of it is marked as pairs of start and end. */
export interface Phrase {
  readonly offsets: number[];
  readonly boost: number;
  readonly number: number;
}

/** Where a phrase begins. */
export const startOf = ({ offsets }: Phrase): number => offsets[0]!;
/** Where it ends. */
export const endOf = ({ offsets }: Phrase): number => offsets[offsets.length - 1]!;

/** A query as trees of words, one for each field or one for all. */
export class VectorQuery {
  private readonly roots = new Map<FieldId, PhraseNode>();
  private readonly terms = new Map<FieldId, Set<string>>();

  /** @param isFieldBound terms count in their own field only */
  constructor(
    queries: readonly FlatQuery[],
    private readonly isFieldBound: boolean,
  ) {
    let number = 0;
    for (const { field, terms, slop, boost } of queries) {
      const key = this.keyOf(field);
      let root = this.roots.get(key);
      if (root === undefined) {
        root = new PhraseNode();
        this.roots.set(key, root);
        this.terms.set(key, new Set());
      }
      const known = this.terms.get(key)!;
      let node = root;
      for (const term of terms) {
        known.add(term);
        node = node.child(term);
      }
      node.isTerminal = true;
      node.slop = slop;
      node.boost = boost;
      node.number = number++;
    }
  }

  /** Words of the terms and phrases that count in a field. */
  termsOf(field: FieldId): ReadonlySet<string> | null {
    return this.terms.get(this.keyOf(field)) ?? null;
  }

  /**
   * The phrases of a field in the order in which they are found, at most `limit`.
   *
   * @param tokens in order
   */
  phrasesIn(field: FieldId, tokens: readonly VectorToken[], limit: number): readonly Phrase[] {
    const root = this.roots.get(this.keyOf(field));
    return root === undefined ? [] : new PhraseSearch(root, places(tokens), limit).run();
  }

  private keyOf(field: FieldId): FieldId {
    return this.isFieldBound ? field : ANY_FIELD;
  }
}

/** Tokens at one position, and which of them is looked at first. */
interface Place {
  readonly tokens: readonly VectorToken[];
  readonly first: number;
}

function places(tokens: readonly VectorToken[]): Place[] {
  const found: Place[] = [];
  let from = 0;
  while (from < tokens.length) {
    let to = from + 1;
    while (to < tokens.length && tokens[to]!.position === tokens[from]!.position) to++;
    const here = tokens.slice(from, to);
    if (here.length > 1) here.sort((a, b) => compareUtf8(a.term, b.term));
    found.push({ tokens: here, first: 0 });
    from = to;
  }
  return found;
}

class PhraseSearch {
  private at = 0;
  private steps = 0;
  private readonly found = new PhraseList();

  constructor(
    private readonly root: PhraseNode,
    private readonly places: Place[],
    private readonly limit: number,
  ) {}

  run(): readonly Phrase[] {
    while (this.at < this.places.length && this.found.size < this.limit) {
      if (this.steps > MAX_STEPS) break;
      this.searchHere();
    }
    return this.found.phrases;
  }

  /** Takes the longest phrase that begins here, or passes the place over. */
  private searchHere(): void {
    const path: PhraseNode[] = [];
    const tokens: VectorToken[] = [];
    /** The largest hole before each token. */
    const holes: number[] = [];
    let node = this.root;
    for (;;) {
      const place = this.places[this.at];
      const i = place === undefined ? -1 : this.indexIn(place, node);
      if (i < 0) break;
      const token = place!.tokens[i]!;
      this.places[this.at++] = { tokens: place!.tokens, first: i };
      node = node.next.get(token.term)!;
      const before = tokens[tokens.length - 1];
      const hole = before === undefined ? 0 : Math.abs(token.position - before.position - 1);
      holes.push(Math.max(hole, holes[holes.length - 1] ?? 0));
      tokens.push(token);
      path.push(node);
    }
    if (tokens.length === 0) {
      this.at++;
      return;
    }
    for (let length = tokens.length; length > 0; length--) {
      const last = path[length - 1]!;
      if (last.isTerminal && (length === 1 || holes[length - 1]! <= last.slop)) {
        this.found.add(phraseOf(tokens, length, last));
        return;
      }
      // The first one is passed over, found or not.
      if (length > 1) this.at--;
    }
  }

  /** The token at a place that goes on from a node; -1: none. */
  private indexIn({ tokens, first }: Place, node: PhraseNode): number {
    for (let i = 0; i < tokens.length; i++) {
      this.steps++;
      const index = (first + i) % tokens.length;
      if (node.next.has(tokens[index]!.term)) return index;
    }
    return -1;
  }
}

function phraseOf(tokens: readonly VectorToken[], length: number, node: PhraseNode): Phrase {
  const offsets = [tokens[0]!.start, tokens[0]!.end];
  for (let i = 1; i < length; i++) {
    const { start, end, position } = tokens[i]!;
    if (position - tokens[i - 1]!.position === 1) offsets[offsets.length - 1] = end;
    else offsets.push(start, end);
  }
  return { offsets, boost: node.boost, number: node.number };
}

/** Phrases none of which overlap. */
class PhraseList {
  readonly phrases: Phrase[] = [];
  /** The same by their start; they do not overlap. */
  private readonly sorted: Phrase[] = [];

  get size(): number {
    return this.phrases.length;
  }

  add(phrase: Phrase): void {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (startOf(this.sorted[middle]!) <= startOf(phrase)) low = middle + 1;
      else high = middle;
    }
    if (overlaps(this.sorted[low - 1], phrase) || overlaps(this.sorted[low], phrase)) return;
    this.phrases.push(phrase);
    if (low === this.sorted.length) this.sorted.push(phrase);
    else this.sorted.splice(low, 0, phrase);
  }
}

function overlaps(a: Phrase | undefined, b: Phrase): boolean {
  if (a === undefined) return false;
  return startOf(a) < endOf(b) && startOf(b) < endOf(a);
}
