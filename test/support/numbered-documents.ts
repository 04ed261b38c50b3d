// Indices of small documents with a number each.

import type { HttpClient } from './http-client';

/** How many documents an index has. */
export async function count(http: HttpClient, index: string): Promise<number> {
  return ((await http.ok('GET', `/${index}/_count`)) as { count: number }).count;
}

/** Writes the documents with the numbers from .. to - 1. */
export async function fill(
  http: HttpClient,
  index: string,
  from: number,
  to: number,
): Promise<void> {
  const lines: string[] = [];
  for (let n = from; n < to; n++) lines.push(`{"index":{"_id":"${n}"}}`, `{"n":${n}}`);
  await http.ok('POST', `/${index}/t/_bulk`, `${lines.join('\n')}\n`);
}
