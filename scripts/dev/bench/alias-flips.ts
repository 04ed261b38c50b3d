// Flipping an alias between two indices while clients search through it without pause.

import type { BenchRequest } from './workload';
import { Connection, type BenchAnswer } from './connection';
import { sendOrThrow } from './load';
import { percentile } from './statistics';
import type { Target } from './target';

const ALIAS = 'bench-alias';
/** The indices that the alias flips between, with their numbers of documents. */
const SIDES: readonly (readonly [index: string, documents: number])[] = [
  ['bench-alias-a', 3],
  ['bench-alias-b', 5],
];
const MAX_EXAMPLES = 5;

/** How flipping went. Every answer that is not exactly one of the two indices is counted once. */
export interface FlipResult {
  readonly flips: number;
  readonly searches: number;
  readonly seconds: number;
  readonly flipMedianMs: number;
  readonly flipP99Ms: number;
  /** Answers with documents of both indices. */
  readonly both: number;
  /** Answers with documents of none, or not all of one. */
  readonly none: number;
  readonly errors: number;
  /** Answers from the first and from the second index. */
  readonly seen: readonly number[];
  /** The first wrong answers. */
  readonly examples: readonly string[];
}

const SEARCH: BenchRequest = {
  method: 'POST',
  path: `/${ALIAS}/_search`,
  body: JSON.stringify({ size: 10, _source: false }),
};
const COUNT: BenchRequest = { method: 'GET', path: `/${ALIAS}/_count`, body: '' };

/**
 * Flips one after the other while `clients` connections search and count.
 *
 * @throws Error when the server refuses to flip or ends
 */
export async function flipAliases(
  target: Target,
  flips: number,
  clients: number,
  onProgress: (flips: number) => void,
): Promise<FlipResult> {
  for (const [index, documents] of SIDES) {
    await sendOrThrow(target, 'PUT', `/${index}`, '');
    for (let id = 0; id < documents; id++) {
      await sendOrThrow(target, 'PUT', `/${index}/book/${id}`, '{"title":"a"}');
    }
    await sendOrThrow(target, 'POST', `/${index}/_refresh`, '');
  }
  await sendOrThrow(target, 'PUT', `/${SIDES[0]![0]}/_alias/${ALIAS}`, '');
  const tally = { searches: 0, both: 0, none: 0, errors: 0 };
  const seen = SIDES.map(() => 0);
  const examples: string[] = [];
  const note = ({ status, body }: BenchAnswer, isSearch: boolean): void => {
    tally.searches++;
    const side = isSearch ? sideOfSearch(status, body) : sideOfCount(status, body);
    if (typeof side === 'number') {
      seen[side]!++;
      return;
    }
    tally[side]++;
    if (examples.length < MAX_EXAMPLES) examples.push(`${status} ${body.toString('utf8', 0, 300)}`);
  };
  let isFlipping = true;
  const searching = Array.from({ length: clients }, async () => {
    const connection = await Connection.open(target.url);
    try {
      for (let sent = 0; isFlipping; sent++) {
        const isSearch = sent % 2 === 0;
        note(await connection.send(isSearch ? SEARCH : COUNT), isSearch);
      }
    } finally {
      connection.close();
    }
  });
  const times: number[] = [];
  const started = performance.now();
  const flipping = async () => {
    for (let flip = 0; flip < flips; flip++) {
      const [from, to] = flip % 2 === 0 ? SIDES : [SIDES[1]!, SIDES[0]!];
      const body = JSON.stringify({
        actions: [
          { remove: { index: from![0], alias: ALIAS } },
          { add: { index: to![0], alias: ALIAS } },
        ],
      });
      const sent = performance.now();
      await sendOrThrow(target, 'POST', '/_aliases', body);
      times.push(performance.now() - sent);
      onProgress(flip + 1);
    }
  };
  try {
    await Promise.all([flipping().finally(() => (isFlipping = false)), ...searching]);
  } finally {
    isFlipping = false;
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    flips,
    seconds,
    flipMedianMs: percentile(times, 0.5),
    flipP99Ms: percentile(times, 0.99),
    ...tally,
    seen,
    examples,
  };
}

type Wrong = 'both' | 'none' | 'errors';

interface SearchBody {
  readonly _shards: { readonly failed: number };
  readonly hits: { readonly total: number; readonly hits: readonly { readonly _index: string }[] };
}

/** Which index a search answered from: all documents of exactly one. */
function sideOfSearch(status: number, body: Buffer): number | Wrong {
  if (status !== 200) return 'errors';
  const { _shards, hits } = JSON.parse(body.toString()) as SearchBody;
  if (_shards.failed > 0) return 'errors';
  const indices = new Set(hits.hits.map(({ _index }) => _index));
  if (indices.size > 1) return 'both';
  return sideOf(hits.total, [...indices][0]);
}

function sideOfCount(status: number, body: Buffer): number | Wrong {
  if (status !== 200) return 'errors';
  const answer = JSON.parse(body.toString()) as {
    readonly count: number;
    readonly _shards: { readonly failed: number };
  };
  return answer._shards.failed > 0 ? 'errors' : sideOf(answer.count);
}

function sideOf(documents: number, name?: string): number | Wrong {
  const side = SIDES.findIndex(([index, expected]) => {
    return expected === documents && (name === undefined || name === index);
  });
  if (side >= 0) return side;
  const all = SIDES.reduce((sum, [, expected]) => sum + expected, 0);
  return documents === all ? 'both' : 'none';
}
