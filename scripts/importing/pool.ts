// Several pieces of work at once.

/**
 * Runs `work` on all items, at most `parallel` at a time. After a failure nothing new is begun.
 *
 * @throws what the first failing piece threw, when all others have ended
 */
export async function inParallel<T>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const queue = items.values();
  const run = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, run));
  if (failures.length > 0) throw failures[0];
}
