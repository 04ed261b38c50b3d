// Small consecutive ids for pairs of small numbers: the bucket of a key within the bucket of a parent.
// Hot: one look-up per entry.

import { NumberIds } from './number-ids';

/** Cells that a table may have before pairs are hashed. */
const MAX_CELLS = 1 << 20;

/**
 * Hands out bucket ids by owner (the parent's bucket) and key, in the order in which pairs are first
 * seen.
 */
export class BucketIds {
  size = 0;
  private owners = new Uint32Array(64);
  private keys = new Uint32Array(64);
  /** By owner * stride + key: id + 1, or 0. Null: pairs are hashed. */
  private table: Uint32Array | null = null;
  private stride = 0;
  private hashed: NumberIds | null = null;

  /** @param keyCount how many keys there are, where that is known */
  constructor(private readonly keyCount = 0) {}

  /** The id of a pair, which is new when the pair is. */
  idOf(owner: number, key: number): number {
    const { table, stride } = this;
    if (table !== null && key < stride) {
      const cell = owner * stride + key;
      if (cell < table.length) {
        const id = table[cell]!;
        return id === 0 ? (table[cell] = this.add(owner, key) + 1) - 1 : id - 1;
      }
    }
    return this.slow(owner, key);
  }

  /**
   * A table of the ids of all pairs of owners and keys below these: 0, or id + 1, at owner * keys + key.
   * Null: there are too many pairs. Where it has 0, {@link idOf} hands out the id. Not to be modified.
   */
  tableOf(owners: number, keys: number): Uint32Array | null {
    if (
      this.hashed !== null ||
      keys < this.keyCount ||
      (this.table !== null && this.stride !== keys)
    )
      return null;
    const cells = owners * keys;
    if (this.table !== null && cells <= this.table.length) return this.table;
    return this.tabulate(owners === 1 ? 1 : roomFor(owners), keys) ? this.table : null;
  }

  /** By id: its owner. Not to be modified. */
  get ownerOf(): Uint32Array {
    return this.owners.subarray(0, this.size);
  }

  /** By id: its key. Not to be modified. */
  get keyOf(): Uint32Array {
    return this.keys.subarray(0, this.size);
  }

  private slow(owner: number, key: number): number {
    if (this.hashed === null) {
      const owners = owner === 0 && this.size === 0 ? 1 : roomFor(owner + 1);
      const stride = key < this.stride ? this.stride : Math.max(this.keyCount, roomFor(key + 1));
      if (this.tabulate(owners, stride)) return this.idOf(owner, key);
      this.table = null;
      this.hashed = new NumberIds();
      for (let id = 0; id < this.size; id++) this.hashed.idOf(this.owners[id]!, this.keys[id]!);
    }
    const id = this.hashed.idOf(owner, key);
    if (id === this.size) this.add(owner, key);
    return id;
  }

  /** Makes a table of so many owners and keys, unless it would be too large. */
  private tabulate(owners: number, stride: number): boolean {
    if (stride * owners > MAX_CELLS) return false;
    this.stride = stride;
    const table = new Uint32Array(stride * owners);
    for (let id = 0; id < this.size; id++)
      table[this.owners[id]! * stride + this.keys[id]!] = id + 1;
    this.table = table;
    return true;
  }

  private add(owner: number, key: number): number {
    const id = this.size++;
    if (id === this.owners.length) {
      this.owners = doubled(this.owners);
      this.keys = doubled(this.keys);
    }
    this.owners[id] = owner;
    this.keys[id] = key;
    return id;
  }
}

function roomFor(size: number): number {
  return size <= 16 ? 16 : 2 ** Math.ceil(Math.log2(size));
}

/** An array of twice the length, with what there was. */
export function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * array.length);
  larger.set(array);
  return larger;
}
