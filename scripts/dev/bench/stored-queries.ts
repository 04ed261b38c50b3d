// Queries that documents are tried against: terms, words that must all be there, and filtered ones.

import { createIndex, sendOrThrow } from './load';
import { Random } from './random';
import type { Target } from './target';
import type { Vocabulary } from './vocabulary';

/** How many there are. */
export const STORED_QUERIES = 10_000;

const BATCH = 2000;

/** Makes an index anew and stores the same queries in it each time. @throws Error when the server refuses */
export async function storeQueries(
  target: Target,
  index: string,
  vocabulary: Vocabulary,
  seed: number,
): Promise<void> {
  await createIndex(target, index);
  const random = new Random(seed);
  for (let from = 0; from < STORED_QUERIES; from += BATCH) {
    let body = '';
    for (let id = from; id < Math.min(from + BATCH, STORED_QUERIES); id++) {
      const query = storedQuery(vocabulary, random);
      body += `{"index":{"_id":"${id}"}}\n${JSON.stringify({ query })}\n`;
    }
    await sendOrThrow(target, 'POST', `/${index}/.percolator/_bulk`, body);
  }
}

function storedQuery({ medium, rare, common }: Vocabulary, random: Random): object {
  const description = `${random.pick(medium)} ${random.pick(rare)}`;
  switch (random.below(4)) {
    case 0:
      return { term: { description: random.pick(rare) } };
    case 1:
      return { match: { description: { query: description, operator: 'and' } } };
    case 2:
      return {
        filtered: {
          query: { match: { description: random.pick(medium) } },
          filter: { range: { size: { gte: random.below(1_000_000) } } },
        },
      };
    default:
      return {
        bool: {
          must: [{ match: { description: random.pick(medium) } }],
          must_not: [{ match: { description: random.pick(common) } }],
        },
      };
  }
}
