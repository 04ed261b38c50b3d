// The envelope of a search. Hits arrive as rendered JSON and are spliced in between, as bytes.

import { Float, writeJson, type SearchResponse } from '../../engine/index';
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
  const facets = result.facets === undefined ? '' : `,"facets":${writeJson(result.facets)}`;
  const aggregations =
    result.aggregations === undefined ? '' : `,"aggregations":${writeJson(result.aggregations)}`;
  const suggest = result.suggest === undefined ? '' : `,"suggest":${writeJson(result.suggest)}`;
  chunks.push(Buffer.from(`]}${facets}${aggregations}${suggest}}`));
  return chunks;
}
