// Work on many items at the same time, but not on all of them, and not without a pause.

import { Slices, yieldToEventLoop } from '../../engine/index';

/** Has what takes long at a stretch begin one by one, with a turn for other requests in between. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Resolves a turn of the event loop after the call before, at the earliest. */
  next(): Promise<void> {
    this.last = this.last.then(yieldToEventLoop);
    return this.last;
  }
}

/**
 * What `work` gives for each item, in order. Never more than `limit` items are worked on at a time. The first
 * rejection is the result of all; items not begun by then are left. Other requests get turns in between, also
 * where no item waits for anything.
 *
 * @param limit at least 1
 */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  let isFailed = false;
  const slices = new Slices(1);
  const lane = async () => {
    for (const [at, item] of entries) {
      if (slices.isOver()) await slices.next();
      try {
        results[at] = await work(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
      if (isFailed) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
