// What readers of keys have in common: they find the indexes of a window's values, and give each a bucket.
// Hot: visits every key of every document in scope.

import { valueIndexesOf, type ValueLayout } from './number-reader';

const NONE = new Uint32Array(0);

/**
 * After loading a window, pair i < n says that document `docs[i]`, counted from the first of the window, has
 * a key in bucket `buckets[i]`. Pairs are in document order.
 */
export interface KeyReader {
  /** Buckets handed out so far. */
  readonly size: number;
  readonly docs: Uint32Array;
  readonly buckets: Uint32Array;
  /** A document may come several times in one bucket. */
  readonly mayRepeat: boolean;
  /** Loads the pairs of the documents words[from .. to) and returns how many there are. */
  load(words: Uint32Array, from: number, to: number): number;
}

/** A {@link KeyReader} that says where values are and which buckets they have. */
export abstract class PlacedKeys implements KeyReader {
  docs = NONE;
  buckets = NONE;
  /** By pair: the index of its key, counted from the first value of the window. */
  valueIndexes = NONE;
  abstract readonly size: number;

  get mayRepeat(): boolean {
    return false;
  }
  protected abstract readonly layout: ValueLayout;

  load(words: Uint32Array, from: number, to: number): number {
    this.reserve(this.open(words, from, to));
    return this.assign(valueIndexesOf(this.layout, words, from, to, this.valueIndexes, this.docs));
  }

  /** Makes {@link layout} that of a window. @returns how many values it has at most */
  protected abstract open(words: Uint32Array, from: number, to: number): number;

  /**
   * Gives the values at the first n {@link valueIndexes} their {@link buckets}.
   * @returns how many pairs are left
   */
  protected abstract assign(n: number): number;

  private reserve(room: number): void {
    const old = this.valueIndexes.length;
    if (room <= old) return;
    const length = Math.max(room, 2 * old);
    this.valueIndexes = new Uint32Array(length);
    // With one value each, documents stand where their values do.
    this.docs = this.layout.offsets === null ? this.valueIndexes : new Uint32Array(length);
    this.buckets = new Uint32Array(length);
  }
}

/** Keys that stand in one array for all documents of a segment. */
export abstract class ColumnKeys extends PlacedKeys {
  protected readonly layout: { -readonly [M in keyof ValueLayout]: ValueLayout[M] };

  /** @param present words of the documents with a value; null: all, or `offsets` tells */
  constructor(
    offsets: Uint32Array | null,
    private readonly docCount: number,
    present: Uint32Array | null = null,
  ) {
    super();
    this.layout = { offsets, present, firstDoc: 0, firstValue: 0 };
  }

  /** Where the values of the window begin in the array. */
  protected get first(): number {
    return this.layout.firstValue;
  }

  protected open(_words: Uint32Array, from: number, to: number): number {
    const { layout, docCount } = this;
    const { offsets } = layout;
    const end = Math.min(to << 5, docCount);
    layout.firstDoc = from << 5;
    layout.firstValue = offsets === null ? layout.firstDoc : offsets[layout.firstDoc]!;
    return (offsets === null ? end : offsets[end]!) - layout.firstValue;
  }
}
