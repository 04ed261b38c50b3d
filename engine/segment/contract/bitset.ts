// Fixed-size sets of document numbers. 32 documents a word.

/** A set of document numbers below `size`. Bits at and beyond `size` are always 0. */
export class Bitset {
  readonly words: Uint32Array;
  /** See {@link cardinality}; -1: not counted. */
  private members = -1;

  constructor(
    readonly size: number,
    words?: Uint32Array,
  ) {
    this.words = words ?? new Uint32Array((size + 31) >>> 5);
  }

  /** All documents below `size`. */
  static full(size: number): Bitset {
    const set = new Bitset(size);
    set.words.fill(0xffffffff);
    set.trim();
    return set;
  }

  has(doc: number): boolean {
    return ((this.words[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
  }

  add(doc: number): void {
    this.words[doc >>> 5]! |= 1 << (doc & 31);
  }

  remove(doc: number): void {
    this.words[doc >>> 5]! &= ~(1 << (doc & 31));
  }

  /** Number of documents in the set. */
  count(): number {
    const { words } = this;
    let n = 0;
    for (let i = 0; i < words.length; i++) n += popCount(words[i]!);
    return n;
  }

  /** The same, counted once: of a set that nobody changes any more. */
  cardinality(): number {
    if (this.members < 0) this.members = this.count();
    return this.members;
  }

  /** Says how many members a set has that nobody changes any more. */
  counted(members: number): this {
    this.members = members;
    return this;
  }

  clone(): Bitset {
    return new Bitset(this.size, this.words.slice());
  }

  /** Keeps what `other` has too. Both sets have the same size. */
  and(other: Bitset): this {
    const { words } = this;
    const theirs = other.words;
    for (let i = 0; i < words.length; i++) words[i]! &= theirs[i]!;
    return this;
  }

  or(other: Bitset): this {
    const { words } = this;
    const theirs = other.words;
    for (let i = 0; i < words.length; i++) words[i]! |= theirs[i]!;
    return this;
  }

  andNot(other: Bitset): this {
    const { words } = this;
    const theirs = other.words;
    for (let i = 0; i < words.length; i++) words[i]! &= ~theirs[i]!;
    return this;
  }

  /** Replaces the set by its complement within `size`. */
  not(): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++) words[i] = ~words[i]!;
    this.trim();
    return this;
  }

  /** The first member at or after `doc`, or {@link NO_MORE_DOCS}. */
  next(doc: number): number {
    if (doc >= this.size) return NO_MORE_DOCS;
    const { words } = this;
    let i = doc >>> 5;
    let word = words[i]! & (-1 << (doc & 31));
    while (word === 0) {
      if (++i >= words.length) return NO_MORE_DOCS;
      word = words[i]!;
    }
    return (i << 5) + 31 - Math.clz32(word & -word);
  }

  private trim(): void {
    const rest = this.size & 31;
    if (rest !== 0) this.words[this.words.length - 1]! &= (1 << rest) - 1;
  }
}

let scratch = new Uint32Array(0);

/**
 * An empty set to be used up before anybody asks for the next one: memory for sets that live for a moment
 * costs more than what is done with them.
 */
export function scratchSet(size: number): Bitset {
  const length = (size + 31) >>> 5;
  if (scratch.length < length) scratch = new Uint32Array(length * 2);
  return new Bitset(size, scratch.subarray(0, length).fill(0));
}

/** The same with the members of another set. */
export function scratchCopy(of: Bitset): Bitset {
  const { words } = of;
  if (scratch.length < words.length) scratch = new Uint32Array(words.length * 2);
  const copy = scratch.subarray(0, words.length);
  copy.set(words);
  return new Bitset(of.size, copy);
}

/** The document number of an exhausted iterator; larger than any real one. */
export const NO_MORE_DOCS = 0x7fffffff;

/** Bits that are set in a 32-bit word. */
export function popCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
