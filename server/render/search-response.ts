// The envelope of a search. Hits arrive as rendered JSON and are spliced in between, as bytes.

import {
  Float,
  type JsonOutput,
  RawJson,
  type SearchResponse,
  writeJson,
} from '../../engine/index';
import type { ApiResponse } from '../request/index';
import { shardsHeader, shardsStatus } from './shards';

const COMMA = Buffer.from(',');

/** The answer to a search: with the status of its shards where all of them failed. */
export function searchAnswer(result: SearchResponse): ApiResponse {
  const status = shardsStatus(result.shards);
  return { kind: 'chunks', status, chunks: searchResponseChunks(result) };
}

/** A search response as JSON bytes, in the reference's member order. */
export function searchResponseChunks(result: SearchResponse): Buffer[] {
  const chunks: Buffer[] = [];
  let text = headOf(result);
  if (result.hits.length > 0) {
    chunks.push(Buffer.from(text));
    text = '';
    for (let i = 0; i < result.hits.length; i++) {
      if (i > 0) chunks.push(COMMA);
      chunks.push(result.hits[i]!);
    }
  }
  text += ']}';
  for (const name of ['facets', 'aggregations', 'suggest'] as const) {
    const output = result[name];
    if (output !== undefined) text = addMember(chunks, `${text},"${name}":`, output);
  }
  chunks.push(Buffer.from(`${text}}`));
  return chunks;
}

/** Everything before the first hit; put together by hand, because every search writes it. */
function headOf(result: SearchResponse): string {
  const { scrollId, tookMs, timedOut, terminatedEarly, shards, total, maxScore } = result;
  let text = scrollId === undefined ? '{' : `{"_scroll_id":${writeJson(scrollId)},`;
  text += `"took":${writeJson(tookMs)},"timed_out":${timedOut}`;
  if (terminatedEarly !== undefined) text += `,"terminated_early":${terminatedEarly}`;
  text +=
    shards.failures.length === 0
      ? `,"_shards":{"total":${shards.total},"successful":${shards.successful},"failed":${shards.failed}}`
      : `,"_shards":${writeJson(shardsHeader(shards))}`;
  const best = maxScore === null ? 'null' : writeJson(new Float(maxScore));
  return `${text},"hits":{"total":${writeJson(total)},"max_score":${best},"hits":[`;
}

/**
 * Adds an object to the texts of an answer, without copying those of its members that are bytes.
 *
 * @param before text that is not in `chunks` yet
 * @returns the text that is not in `chunks` yet
 */
function addMember(chunks: Buffer[], before: string, output: JsonOutput): string {
  if (!(output instanceof Map)) return before + writeJson(output);
  let text = `${before}{`;
  let separator = '';
  for (const [name, member] of output as ReadonlyMap<string, JsonOutput>) {
    text += `${separator}${writeJson(name)}:`;
    separator = ',';
    if (member instanceof RawJson && typeof member.text !== 'string') {
      chunks.push(Buffer.from(text), member.text);
      text = '';
    } else text += writeJson(member);
  }
  return `${text}}`;
}
