// How often a phrase occurs in a document, exactly or within a slop.
//
// Both work on "starts": the position of a term minus its offset in the phrase. An exact match is one
// start that all slots share; a sloppy one is a window of starts, and its width is the edit distance.

import type { PhraseSlot } from '../ast/query';
import { sloppyFactor } from '../scoring/similarity';
import type { SlotPositions } from './slot-positions';

const f = Math.fround;

/** Looks at the positions of the document that all slots stand on. */
export interface PhraseFrequency {
  /** Frequency in the current document; 0 when the phrase does not occur. */
  compute(): number;
}

/** Counts the starts that all slots share. */
export class ExactPhrase implements PhraseFrequency {
  private starts = new Int32Array(16);
  private readonly slots: readonly { readonly positions: SlotPositions; readonly offset: number }[];

  constructor(positions: readonly SlotPositions[], slots: readonly PhraseSlot[]) {
    this.slots = positions
      .map((each, i) => ({ positions: each, offset: slots[i]!.position }))
      .sort((a, b) => a.positions.cost - b.positions.cost);
  }

  compute(): number {
    const { slots } = this;
    let count = this.readStarts(slots[0]!.positions, slots[0]!.offset);
    const { starts } = this;
    for (let s = 1; s < slots.length && count > 0; s++) {
      const { positions, offset } = slots[s]!;
      let left = positions.freq();
      let start = positions.nextPosition() - offset;
      let kept = 0;
      for (let i = 0; i < count; i++) {
        const wanted = starts[i]!;
        while (start < wanted && --left > 0) start = positions.nextPosition() - offset;
        if (start < wanted) break;
        if (start === wanted) starts[kept++] = wanted;
      }
      count = kept;
    }
    return count;
  }

  /**
   * Fills {@link starts} with the distinct starts of a slot. compat: none lies before the document, although
   * that of a phrase from whose beginning words were left out may.
   */
  private readStarts(positions: SlotPositions, offset: number): number {
    const freq = positions.freq();
    if (freq > this.starts.length) this.starts = new Int32Array(freq * 2);
    const { starts } = this;
    let count = 0;
    for (let i = 0; i < freq; i++) {
      const start = positions.nextPosition() - offset;
      if (start >= 0 && (count === 0 || starts[count - 1] !== start)) starts[count++] = start;
    }
    return count;
  }
}

/** One slot of a sloppy phrase and the position it currently stands on. */
class SlotCursor {
  /** Position minus offset. */
  start = 0;
  /** Group of slots that share a term with this one, and its place there; -1: none. */
  group = -1;
  place = 0;
  private left = 0;

  constructor(
    readonly positions: SlotPositions,
    readonly offset: number,
    readonly order: number,
  ) {}

  first(): void {
    this.left = this.positions.freq();
    this.next();
  }

  next(): boolean {
    if (this.left === 0) return false;
    this.left--;
    this.start = this.positions.nextPosition() - this.offset;
    return true;
  }

  /** The position in the document. */
  get position(): number {
    return this.start + this.offset;
  }
}

function before(a: SlotCursor, b: SlotCursor): boolean {
  if (a.start !== b.start) return a.start < b.start;
  return a.offset !== b.offset ? a.offset < b.offset : a.order < b.order;
}

/**
 * Sums 1 / (distance + 1) over the windows that are within the slop.
 *
 * The slot furthest behind moves until it passes the next one; the smallest window on the way counts.
 * Slots that share terms must not stand on the same position: of two that meet, the lesser one moves on.
 */
export class SloppyPhrase implements PhraseFrequency {
  private readonly cursors: readonly SlotCursor[];
  /** Slots that share terms, each group by offset. */
  private readonly groups: readonly (readonly SlotCursor[])[];
  private readonly sharedAlternatives: boolean;
  /** The slots that wait, by start. */
  private readonly queue: SlotCursor[] = [];
  private end = 0;

  constructor(
    positions: readonly SlotPositions[],
    slots: readonly PhraseSlot[],
    private readonly slop: number,
  ) {
    this.cursors = positions.map((each, i) => new SlotCursor(each, slots[i]!.position, i));
    const { groups, alternatives } = groupByTerms(this.cursors, slots);
    this.groups = groups;
    this.sharedAlternatives = alternatives;
  }

  compute(): number {
    if (!this.place()) return 0;
    const { queue, slop } = this;
    let freq = 0;
    let least = queue.shift()!;
    let width = this.end - least.start;
    let next = queue[0]!.start;
    while (this.step(least)) {
      if (least.group >= 0 && !this.separate(least)) break;
      if (least.start > next) {
        if (width <= slop) freq = f(freq + sloppyFactor(width));
        this.enqueue(least);
        least = queue.shift()!;
        next = queue[0]!.start;
        width = this.end - least.start;
      } else if (this.end - least.start < width) {
        width = this.end - least.start;
      }
    }
    return width <= slop ? f(freq + sloppyFactor(width)) : freq;
  }

  /** Puts every slot on its first position, repeated terms on successive ones. */
  private place(): boolean {
    const { cursors } = this;
    this.end = -Infinity;
    for (let i = 0; i < cursors.length; i++) cursors[i]!.first();
    if (this.groups.length > 0 && !this.spread()) return false;
    this.queue.length = 0;
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i]!;
      if (cursor.start > this.end) this.end = cursor.start;
      this.enqueue(cursor);
    }
    return true;
  }

  private spread(): boolean {
    for (const group of this.groups) {
      if (!this.sharedAlternatives) {
        for (let i = 1; i < group.length; i++) {
          for (let n = 0; n < i; n++) if (!group[i]!.next()) return false;
        }
        continue;
      }
      for (let i = 0; i < group.length;) {
        const cursor = group[i]!;
        let again = false;
        for (let other = this.colliding(cursor); other !== null; other = this.colliding(cursor)) {
          const lesser = lesserOf(cursor, other);
          if (!this.step(lesser)) return false;
          if (lesser.place < i) {
            again = true;
            break;
          }
        }
        if (!again) i++;
      }
    }
    return true;
  }

  private step(cursor: SlotCursor): boolean {
    if (!cursor.next()) return false;
    if (cursor.start > this.end) this.end = cursor.start;
    return true;
  }

  /** Resolves meetings caused by `moved`; false when a slot runs out of positions. */
  private separate(moved: SlotCursor): boolean {
    let cursor = moved;
    for (let other = this.colliding(cursor); other !== null; other = this.colliding(cursor)) {
      cursor = lesserOf(cursor, other);
      if (!this.step(cursor)) return false;
    }
    // Slots in the queue may have moved: put it in order again (it is short).
    const { queue } = this;
    for (let i = 1; i < queue.length; i++) {
      const each = queue[i]!;
      let at = i;
      while (at > 0 && before(each, queue[at - 1]!)) {
        queue[at] = queue[at - 1]!;
        at--;
      }
      queue[at] = each;
    }
    return true;
  }

  /** Another slot of the group on the same position, or null. */
  private colliding(cursor: SlotCursor): SlotCursor | null {
    const group = this.groups[cursor.group]!;
    for (let i = 0; i < group.length; i++) {
      const other = group[i]!;
      if (other !== cursor && other.position === cursor.position) return other;
    }
    return null;
  }

  private enqueue(cursor: SlotCursor): void {
    const { queue } = this;
    let at = queue.length;
    queue.push(cursor);
    while (at > 0 && before(cursor, queue[at - 1]!)) {
      queue[at] = queue[at - 1]!;
      at--;
    }
    queue[at] = cursor;
  }
}

function lesserOf(a: SlotCursor, b: SlotCursor): SlotCursor {
  return a.start < b.start || (a.start === b.start && a.offset < b.offset) ? a : b;
}

/** Joins slots that share a term, directly or through others. */
function groupByTerms(
  cursors: readonly SlotCursor[],
  slots: readonly PhraseSlot[],
): { readonly groups: readonly (readonly SlotCursor[])[]; readonly alternatives: boolean } {
  const slotsOf = new Map<string, number[]>();
  slots.forEach((slot, i) => {
    for (const term of slot.terms) {
      const list = slotsOf.get(term);
      if (list === undefined) slotsOf.set(term, [i]);
      else list.push(i);
    }
  });
  const groupOf = slots.map((_, i) => i);
  for (const list of slotsOf.values()) {
    for (const i of list) {
      const from = groupOf[i]!;
      const to = groupOf[list[0]!]!;
      if (from !== to) groupOf.forEach((group, k) => group === from && (groupOf[k] = to));
    }
  }
  const members = new Map<number, SlotCursor[]>();
  groupOf.forEach((group, i) => {
    const list = members.get(group);
    if (list === undefined) members.set(group, [cursors[i]!]);
    else list.push(cursors[i]!);
  });
  const groups = [...members.values()].filter((group) => group.length > 1);
  let alternatives = false;
  groups.forEach((group, g) => {
    group.sort((a, b) => a.offset - b.offset);
    group.forEach((cursor, place) => {
      cursor.group = g;
      cursor.place = place;
      if (slots[cursor.order]!.terms.length > 1) alternatives = true;
    });
  });
  return { groups, alternatives };
}
