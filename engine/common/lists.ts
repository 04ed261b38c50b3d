// Lists of any length. A spread argument puts every element on the stack, which holds about 100,000 of them:
// lint refuses it, and what follows stands in for it.

/** Appends items to a list in place. */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The greatest of the numbers and of `least`, which is the result for none. */
export function greatestOf(numbers: Iterable<number>, least = -Infinity): number {
  let greatest = least;
  for (const number of numbers) greatest = Math.max(greatest, number);
  return greatest;
}

/** The least of the numbers and of `most`, which is the result for none. */
export function leastOf(numbers: Iterable<number>, most = Infinity): number {
  let least = most;
  for (const number of numbers) least = Math.min(least, number);
  return least;
}
