// Distinct terms, of a field while a segment is built or of a facet while it is counted: their bytes in one
// arena, found by hash. No JavaScript string is kept. Hot: one look-up per token.

import { giveMemory, grownBytes, takeWords, type MemoryUse } from '../memory/growable';
import { compareBytes } from './utf8-order';

const FIRST_SLOTS = 32;
const FIRST_ARENA = 256;
/** Ranges up to this size are sorted by insertion. */
const SMALL_RANGE = 12;

export class TermHash {
  /** Number of terms; ids are 0 .. size-1 in order of first use. */
  size = 0;
  /** Term id i is arena[starts[i] .. starts[i + 1]). */
  arena: Uint8Array = new Uint8Array(FIRST_ARENA);
  starts = new Uint32Array(FIRST_SLOTS);

  /** By hash, a power of two of pairs: term id + 1 (0: free), and its hash; open addressing. */
  private slots = new Uint32Array(2 * FIRST_SLOTS);

  constructor(private readonly use: MemoryUse) {
    use.bytes += this.arena.byteLength + 3 * FIRST_SLOTS * 4;
  }

  /** The id of the term bytes[from .. to), given its {@link hashTerm}; a new id when it is new. */
  idOf(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const { arena, starts, slots } = this;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (;;) {
      const id = slots[slot]! - 1;
      if (id < 0) return this.add(bytes, from, to, hash, slot);
      if (slots[slot + 1] === hash) {
        const start = starts[id]!;
        if (starts[id + 1]! - start === to - from) {
          let i = from;
          for (let j = start; i < to && bytes[i] === arena[j]; i++) j++;
          if (i === to) return id;
        }
      }
      slot = (slot + 2) & mask;
    }
  }

  /** All term ids in the byte order of their terms. */
  sorted(): Uint32Array {
    const { arena, starts } = this;
    const ids = new Uint32Array(this.size);
    for (let id = 0; id < ids.length; id++) ids[id] = id;
    // Three-way radix quicksort by one byte at a time. The stack is explicit: shared prefixes are as long
    // as users make them.
    const stack = [0, ids.length, 0];
    while (stack.length > 0) {
      const depth = stack.pop()!;
      const to = stack.pop()!;
      const from = stack.pop()!;
      if (to - from <= SMALL_RANGE) {
        this.insertionSort(ids, from, to, depth);
        continue;
      }
      const pivot = byteAt(arena, starts, ids[(from + to) >>> 1]!, depth);
      let low = from;
      let high = to;
      for (let i = from; i < high;) {
        const id = ids[i]!;
        const byte = byteAt(arena, starts, id, depth);
        if (byte < pivot) {
          ids[i++] = ids[low]!;
          ids[low++] = id;
        } else if (byte > pivot) {
          ids[i] = ids[--high]!;
          ids[high] = id;
        } else i++;
      }
      if (low - from > 1) stack.push(from, low, depth);
      if (to - high > 1) stack.push(high, to, depth);
      if (pivot >= 0 && high - low > 1) stack.push(low, high, depth + 1);
    }
    return ids;
  }

  /** Gives the memory up; the terms may not be used any more. */
  release(): void {
    giveMemory(this.use, this.arena);
    giveMemory(this.use, this.starts);
    giveMemory(this.use, this.slots);
    this.size = 0;
    this.arena = NO_BYTES;
    this.starts = this.slots = NO_WORDS;
  }

  private insertionSort(ids: Uint32Array, from: number, to: number, depth: number): void {
    const { arena, starts } = this;
    for (let i = from + 1; i < to; i++) {
      const id = ids[i]!;
      const start = starts[id]! + depth;
      const end = starts[id + 1]!;
      let j = i - 1;
      for (; j >= from; j--) {
        const other = ids[j]!;
        if (compareBytes(arena, starts[other]! + depth, starts[other + 1]!, arena, start, end) < 0)
          break;
        ids[j + 1] = other;
      }
      ids[j + 1] = id;
    }
  }

  private add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const id = this.size++;
    const start = this.starts[id]!;
    const end = start + to - from;
    if (end > this.arena.length) this.arena = grownBytes(this.arena, start, end, this.use);
    if (id + 2 > this.starts.length) {
      const grown = takeWords(this.use, this.starts.length * 2);
      grown.set(this.starts);
      giveMemory(this.use, this.starts);
      this.starts = grown;
    }
    const { arena } = this;
    for (let i = from, j = start; i < to; i++) arena[j++] = bytes[i]!;
    this.starts[id + 1] = end;
    this.slots[slot] = id + 1;
    this.slots[slot + 1] = hash;
    if (this.size * 4 > this.slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const old = this.slots;
    const slots = takeWords(this.use, old.length * 2).fill(0);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      let slot = (old[from + 1]! << 1) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[from]!;
      slots[slot + 1] = old[from + 1]!;
    }
    giveMemory(this.use, old);
    this.slots = slots;
  }
}

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

/** The hash of a term begins with this, … */
export const HASH_START = 0x811c9dc5 | 0;
/** … is xored with each byte and multiplied by this, … */
export const HASH_FACTOR = 0x01000193;

/** … and mixed like this at the end. */
export function finishHash(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The hash under which {@link TermHash} keeps the term bytes[from .. to). */
export function hashTerm(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, HASH_FACTOR);
  return finishHash(hash);
}

/** -1 behind the end of a term, so that it sorts before its extensions. */
function byteAt(arena: Uint8Array, starts: Uint32Array, id: number, depth: number): number {
  const at = starts[id]! + depth;
  return at < starts[id + 1]! ? arena[at]! : -1;
}
