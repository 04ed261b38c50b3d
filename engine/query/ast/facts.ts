// What is true of a whole tree, by the traits of its nodes.

import { children, everyChild } from './children';
import type { Query } from './query';
import { traitsOf, type Reads } from './traits';

/**
 * True when the documents that match in a segment are the same whatever is deleted in it and whatever other
 * segments the shard has: then they may be remembered by segment. False is always safe.
 */
export function isSegmentLocal(query: Query): boolean {
  return holds('isSegmentLocal', query) && everyChild(query, isSegmentLocal);
}

/**
 * Whether all matches score alike, whatever the statistics: then one score stands for all of them and
 * matching is set arithmetic. False is always safe.
 */
export function hasConstantScore(query: Query): boolean {
  return holds('hasConstantScore', query);
}

/** Whether the documents of a filter are worth keeping: what is a set already, or one look-up, is not. */
export function isWorthKeeping(query: Query): boolean {
  return holds('isWorthKeeping', query);
}

/** Whether a filter script runs for each document asked about; scripts that only score do not count. */
export function runsScripts(query: Query): boolean {
  const { scripts } = traitsOf(query);
  return scripts === 'is' || (scripts === 'parts' && children(query).some(runsScripts));
}

/** Whether scores decide which documents match, and not only in which order they stand. */
export function isDecidedByScore(query: Query): boolean {
  if (query.kind === 'functionScore' && query.minScore !== null) return true;
  return !everyChild(query, (part) => !isDecidedByScore(part));
}

/** Whether documents of one segment may match because of documents of another one. */
export function crossesSegments(query: Query): boolean {
  return (
    query.kind === 'hasChild' || query.kind === 'hasParent' || children(query).some(crossesSegments)
  );
}

/** What finding the documents of a query reads, apart from its parts. */
export function readsOf(query: Query): Reads {
  const { reads } = traitsOf(query);
  return typeof reads === 'function' ? reads(query) : reads;
}

function holds(
  fact: 'isSegmentLocal' | 'hasConstantScore' | 'isWorthKeeping',
  query: Query,
): boolean {
  const told = traitsOf(query)[fact];
  if (typeof told === 'function') return told(query);
  if (told === 'asQuery') return 'query' in query && holds(fact, query.query);
  return told;
}
