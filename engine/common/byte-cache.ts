// A least-recently-used cache with a budget in bytes, one per thread.
//
// Values are immutable, so nothing is pinned: an evicted value stays valid where it is still held. Every
// entry belongs to an owner, a segment id that is never reused, so an entry can become useless but never
// wrong.

import { SeenKeys } from './seen-keys';

/** Counters of one kind of entries. */
interface CacheKindStats {
  hits: number;
  misses: number;
  evictions: number;
  entries: number;
  bytes: number;
}

/** What caches hold: counters by kind, bytes by owner and kind, and of columns bytes by owner and field. */
export interface CacheStats {
  readonly kinds: ReadonlyMap<string, Readonly<CacheKindStats>>;
  readonly bytes: ReadonlyMap<number, ReadonlyMap<string, number>>;
  readonly columns: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

/**
 * The kind of entries with values by document. Their keys name the field: {@link fieldKey}, `name/FIELD` or
 * `name/FIELD/more`.
 */
const COLUMN_KIND = 'column';

/** What caches hold by kind, and the budget of all of them together in bytes. */
export interface CacheStatsByKind {
  readonly kinds: ReadonlyMap<string, Readonly<CacheKindStats>>;
  readonly limitBytes: number;
}

/** The totals of several caches together. */
export function sumStatsByKind(list: readonly CacheStatsByKind[]): CacheStatsByKind {
  const kinds = new Map<string, CacheKindStats>();
  let limitBytes = 0;
  for (const totals of list) {
    limitBytes += totals.limitBytes;
    addKinds(kinds, totals.kinds);
  }
  return { kinds, limitBytes };
}

/** What a cache that is gone has counted; it holds nothing any more. */
export function countersOf({ kinds }: CacheStatsByKind): CacheStatsByKind {
  const counters = new Map(
    [...kinds].map(([kind, stats]) => [kind, { ...stats, entries: 0, bytes: 0 }] as const),
  );
  return { kinds: counters, limitBytes: 0 };
}

/** How often anything was looked for. */
export function lookUps({ kinds }: CacheStatsByKind): number {
  let sum = 0;
  for (const { hits, misses } of kinds.values()) sum += hits + misses;
  return sum;
}

function addKinds(
  sums: Map<string, CacheKindStats>,
  kinds: ReadonlyMap<string, Readonly<CacheKindStats>>,
): void {
  for (const [kind, stats] of kinds) {
    const sum = sums.get(kind) ?? noStats();
    sums.set(kind, sum);
    sum.hits += stats.hits;
    sum.misses += stats.misses;
    sum.evictions += stats.evictions;
    sum.entries += stats.entries;
    sum.bytes += stats.bytes;
  }
}

/** The statistics of several caches together. */
export function sumStats(list: readonly CacheStats[]): CacheStats {
  const kinds = new Map<string, CacheKindStats>();
  const bytes = new Map<number, Map<string, number>>();
  const columns = new Map<number, Map<number, number>>();
  for (const stats of list) {
    addKinds(kinds, stats.kinds);
    addSizes(bytes, stats.bytes);
    addSizes(columns, stats.columns);
  }
  return { kinds, bytes, columns };
}

function addSizes<K>(
  sums: Map<number, Map<K, number>>,
  sizes: ReadonlyMap<number, ReadonlyMap<K, number>>,
): void {
  for (const [owner, own] of sizes) for (const [key, size] of own) addSize(sums, owner, key, size);
}

function addSize<K>(sums: Map<number, Map<K, number>>, owner: number, key: K, size: number): void {
  let own = sums.get(owner);
  if (own === undefined) sums.set(owner, (own = new Map<K, number>()));
  own.set(key, (own.get(key) ?? 0) + size);
}

interface Entry {
  readonly owner: number;
  readonly key: CacheKey;
  readonly kind: CacheKindStats;
  readonly value: unknown;
  readonly bytes: number;
  newer: Entry;
  older: Entry;
}

/** What identifies an entry within its owner. */
export type CacheKey = string | number;

/** Estimated bytes of bookkeeping per entry, added to what `put` is told. */
const ENTRY_OVERHEAD = 128;

/** Keys remembered by {@link ByteCache.askedBefore}; a power of two. */
const ASKED_SLOTS = 1 << 14;

/** A cache with a budget in bytes. */
export class ByteCache {
  private readonly owners = new Map<number, Map<CacheKey, Entry>>();
  private readonly kinds = new Map<string, CacheKindStats>();
  /** Ends of the list of use: `ring.older` is the most recent entry, `ring.newer` the oldest one. */
  private readonly ring: Entry;
  private used = 0;
  private readonly asked = new SeenKeys(ASKED_SLOTS);

  /** @param limit budget in bytes; a value larger than the budget is never kept. */
  constructor(private limit: number) {
    const ring = { owner: -1, key: '', kind: noStats(), value: undefined, bytes: 0 } as Entry;
    ring.newer = ring;
    ring.older = ring;
    this.ring = ring;
  }

  /** Bytes in use, bookkeeping included. */
  get bytes(): number {
    return this.used;
  }

  get limitBytes(): number {
    return this.limit;
  }

  /** Changes the budget; evicts at once what no longer fits. */
  setLimit(bytes: number): void {
    this.limit = bytes;
    this.shrink();
  }

  /**
   * The value under (owner, key), or undefined. `kind` is the one it is put under: it says what to count
   * the look-up as.
   */
  get<T>(owner: number, key: CacheKey, kind: string): T | undefined {
    const entry = this.owners.get(owner)?.get(key);
    if (entry === undefined) {
      this.kindStats(kind).misses++;
      return undefined;
    }
    entry.kind.hits++;
    if (this.ring.older !== entry) {
      unlink(entry);
      this.link(entry);
    }
    return entry.value as T;
  }

  /**
   * Keeps `value`, replacing what the key held.
   *
   * @param owner segment id; 0 for what belongs to no segment
   * @param kind name under which the entry is counted, e.g. `block`, `column`, `filter`
   * @param bytes memory that the value holds
   */
  put(owner: number, key: CacheKey, kind: string, value: unknown, bytes: number): void {
    const known = this.owners.get(owner)?.get(key);
    if (known !== undefined) this.drop(known);
    const size = bytes + ENTRY_OVERHEAD;
    if (size > this.limit) return;
    const stats = this.kindStats(kind);
    const entry = { owner, key, kind: stats, value, bytes: size } as Entry;
    let entries = this.owners.get(owner);
    if (entries === undefined) this.owners.set(owner, (entries = new Map<CacheKey, Entry>()));
    entries.set(key, entry);
    this.link(entry);
    this.used += size;
    stats.entries++;
    stats.bytes += size;
    this.shrink();
  }

  /**
   * Whether (owner, key) was asked about before, and remembers that it was: what is asked for only once is
   * not worth keeping. A guess, wrong for a few keys in billions and after many others.
   */
  askedBefore(owner: number, key: string): boolean {
    return this.asked.add(key, owner);
  }

  /** Counts a look-up of something that is never kept. */
  countMiss(kind: string): void {
    this.kindStats(kind).misses++;
  }

  /** Drops everything of an owner. */
  remove(owner: number): void {
    const entries = this.owners.get(owner);
    if (entries === undefined) return;
    for (const entry of entries.values()) this.drop(entry);
  }

  /** Drops every entry of a kind, or simply everything. */
  clear(kind?: string): void {
    const only = kind === undefined ? null : this.kindStats(kind);
    for (const entries of this.owners.values()) {
      for (const entry of entries.values())
        if (only === null || entry.kind === only) this.drop(entry);
    }
  }

  /** What is in the cache now, as plain data. */
  stats(): CacheStats {
    const bytes = new Map<number, Map<string, number>>();
    const columns = new Map<number, Map<number, number>>();
    const names = new Map([...this.kinds].map(([kind, stats]) => [stats, kind]));
    for (const [owner, entries] of this.owners) {
      for (const { kind, key, bytes: size } of entries.values()) {
        const name = names.get(kind) ?? '';
        addSize(bytes, owner, name, size);
        const field = name === COLUMN_KIND ? fieldOfKey(key) : null;
        if (field !== null) addSize(columns, owner, field, size);
      }
    }
    return { kinds: this.statistics(), bytes, columns };
  }

  /** Counters by kind and the budget, as plain data. */
  totals(): CacheStatsByKind {
    return { kinds: this.statistics(), limitBytes: this.limit };
  }

  /** Counters by kind, in order of first use. A copy. */
  statistics(): ReadonlyMap<string, Readonly<CacheKindStats>> {
    return new Map([...this.kinds].map(([kind, stats]) => [kind, { ...stats }]));
  }

  private kindStats(kind: string): CacheKindStats {
    let stats = this.kinds.get(kind);
    if (stats === undefined) this.kinds.set(kind, (stats = noStats()));
    return stats;
  }

  private shrink(): void {
    while (this.used > this.limit) {
      const oldest = this.ring.newer;
      oldest.kind.evictions++;
      this.drop(oldest);
    }
  }

  private drop(entry: Entry): void {
    unlink(entry);
    const entries = this.owners.get(entry.owner)!;
    entries.delete(entry.key);
    if (entries.size === 0) this.owners.delete(entry.owner);
    this.used -= entry.bytes;
    entry.kind.entries--;
    entry.kind.bytes -= entry.bytes;
  }

  private link(entry: Entry): void {
    const { ring } = this;
    entry.newer = ring;
    entry.older = ring.older;
    ring.older.newer = entry;
    ring.older = entry;
  }
}

const WHAT_BITS = 3;

/**
 * The key of what every search asks for of a field: a number, which is found faster than text. Below 0, where
 * there are no blocks.
 *
 * @param what 0 .. 7
 */
export function fieldKey(field: number, what: number): number {
  return -1 - ((field << WHAT_BITS) | what);
}

function fieldOfKey(key: CacheKey): number | null {
  if (typeof key === 'number') return key < 0 ? (-1 - key) >> WHAT_BITS : null;
  const field = /^\w+\/(\d+)/.exec(key)?.[1];
  return field === undefined ? null : Number(field);
}

function unlink(entry: Entry): void {
  entry.newer.older = entry.older;
  entry.older.newer = entry.newer;
}

function noStats(): CacheKindStats {
  return { hits: 0, misses: 0, evictions: 0, entries: 0, bytes: 0 };
}
