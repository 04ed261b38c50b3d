// The entries whose keys begin almost like a text: ranges of ordinals, found by going down the sorted keys as
// if they were a trie. A beginning that is within the edits takes all keys behind it; after one that no key
// can come back from, the search goes on with the next beginning that is not like that. Neither looks at more
// than one key.

import type { CompletionIndex, TermBytes } from '../../segment/index';
import { KEY_END, writeUtf8 } from '../../segment/index';
import type { CompletionFuzziness } from '../contract/completion-spec';

/** Bytes of a character. */
const LONGEST_SYMBOL = 4;
/** Keys looked at between two pauses. */
const STEP = 64;

/** Calls `add` for ranges [from, to) of ordinals, ascending and without overlaps. */
export function* fuzzyRanges(
  index: CompletionIndex,
  prefix: string,
  path: string,
  fuzziness: CompletionFuzziness,
  add: (from: number, to: number) => void,
): Generator<void, void, void> {
  const { unicodeAware, prefixLength, minLength } = fuzziness;
  const symbols = unicodeAware
    ? Array.from(path, (character) => character.codePointAt(0)!)
    : [...Buffer.from(path)];
  const isExact = symbols.length <= prefixLength || symbols.length < minLength;
  const fixedSymbols = isExact ? symbols : symbols.slice(0, prefixLength);
  const head = unicodeAware
    ? Buffer.from(fixedSymbols.map((point) => String.fromCodePoint(point)).join(''))
    : Buffer.from(fixedSymbols);
  const fixed = Buffer.concat([Buffer.from(prefix), head]);
  const [from, to] = rangeOf(index, fixed, fixed.length);
  if (isExact) {
    add(from, to);
    return;
  }
  const matcher = new PrefixMatcher(symbols.slice(prefixLength), fuzziness);
  let scratch = new Uint8Array(64);
  let steps = 0;
  for (let at = from; at < to;) {
    const key = index.bytesAt(at);
    const isAccepted = matcher.run(key, fixed.length);
    // The bytes of a key hold until the index is next asked.
    if (scratch.length < matcher.end + LONGEST_SYMBOL)
      scratch = new Uint8Array(2 * (matcher.end + LONGEST_SYMBOL));
    for (let i = 0; i < matcher.end; i++) scratch[i] = key.term[i]!;
    const next = matcher.isDead
      ? nextAlive(index, scratch, matcher)
      : // compat: a key is longer than its beginnings, so that its end is passed over as well.
        behind(index, scratch, matcher.end);
    if (isAccepted) add(at, Math.min(Math.max(at + 1, next), to));
    at = Math.max(at + 1, next);
    if (++steps % STEP === 0) yield;
  }
}

/**
 * The first ordinal behind a beginning that is dead from which a key may still be accepted.
 *
 * @param begun the beginning, which is overwritten, with room for another symbol
 */
function nextAlive(index: CompletionIndex, begun: Uint8Array, matcher: PrefixMatcher): number {
  const symbol = matcher.nextSymbol();
  if (symbol < 0) return behind(index, begun, matcher.deadFrom);
  return index.ceiling(begun, matcher.append(symbol, begun, matcher.deadFrom));
}

/** The ordinals of entries whose keys begin with bytes[0 .. length). */
export function rangeOf(
  index: CompletionIndex,
  bytes: Uint8Array,
  length: number,
): readonly [number, number] {
  if (length === 0) return [0, index.size];
  return [index.ceiling(bytes, length), endOf(index, bytes, length)];
}

/** The first ordinal behind all keys that begin with the bytes. */
function endOf(index: CompletionIndex, bytes: Uint8Array, length: number): number {
  return behind(index, Uint8Array.from(bytes.subarray(0, length)), length);
}

/** The same, overwriting the bytes. */
function behind(index: CompletionIndex, bytes: Uint8Array, length: number): number {
  if (length === 0) return index.size;
  // No byte of UTF-8 is 0xff.
  bytes[length - 1]!++;
  return index.ceiling(bytes, length);
}

/** Tells whether a key begins with something within the edits of a text. */
class PrefixMatcher {
  /** Bytes of the key that decided. */
  end = 0;
  /** Whether no key that begins with these bytes can be accepted, because of the last symbol of them. */
  isDead = false;
  /** Where that symbol begins. */
  deadFrom = 0;
  /** What may come where the key died, ascending: nothing else is in the text, and all else is alike. */
  private readonly symbols: readonly number[];
  private symbol = -1;
  private symbolBefore = -1;
  private depth = 0;
  private before: Uint8Array;
  private last: Uint8Array;
  private row: Uint8Array;

  constructor(
    private readonly target: readonly number[],
    private readonly fuzziness: CompletionFuzziness,
  ) {
    this.before = new Uint8Array(target.length + 1);
    this.last = new Uint8Array(target.length + 1);
    this.row = new Uint8Array(target.length + 1);
    // Lone surrogates are in no key.
    const inKeys = target.filter((symbol) => symbol < 0xd800 || symbol > 0xdfff);
    this.symbols = [...new Set(inKeys)].sort((a, b) => a - b);
  }

  /** @param from where in the key the text is to be looked for */
  run({ term, termLength }: TermBytes, from: number): boolean {
    const { target, fuzziness } = this;
    const { maxEdits, transpositions, unicodeAware } = fuzziness;
    this.isDead = false;
    const n = target.length;
    const tooMany = maxEdits + 1;
    for (let j = 0; j <= n; j++) this.last[j] = Math.min(j, tooMany);
    this.end = from;
    if (this.last[n]! <= maxEdits) return true;
    this.symbolBefore = -1;
    for (let at = from, i = 1; at < termLength; i++) {
      if (term[at] === KEY_END) {
        this.end = at + 1;
        return false;
      }
      const length = unicodeAware ? lengthOfCharacter(term[at]!) : 1;
      const symbol = unicodeAware ? codePointAt(term, at, length) : term[at]!;
      const { before, last, row } = this;
      const least = this.fillRow(i, symbol);
      this.end = at + length;
      if (row[n]! <= maxEdits) return true;
      // A swap may still make good what the row before had.
      const swapped = transpositions ? leastOf(last) + 1 : tooMany;
      if (least > maxEdits && swapped > maxEdits) {
        this.isDead = true;
        this.deadFrom = at;
        this.symbol = symbol;
        this.depth = i;
        return false;
      }
      at += length;
      [this.before, this.last, this.row] = [last, row, before];
      this.symbolBefore = symbol;
    }
    return false;
  }

  /**
   * The next symbol in place of the one that the key died of with which it lives; -1: there is none. One that
   * is not in the text fares as that one did, or worse.
   */
  nextSymbol(): number {
    for (const symbol of this.symbols) {
      if (symbol <= this.symbol) continue;
      if (this.fillRow(this.depth, symbol) <= this.fuzziness.maxEdits) return symbol;
    }
    return -1;
  }

  /** Writes a symbol. @returns the offset behind it */
  append(symbol: number, bytes: Uint8Array, at: number): number {
    if (this.fuzziness.unicodeAware) return writeUtf8(String.fromCodePoint(symbol), bytes, at);
    bytes[at] = symbol;
    return at + 1;
  }

  /** Edits between beginnings of the text and the first `depth` symbols of a key, `symbol` the last. */
  private fillRow(depth: number, symbol: number): number {
    const { target, before, last, row, symbolBefore, fuzziness } = this;
    const tooMany = fuzziness.maxEdits + 1;
    row[0] = Math.min(depth, tooMany);
    let least = row[0];
    for (let j = 1; j <= target.length; j++) {
      let edits = last[j - 1]! + (target[j - 1] === symbol ? 0 : 1);
      edits = Math.min(edits, last[j]! + 1, row[j - 1]! + 1);
      const isSwap =
        depth > 1 && j > 1 && target[j - 1] === symbolBefore && target[j - 2] === symbol;
      if (isSwap && fuzziness.transpositions) edits = Math.min(edits, before[j - 2]! + 1);
      row[j] = Math.min(edits, tooMany);
      if (row[j]! < least) least = row[j]!;
    }
    return least;
  }
}

function leastOf(row: Uint8Array): number {
  let least = 255;
  for (let i = 0; i < row.length; i++) if (row[i]! < least) least = row[i]!;
  return least;
}

function lengthOfCharacter(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  if (length === 1) return bytes[at]!;
  let point = bytes[at]! & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) point = (point << 6) | (bytes[at + i]! & 0x3f);
  return point;
}
