// How many distinct hashes each bucket has: a few are kept as they are, of many only the registers of a
// HyperLogLog (Flajolet et al. 2007) are, read by the estimator of Ertl ("New cardinality estimation
// algorithms for HyperLogLog sketches", 2017), which needs no tables of corrections. What is answered
// depends on the set of hashes alone, not on the order in which they come or on how they were split up.

import { type BucketMap, NO_BUCKET } from '../contract/aggregation';

export const MIN_PRECISION = 4;
export const MAX_PRECISION = 18;

/** What is known of the hashes of each bucket of the parent. Plain data. */
export interface DistinctData {
  /** By bucket: how many there are, exact or as estimated. */
  readonly values: Float64Array;
  /** Kept hashes: entry i belongs to bucket `owners[i]`. */
  readonly owners: Uint32Array;
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Buckets of which registers are kept: those of `dense[i]` are at i << precision. */
  readonly dense: Uint32Array;
  readonly registers: Uint8Array;
}

/** How many hashes of a bucket are kept, below which counts are exact. */
export function exactLimit(precision: number): number {
  return ((2 ** precision / 4) * 3) / 4;
}

const FIRST_ENTRIES = 64;
const FIRST_OWNERS = 16;
const NO_ENTRY = 0xffffffff;

/** Collects hashes. */
export class DistinctTable {
  private size = 0;
  /** Entries whose bucket has registers by now. */
  private dead = 0;
  private owners = new Uint32Array(FIRST_ENTRIES);
  private high = new Uint32Array(FIRST_ENTRIES);
  private low = new Uint32Array(FIRST_ENTRIES);
  /** The entry before it of the same bucket. */
  private before = new Uint32Array(FIRST_ENTRIES);
  /** Entry + 1 by hash; 0: free. */
  private slots = new Uint32Array(2 * FIRST_ENTRIES);
  /** By bucket: the last entry, how many there are, and the number of its registers + 1. */
  private last = new Uint32Array(FIRST_OWNERS).fill(NO_ENTRY);
  private counts = new Uint32Array(FIRST_OWNERS);
  private denseOf = new Uint32Array(FIRST_OWNERS);
  private denseCount = 0;
  private registers = new Uint8Array(0);
  private readonly limit: number;

  constructor(private readonly precision: number) {
    this.limit = exactLimit(precision);
  }

  /** Of its arrays. */
  get bytes(): number {
    const perEntry = 4 * this.owners.byteLength + this.slots.byteLength;
    return perEntry + 3 * this.last.byteLength + this.registers.byteLength;
  }

  /** Makes room for so many buckets. */
  reserve(size: number): void {
    const { length } = this.counts;
    if (size <= length) return;
    const room = Math.max(size, 2 * length);
    this.counts = enlarged(this.counts, room);
    this.denseOf = enlarged(this.denseOf, room);
    this.last = enlarged(this.last, room).fill(NO_ENTRY, length);
  }

  /** Adds a hash to a bucket, for which there is room. */
  add(owner: number, high: number, low: number): void {
    const dense = this.denseOf[owner]!;
    if (dense !== 0) {
      this.raise((dense - 1) << this.precision, high, low);
      return;
    }
    const { slots, owners } = this;
    const mask = slots.length - 1;
    let slot = slotOf(owner, low) & mask;
    for (;;) {
      const entry = slots[slot]! - 1;
      if (entry < 0) break;
      if (this.low[entry] === low && this.high[entry] === high && owners[entry] === owner) return;
      slot = (slot + 1) & mask;
    }
    this.insert(owner, high, low, slot);
  }

  /** Adds what another table has. */
  addData({ owners, high, low, dense, registers }: DistinctData, became: BucketMap): void {
    for (let i = 0; i < owners.length; i++) {
      const owner = became === null ? owners[i]! : became[owners[i]!]!;
      if (owner !== NO_BUCKET) this.add(owner, high[i]!, low[i]!);
    }
    const size = 2 ** this.precision;
    for (let i = 0; i < dense.length; i++) {
      const owner = became === null ? dense[i]! : became[dense[i]!]!;
      if (owner === NO_BUCKET) continue;
      if (this.denseOf[owner] === 0) this.makeDense(owner);
      const own = (this.denseOf[owner]! - 1) * size;
      const from = i * size;
      for (let r = 0; r < size; r++) {
        const rank = registers[from + r]!;
        if (rank > this.registers[own + r]!) this.registers[own + r] = rank;
      }
    }
  }

  /** What was collected. @param owners how many buckets there are */
  data(owners: number): DistinctData {
    this.reserve(owners);
    this.compact();
    const { size, precision, denseCount } = this;
    const values = this.values(owners);
    const dense = new Uint32Array(denseCount);
    for (let owner = 0; owner < owners; owner++) {
      if (this.denseOf[owner] !== 0) dense[this.denseOf[owner]! - 1] = owner;
    }
    return {
      values,
      owners: this.owners.slice(0, size),
      high: this.high.slice(0, size),
      low: this.low.slice(0, size),
      dense,
      registers: this.registers.slice(0, denseCount << precision),
    };
  }

  /** How many distinct hashes each of so many buckets has. */
  values(owners: number): Float64Array {
    this.reserve(owners);
    const values = new Float64Array(owners);
    for (let owner = 0; owner < owners; owner++) {
      const dense = this.denseOf[owner]!;
      values[owner] = dense === 0 ? this.counts[owner]! : this.estimate(dense - 1);
    }
    return values;
  }

  private insert(owner: number, high: number, low: number, slot: number): void {
    if (this.counts[owner]! >= this.limit) {
      this.makeDense(owner);
      this.raise((this.denseOf[owner]! - 1) << this.precision, high, low);
      return;
    }
    const entry = this.size++;
    this.owners[entry] = owner;
    this.high[entry] = high;
    this.low[entry] = low;
    this.before[entry] = this.last[owner]!;
    this.last[owner] = entry;
    this.counts[owner]!++;
    this.slots[slot] = entry + 1;
    if (this.size === this.owners.length) this.makeRoom();
  }

  /** Goes over to registers. */
  private makeDense(owner: number): void {
    const { precision } = this;
    const number = this.denseCount++;
    const bytes = this.denseCount << precision;
    if (bytes > this.registers.length) {
      const registers = new Uint8Array(Math.max(bytes, 2 * this.registers.length));
      registers.set(this.registers);
      this.registers = registers;
    }
    this.denseOf[owner] = number + 1;
    for (let entry = this.last[owner]!; entry !== NO_ENTRY; entry = this.before[entry]!) {
      this.raise(number << precision, this.high[entry]!, this.low[entry]!);
      this.dead++;
    }
    this.last[owner] = NO_ENTRY;
  }

  /** Takes a hash into registers: its first bits choose one, the zeros behind them count. */
  private raise(first: number, high: number, low: number): void {
    const { precision, registers } = this;
    const at = first + (high >>> (32 - precision));
    const rest = high << precision;
    const rank = rest === 0 ? 33 - precision + Math.clz32(low) : Math.clz32(rest) + 1;
    if (rank > registers[at]!) registers[at] = rank;
  }

  private makeRoom(): void {
    this.compact();
    if (2 * this.size <= this.owners.length) return;
    const room = 2 * this.owners.length;
    this.owners = enlarged(this.owners, room);
    this.high = enlarged(this.high, room);
    this.low = enlarged(this.low, room);
    this.before = enlarged(this.before, room);
    this.slots = new Uint32Array(2 * room);
    this.fillSlots();
  }

  /** Drops entries that registers have taken over. */
  private compact(): void {
    if (this.dead === 0) return;
    const { owners, high, low, before, last, denseOf } = this;
    last.fill(NO_ENTRY);
    let n = 0;
    for (let i = 0; i < this.size; i++) {
      const owner = owners[i]!;
      if (denseOf[owner] !== 0) continue;
      owners[n] = owner;
      high[n] = high[i]!;
      low[n] = low[i]!;
      before[n] = last[owner]!;
      last[owner] = n++;
    }
    this.size = n;
    this.dead = 0;
    this.fillSlots();
  }

  private fillSlots(): void {
    const { slots, owners, low } = this;
    const mask = slots.length - 1;
    slots.fill(0);
    for (let entry = 0; entry < this.size; entry++) {
      let slot = slotOf(owners[entry]!, low[entry]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
  }

  private estimate(number: number): number {
    const { precision, registers } = this;
    const m = 2 ** precision;
    const first = number * m;
    const most = 64 - precision;
    const histogram = new Uint32Array(most + 2);
    for (let r = 0; r < m; r++) histogram[registers[first + r]!]!++;
    let z = m * tau(1 - histogram[most + 1]! / m);
    for (let rank = most; rank >= 1; rank--) z = 0.5 * (z + histogram[rank]!);
    z += m * sigma(histogram[0]! / m);
    return Math.round((m * m) / (2 * Math.LN2 * z));
  }
}

/** Ertl's correction for registers that nothing fell into. */
function sigma(share: number): number {
  if (share === 1) return Infinity;
  let power = share;
  let sum = share;
  let factor = 1;
  for (;;) {
    power *= power;
    const next = sum + power * factor;
    factor += factor;
    if (next === sum) return sum;
    sum = next;
  }
}

/** Ertl's correction for registers that are full. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let root = share;
  let factor = 1;
  let sum = 1 - share;
  for (;;) {
    root = Math.sqrt(root);
    factor *= 0.5;
    const next = sum - (1 - root) ** 2 * factor;
    if (next === sum) return sum / 3;
    sum = next;
  }
}

function slotOf(owner: number, low: number): number {
  const h = low ^ Math.imul(owner, 0x9e3779b1);
  return (h ^ (h >>> 15)) >>> 0;
}

function enlarged(array: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}

/** The distinct hashes of several parts together. @param owners how many buckets there are */
export function mergeDistinct(
  precision: number,
  parts: readonly { readonly data: DistinctData; readonly owners: BucketMap }[],
  owners: number,
): DistinctTable {
  const table = new DistinctTable(precision);
  table.reserve(owners);
  for (const { data, owners: became } of parts) table.addData(data, became);
  return table;
}
