// What a client learns from an engine, as texts that can be compared.

import type { Engine } from '../../engine/index';
import { EngineError } from '../../engine/errors';
import { parseJsonObject } from '../../engine/json/parse';
import { writeJson } from '../../engine/json/write';
import { getRequest, OPEN_INDICES } from './engine';

/** Of documents with a number `n`, a `text` with word0 to word4, and a `tag`. */
export const QUERIES = [
  { size: 50, sort: [{ n: 'asc' }] },
  { size: 50, query: { match: { text: 'word3' } }, sort: [{ n: 'desc' }] },
  { size: 0, facets: { tags: { terms: { field: 'tag', size: 50 } } } },
  { size: 0, facets: { sum: { statistical: { field: 'n' } } } },
];

/** What a client sees: results or errors, of searches and of every document. */
export async function answers(
  engine: Engine,
  index: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const [i, body] of QUERIES.entries()) {
    const text = JSON.stringify(body);
    const answer = engine
      .search({
        indices: [index],
        types: [],
        options: OPEN_INDICES,
        searchType: undefined,
        body: parseJsonObject(text),
        bodyText: text,
        params: new Map(),
        routing: undefined,
        preference: undefined,
      })
      .then(({ shards, total, hits, facets }) => {
        const failed = shards.failures.map(({ reason }) => `error ${reason}`).join();
        const found = hits.map(String).join();
        return `${failed} ${total} ${found} ${writeJson(facets ?? null)}`;
      });
    all.set(`search ${i}`, await answer.catch(describeError));
  }
  for (const id of ids) {
    const answer = engine
      .get(getRequest(index, 'doc', id))
      .then(({ found, version, source }) => `${found} ${version} ${source?.toString()}`);
    all.set(`get ${id}`, await answer.catch(describeError));
  }
  return all;
}

/** The text of an error that clients may see. @throws every other */
export function describeError(error: unknown): string {
  if (!(error instanceof EngineError)) throw error;
  return `error ${error.toWireString()}`;
}
