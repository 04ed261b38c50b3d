// Tries one document against the stored queries of one shard.

import { EngineError } from '../errors';
import type { CancelSignal } from '../common/index';
import { bindFilter, bindLocally, type ParseServices, type Query } from '../query/index';
import { cancelled, type SearchScheduler, SearchTurn, type SourceLookUps } from '../search/index';
import { Bitset } from '../segment/index';
import type { PercolatedDocument } from './percolated-document';
import { readQuery } from './query-document';
import { bySequence, type ShardQueries, type StoredEntry } from './shard-queries';

/** What one request tries. */
export interface Percolation {
  readonly document: PercolatedDocument;
  readonly services: ParseServices;
  readonly lookUps: SourceLookUps;
  readonly signal: CancelSignal | undefined;
  /** Whose turn it is among all that are under way. */
  readonly scheduler: SearchScheduler;
}

/**
 * The stored queries that match the document, in the order in which they were stored.
 *
 * @throws EngineError when a query fails on the document; what loading the queries throws
 */
export async function matchingQueries(
  queries: ShardQueries,
  percolation: Percolation,
): Promise<readonly StoredEntry[]> {
  const { document, services, signal } = percolation;
  const { index, mapping } = document;
  // What queries look into is read for each document that is tried.
  await queries.prepare({ index, mapping, services: { ...services, readsLater: true } });
  const turn = new SearchTurn(percolation.scheduler);
  const matching: StoredEntry[] = [];
  for (const entry of queries.candidates(document.segment.reader)) {
    if (turn.isOver()) await turn.next();
    if (signal?.aborted === true) throw cancelled();
    if (entry.isExact && document.root === 0) {
      matching.push(entry);
      continue;
    }
    queries.shard.queries.evaluated++;
    const query = entry.isVolatile ? await readAgain(entry, percolation) : entry.query;
    if (query !== null && matches(query, document)) matching.push(entry);
  }
  return matching.sort(bySequence);
}

/** A query as it is now; null: it cannot be read any more. */
async function readAgain(
  { body }: StoredEntry,
  { document: { index, mapping }, services, lookUps }: Percolation,
): Promise<Query | null> {
  try {
    const stored = await lookUps.resolve(() => readQuery(body!, index, mapping, services));
    return stored.query;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return null;
  }
}

function matches(query: Query, { segment: { reader }, root }: PercolatedDocument): boolean {
  const local = bindLocally(query);
  if (local !== null) return local.matches(reader)?.has(root) === true;
  const weight = bindFilter(query, [reader]);
  if (weight.matchesWithin === undefined) return weight.matches(reader)?.has(root) === true;
  // Scripts run for the document itself, not for its nested ones.
  const roots = new Bitset(reader.docCount);
  roots.add(root);
  return weight.matchesWithin(reader, roots)?.has(root) === true;
}
