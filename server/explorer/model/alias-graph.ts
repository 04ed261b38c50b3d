// Aliases and indices as a picture: who points to whom, and what a move would send.

import { isObject, ownObject, type JsonObject } from './own';

/** What an alias says of one of its indices. */
export interface AliasLink {
  readonly alias: string;
  readonly index: string;
  /** Null: none. */
  readonly filter: JsonObject | null;
  readonly indexRouting: string | null;
  readonly searchRouting: string | null;
  readonly isWriteIndex: boolean | null;
}

/** All names. */
export interface AliasGraph {
  /** In order of their names. */
  readonly aliases: readonly string[];
  readonly indices: readonly string[];
  readonly links: readonly AliasLink[];
}

/** The graph of an answer of `_aliases`. */
export function aliasGraph(answer: JsonObject): AliasGraph {
  const links: AliasLink[] = [];
  for (const index of Object.keys(answer)) {
    const aliases = ownObject(ownObject(answer, index), 'aliases');
    for (const [alias, options] of Object.entries(aliases)) {
      links.push(linkOf(alias, index, isObject(options) ? options : {}));
    }
  }
  links.sort((a, b) => compare(a.alias, b.alias) || compare(a.index, b.index));
  return {
    aliases: [...new Set(links.map(({ alias }) => alias))],
    indices: Object.keys(answer).sort(compare),
    links,
  };
}

function linkOf(alias: string, index: string, options: JsonObject): AliasLink {
  const { filter, index_routing, search_routing, is_write_index } = options;
  return {
    alias,
    index,
    filter: isObject(filter) ? filter : null,
    indexRouting: typeof index_routing === 'string' ? index_routing : null,
    searchRouting: typeof search_routing === 'string' ? search_routing : null,
    isWriteIndex: typeof is_write_index === 'boolean' ? is_write_index : null,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The part of a graph whose names contain a text, with all that it touches. */
export function narrowed(graph: AliasGraph, find: string, most: number): AliasGraph {
  const text = find.toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(text);
  const links = graph.links.filter(({ alias, index }) => has(alias) || has(index)).slice(0, most);
  const touched = new Set(links.map(({ index }) => index));
  return {
    aliases: [...new Set(links.map(({ alias }) => alias))],
    indices: graph.indices.filter((index) => touched.has(index) || has(index)).slice(0, most),
    links,
  };
}

/** An action array, as `_aliases` takes it. */
export interface AliasActions {
  readonly actions: readonly JsonObject[];
}

/**
 * The actions that point an alias to other indices. What it says of an index that it leaves, an index that it
 * comes to inherits, the first one that of the first.
 */
export function moveAlias(
  links: readonly AliasLink[],
  alias: string,
  to: readonly string[],
): AliasActions {
  const own = links.filter((link) => link.alias === alias);
  const leaving = own.filter(({ index }) => !to.includes(index));
  const coming = to.filter((index) => own.every((link) => link.index !== index));
  const model = leaving[0] ?? own[0];
  return {
    actions: [
      ...leaving.map(({ index }) => ({ remove: { index, alias } })),
      ...coming.map((index) => ({ add: { index, alias, ...optionsOf(model) } })),
    ],
  };
}

function optionsOf(link: AliasLink | undefined): JsonObject {
  if (link === undefined) return {};
  const { filter, indexRouting, searchRouting, isWriteIndex } = link;
  return {
    ...(filter === null ? {} : { filter }),
    ...(indexRouting === null ? {} : { index_routing: indexRouting }),
    ...(searchRouting === null ? {} : { search_routing: searchRouting }),
    ...(isWriteIndex === null ? {} : { is_write_index: isWriteIndex }),
  };
}

/** A line of what a dry run would change. */
export interface AliasChange {
  readonly index: string;
  readonly alias: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** What the answer to a dry run says. */
export function readDryRun(answer: JsonObject): AliasChange[] {
  const changes: AliasChange[] = [];
  for (const [index, change] of Object.entries(ownObject(answer, 'indices'))) {
    for (const kind of ['added', 'changed'] as const) {
      for (const alias of Object.keys(ownObject(change, kind)))
        changes.push({ index, alias, kind });
    }
    const { removed } = isObject(change) ? change : {};
    for (const alias of Array.isArray(removed) ? removed : []) {
      changes.push({ index, alias: String(alias), kind: 'removed' });
    }
  }
  return changes;
}
