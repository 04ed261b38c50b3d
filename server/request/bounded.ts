// Work on many items at the same time, but not on all of them.

/**
 * What `work` gives for each item, in order. Never more than `limit` items are worked on at a time. The first
 * rejection is the result of all; items not begun by then are left.
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
  const lane = async () => {
    for (const [at, item] of entries) {
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
