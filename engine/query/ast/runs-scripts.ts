// Whether a query runs a script for each document that it asks about.

import type { Query } from './query';

/** True where a filter script is somewhere in the tree; scripts that only score do not count. */
export function runsScripts(query: Query): boolean {
  switch (query.kind) {
    case 'script':
      return true;
    case 'bool':
      return [query.must, query.should, query.mustNot].some((list) => list.some(runsScripts));
    case 'constantScore':
    case 'named':
      return runsScripts(query.query);
    case 'filtered':
      return runsScripts(query.query) || runsScripts(query.filter);
    default:
      return false;
  }
}
