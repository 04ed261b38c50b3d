// The parts of a query, for whoever walks a tree: which members hold them, the table of traits says.

import type { Query } from './query';
import { TRAITS, type PartRole } from './traits';
import type { WeightedFunction } from './score-function';

/** What a member with parts holds. */
type Parts = Query | readonly (Query | WeightedFunction<Query>)[];

/** The members of a node that hold parts. */
type PartMembers = Readonly<Record<string, Parts>>;

/** Names and roles of the members with parts, by kind: found once. */
const MEMBERS: ReadonlyMap<string, readonly (readonly [name: string, role: PartRole])[]> = new Map(
  Object.entries(TRAITS).map(([kind, { parts }]) => [kind, Object.entries(parts)]),
);

/** The queries directly inside a query, filters and prohibited ones included. */
export function children(query: Query): readonly Query[] {
  return childrenOf(query, false);
}

/** The queries directly inside a query whose scores take part in its own. */
export function scoredChildren(query: Query): readonly Query[] {
  return childrenOf(query, true);
}

function childrenOf(query: Query, onlyScored: boolean): readonly Query[] {
  const found: Query[] = [];
  for (const [name, role] of MEMBERS.get(query.kind)!) {
    if (onlyScored && role !== 'scored') continue;
    const parts = partsAt(query, name);
    if (!isList(parts)) found.push(parts);
    else {
      for (const part of parts) {
        if ('kind' in part) found.push(part);
        else if (part.filter !== null) found.push(part.filter);
      }
    }
  }
  return found;
}

/** The query with each of {@link children} changed, in their order. */
export function mapChildren(query: Query, change: (child: Query) => Query): Query {
  const members = MEMBERS.get(query.kind)!;
  if (members.length === 0) return query;
  const changed: Record<string, Parts> = {};
  for (const [name] of members) {
    const parts = partsAt(query, name);
    changed[name] = isList(parts)
      ? parts.map((part) => ('kind' in part ? change(part) : changeFilter(part, change)))
      : change(parts);
  }
  return { ...query, ...changed };
}

function changeFilter(
  entry: WeightedFunction<Query>,
  change: (child: Query) => Query,
): WeightedFunction<Query> {
  return { ...entry, filter: entry.filter === null ? null : change(entry.filter) };
}

function partsAt(query: Query, name: string): Parts {
  return (query as unknown as PartMembers)[name]!;
}

function isList(parts: Parts): parts is Exclude<Parts, Query> {
  return Array.isArray(parts);
}
