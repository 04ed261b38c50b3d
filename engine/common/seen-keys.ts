// Which keys were asked for before, as a guess that takes little memory.

/** Remembers keys, each in the one slot that it may be in. */
export class SeenKeys {
  private readonly slots: Uint32Array;

  /** @param slots a power of two */
  constructor(slots: number) {
    this.slots = new Uint32Array(slots);
  }

  /**
   * Whether a key was seen before, and remembers that it was. A guess, wrong for a few keys in billions and
   * after many others.
   */
  add(key: string, owner = 0): boolean {
    const hash = hashKey(owner, key);
    const slot = hash & (this.slots.length - 1);
    if (this.slots[slot] === hash) return true;
    this.slots[slot] = hash;
    return false;
  }
}

/** Never 0, which marks a free slot. */
function hashKey(owner: number, key: string): number {
  let hash = Math.imul(owner, 0x9e3779b1);
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0 || 1;
}
