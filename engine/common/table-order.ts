// The order in which the reference goes through names that it keeps in a hash table. Clients see it: in the
// fields of a highlighted hit, and in what several fields of a query add up to.

/** Least places of the table. */
const LEAST_CAPACITY = 16;

/** Names in the order in which the reference's hash table has them; `names` as they were added. */
export function inTableOrder(names: readonly string[]): string[] {
  let capacity = LEAST_CAPACITY;
  while (names.length > capacity * 0.75) capacity *= 2;
  return names
    .map((name, i) => ({ name, i, place: placeOf(name, capacity) }))
    .sort((a, b) => a.place - b.place || a.i - b.i)
    .map(({ name }) => name);
}

/** The place of a name in a table of so many, a power of two. */
export function placeOf(name: string, capacity: number): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 16)) & (capacity - 1);
}
