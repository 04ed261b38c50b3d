// Several searches in one request.

import { type JsonObject, type JsonOutput, writeJson } from '../../json/index';
import type { OpenSearchClient } from './client';
import { failureIn } from './failures';

/** One search of several. */
export interface SearchItem {
  /** Index, preference and the like. */
  readonly header: Readonly<Record<string, string>>;
  readonly body: JsonOutput;
}

/**
 * Sends searches together.
 *
 * @returns an answer, or the failure, for each
 * @throws EngineError when all of them are refused, or OpenSearch does not answer
 */
export async function multiSearch(
  client: OpenSearchClient,
  items: readonly SearchItem[],
): Promise<readonly JsonObject[]> {
  const lines = items.map(({ header, body }) => `${writeJson(header)}\n${writeJson(body)}\n`);
  const answer = await client.request('POST', '/_msearch', { lines: lines.join('') });
  const responses = answer.body.get('responses');
  if (!Array.isArray(responses)) throw failureIn(answer);
  return responses as readonly JsonObject[];
}
