// Numbers for numbers: small consecutive ids for 64-bit keys, in the order in which they are first seen. Hot:
// one look-up per value.

const FIRST_SLOTS = 256;

const double = new Float64Array(1);
const long = new BigInt64Array(double.buffer);
const halves = new Int32Array(double.buffer);

/** A hash table in typed arrays. Keys are two 32-bit halves: those of an integer, or of a double's bits. */
export class NumberIds {
  size = 0;
  /** Key of id i: low half at 2i, high half at 2i + 1. */
  private keys = new Int32Array(FIRST_SLOTS);
  /** Id + 1 by hash; 0: free. */
  private slots = new Uint32Array(FIRST_SLOTS);

  /** The id of a key; a new one when it is new. Halves may be unsigned. */
  idOf(high: number, low: number): number {
    const { slots, keys } = this;
    const mask = slots.length - 1;
    low |= 0;
    high |= 0;
    let slot = hash(high, low) & mask;
    for (;;) {
      const id = slots[slot]! - 1;
      if (id < 0) break;
      if (keys[2 * id] === low && keys[2 * id + 1] === high) return id;
      slot = (slot + 1) & mask;
    }
    return this.add(high, low, slot);
  }

  /** The id of a double, by its bits. */
  idOfDouble(value: number): number {
    double[0] = value;
    return this.idOf(halves[1]!, halves[0]!);
  }

  /** The key with an id, as a double. */
  doubleAt(id: number): number {
    halves[0] = this.keys[2 * id]!;
    halves[1] = this.keys[2 * id + 1]!;
    return double[0]!;
  }

  /** The key with an id, as a 64-bit integer. */
  longAt(id: number): bigint {
    halves[0] = this.keys[2 * id]!;
    halves[1] = this.keys[2 * id + 1]!;
    return long[0]!;
  }

  /** Compares the keys with two ids as 64-bit integers. */
  compareLongs(a: number, b: number): number {
    const { keys } = this;
    return keys[2 * a + 1]! - keys[2 * b + 1]! || (keys[2 * a]! >>> 0) - (keys[2 * b]! >>> 0);
  }

  /** The keys by id, as doubles. */
  doubles(): Float64Array {
    return new Float64Array(this.keys.slice(0, 2 * this.size).buffer);
  }

  /** The keys by id, as 64-bit integers. */
  longs(): BigInt64Array {
    return new BigInt64Array(this.keys.slice(0, 2 * this.size).buffer);
  }

  private add(high: number, low: number, slot: number): number {
    const id = this.size++;
    if (2 * id >= this.keys.length) {
      const keys = new Int32Array(this.keys.length * 2);
      keys.set(this.keys);
      this.keys = keys;
    }
    this.keys[2 * id] = low;
    this.keys[2 * id + 1] = high;
    this.slots[slot] = id + 1;
    if (this.size * 2 > this.slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const { keys, size } = this;
    const slots = new Uint32Array(this.slots.length * 4);
    const mask = slots.length - 1;
    for (let id = 0; id < size; id++) {
      let slot = hash(keys[2 * id + 1]!, keys[2 * id]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.slots = slots;
  }
}

function hash(high: number, low: number): number {
  let h = Math.imul(high ^ Math.imul(low, 0x85ebca6b), 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
