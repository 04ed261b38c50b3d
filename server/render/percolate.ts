// Answers to percolations, in the reference's member order.

import {
  Float,
  type JsonOutput,
  type PercolateMatch,
  type PercolateResponse,
  RawJson,
  Slices,
  writeJson,
} from '../../engine/index';
import { shardsHeader } from './shards';

/** Stands where the matches belong: no text before them has it, because JSON escapes it. */
const HERE = '\u0000';

/** Matches that are written at a stretch. */
const MATCHES_AT_ONCE = 512;

/**
 * The body of an answer; where it is long others get their turns while it is written.
 *
 * @param onlyIds the matches are ids instead of objects
 */
export async function percolateChunks(
  result: PercolateResponse,
  onlyIds: boolean,
): Promise<Buffer[]> {
  const { matches } = result;
  if (matches === null || matches.length <= MATCHES_AT_ONCE) {
    const shown = matches === null ? undefined : listOf(matches, onlyIds);
    return [Buffer.from(writeJson(percolateBody(result, shown)))];
  }
  const whole = writeJson(percolateBody(result, new RawJson(HERE)));
  const at = whole.indexOf(HERE);
  const chunks = [Buffer.from(`${whole.slice(0, at)}[`)];
  const slices = new Slices(1);
  for (let from = 0; from < matches.length; from += MATCHES_AT_ONCE) {
    const list = writeJson(listOf(matches.slice(from, from + MATCHES_AT_ONCE), onlyIds));
    chunks.push(Buffer.from((from === 0 ? '' : ',') + list.slice(1, -1)));
    if (slices.isOver()) await slices.next();
  }
  chunks.push(Buffer.from(`]${whole.slice(at + HERE.length)}`));
  return chunks;
}

function percolateBody(result: PercolateResponse, matches: JsonOutput | undefined): JsonOutput {
  const { tookMs, shards, total, facets, aggregations } = result;
  return {
    took: tookMs,
    _shards: shardsHeader(shards),
    total,
    matches,
    facets,
    aggregations,
  };
}

function listOf(matches: readonly PercolateMatch[], onlyIds: boolean): JsonOutput {
  return matches.map(({ index, id, score, highlight }) =>
    onlyIds
      ? id
      : {
          _index: index,
          _id: id,
          _score: score === null ? undefined : new Float(score),
          highlight: highlight ?? undefined,
        },
  );
}
