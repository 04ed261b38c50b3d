// The envelope of a search. Hits arrive as rendered JSON and are spliced in between, as bytes.

import {
  Float,
  type JsonOutput,
  RawJson,
  type SearchResponse,
  writeJson,
} from '../../engine/index';
import { shardsHeader } from './shards';

const COMMA = Buffer.from(',');

/** A search response as JSON bytes, in the reference's member order. */
export function searchResponseChunks(result: SearchResponse): Buffer[] {
  const head = {
    _scroll_id: result.scrollId,
    took: result.tookMs,
    timed_out: result.timedOut,
    terminated_early: result.terminatedEarly,
    _shards: shardsHeader(result.shards),
  };
  const maxScore = result.maxScore === null ? null : new Float(result.maxScore);
  const start = writeJson(head).slice(0, -1);
  const hits = writeJson({ total: result.total, max_score: maxScore }).slice(0, -1);
  const chunks: Buffer[] = [Buffer.from(`${start},"hits":${hits},"hits":[`)];
  result.hits.forEach((hit, i) => {
    if (i > 0) chunks.push(COMMA);
    chunks.push(hit);
  });
  let text = ']}';
  for (const name of ['facets', 'aggregations', 'suggest'] as const) {
    const output = result[name];
    if (output !== undefined) text = addMember(chunks, `${text},"${name}":`, output);
  }
  chunks.push(Buffer.from(`${text}}`));
  return chunks;
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
