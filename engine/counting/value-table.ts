// Counts of distinct numbers: a hash table in typed arrays, keyed by all 64 bits of a value. Hot: one
// look-up per value of a document.

const FIRST_SLOTS = 1024;
/** Words of a slot: low and high half of the key, count + 1 (0: free), and one to spare. */
const SLOT = 4;

const double = new Float64Array(1);
const long = new BigInt64Array(double.buffer);
const halves = new Int32Array(double.buffer);

/** Counts by number. Integers are keyed by their value, doubles by their bits. */
export class ValueTable {
  private slots = new Int32Array(FIRST_SLOTS * SLOT);
  private size = 0;

  constructor(private readonly type: CountedNumbers['type']) {}

  /** Adds to the count of a number, which is taken up also when `count` is 0. Halves may be unsigned. */
  add(high: number, low: number, count: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    low |= 0;
    high |= 0;
    let at = (hash(high, low) * SLOT) & mask;
    for (;;) {
      const kept = slots[at + 2]!;
      if (kept === 0) break;
      if (slots[at] === low && slots[at + 1] === high) {
        slots[at + 2] = kept + count;
        return;
      }
      at = (at + SLOT) & mask;
    }
    slots[at] = low;
    slots[at + 1] = high;
    slots[at + 2] = count + 1;
    if (++this.size * SLOT * 2 > slots.length) this.grow();
  }

  /** Adds to the count of a number of the table's type. */
  addTerm(term: bigint | number, count: number): void {
    if (typeof term === 'bigint') long[0] = term;
    else double[0] = term;
    this.add(halves[1]!, halves[0]!, count);
  }

  /** Adds what was counted elsewhere. */
  addAll({ terms, counts }: CountedNumbers): void {
    const words = wordsOf(terms);
    for (let i = 0; i < counts.length; i++) this.add(words[2 * i + 1]!, words[2 * i]!, counts[i]!);
  }

  result(): CountedNumbers {
    const { slots, size } = this;
    const words = new Int32Array(size * 2);
    const counts = new Uint32Array(size);
    for (let at = 0, i = 0; at < slots.length; at += SLOT) {
      if (slots[at + 2] === 0) continue;
      words[2 * i] = slots[at]!;
      words[2 * i + 1] = slots[at + 1]!;
      counts[i++] = slots[at + 2]! - 1;
    }
    return this.type === 'long'
      ? { type: 'long', terms: new BigInt64Array(words.buffer), counts }
      : { type: 'double', terms: new Float64Array(words.buffer), counts };
  }

  private grow(): void {
    const old = this.slots;
    const slots = new Int32Array(old.length * 4);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 2] === 0) continue;
      let at = (hash(old[from + 1]!, old[from]!) * SLOT) & mask;
      while (slots[at + 2] !== 0) at = (at + SLOT) & mask;
      slots[at] = old[from]!;
      slots[at + 1] = old[from + 1]!;
      slots[at + 2] = old[from + 2]!;
    }
    this.slots = slots;
  }
}

/** The halves of 64-bit numbers, low one first (the byte order of every platform that Node runs on here). */
export function wordsOf(terms: BigInt64Array | Float64Array): Int32Array {
  return new Int32Array(terms.buffer, terms.byteOffset, terms.length * 2);
}

function hash(high: number, low: number): number {
  let h = Math.imul(high ^ Math.imul(low, 0x85ebca6b), 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

/** Numeric terms, in no particular order, with their counts. */
export type CountedNumbers =
  | { readonly type: 'long'; readonly terms: BigInt64Array; readonly counts: Uint32Array }
  | { readonly type: 'double'; readonly terms: Float64Array; readonly counts: Uint32Array };
