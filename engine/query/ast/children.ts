// The parts of a query, for whoever walks a tree: which members hold them, the table of traits says.

import type { Query } from './query';
import { TRAITS, type PartRole } from './traits';
import type { WeightedFunction } from './score-function';

type Part = Query | WeightedFunction<Query>;
type PartList = readonly Part[];

/** What a member with parts holds. */
type Parts = Query | PartList;

/** The members of a node that hold parts. */
type PartMembers = Readonly<Record<string, Parts>>;

interface Member {
  readonly name: string;
  readonly isScored: boolean;
}

/** The members with parts by kind: found once. */
const MEMBERS: ReadonlyMap<string, readonly Member[]> = new Map(
  Object.entries(TRAITS).map(([kind, { parts }]) => [kind, membersOf(parts)]),
);

function membersOf(parts: Readonly<Record<string, PartRole>>): readonly Member[] {
  return Object.entries(parts).map(([name, role]) => ({ name, isScored: role === 'scored' }));
}

const NONE: readonly Query[] = [];

/** The queries directly inside a query, filters and prohibited ones included. */
export function children(query: Query): readonly Query[] {
  return childrenOf(query, 'all');
}

/** The queries directly inside a query whose scores take part in its own. */
export function scoredChildren(query: Query): readonly Query[] {
  return childrenOf(query, 'scored');
}

/** The other ones: only their documents count. */
export function unscoredChildren(query: Query): readonly Query[] {
  return childrenOf(query, 'unscored');
}

function childrenOf(query: Query, which: 'all' | 'scored' | 'unscored'): readonly Query[] {
  const members = MEMBERS.get(query.kind)!;
  if (members.length === 0) return NONE;
  const found: Query[] = [];
  for (let m = 0; m < members.length; m++) {
    const { name, isScored } = members[m]!;
    if (which !== 'all' && isScored !== (which === 'scored')) continue;
    const parts = partsAt(query, name);
    if (!isList(parts)) found.push(parts);
    else {
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i]!;
        if (isQuery(part)) found.push(part);
        else if (part.filter !== null) found.push(part.filter);
      }
    }
  }
  return found;
}

/** Whether all of {@link children} pass a test; makes no list of them. */
export function everyChild(query: Query, test: (child: Query) => boolean): boolean {
  const members = MEMBERS.get(query.kind)!;
  for (let m = 0; m < members.length; m++) {
    const parts = partsAt(query, members[m]!.name);
    if (!isList(parts)) {
      if (!test(parts)) return false;
      continue;
    }
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!;
      const child = isQuery(part) ? part : part.filter;
      if (child !== null && !test(child)) return false;
    }
  }
  return true;
}

/** The query with each of {@link children} changed, in their order; itself if none of them is. */
export function mapChildren(query: Query, change: (child: Query) => Query): Query {
  const members = MEMBERS.get(query.kind)!;
  let changed: Record<string, Parts> | null = null;
  for (let m = 0; m < members.length; m++) {
    const { name } = members[m]!;
    const parts = partsAt(query, name);
    const now = isList(parts) ? changeList(parts, change) : change(parts);
    if (now !== parts) (changed ??= {})[name] = now;
  }
  return changed === null ? query : { ...query, ...changed };
}

function changeList(parts: PartList, change: (child: Query) => Query): PartList {
  let changed: Part[] | null = null;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const now = isQuery(part) ? change(part) : changeFilter(part, change);
    if (now !== part) (changed ??= [...parts])[i] = now;
  }
  return changed ?? parts;
}

function changeFilter(
  entry: WeightedFunction<Query>,
  change: (child: Query) => Query,
): WeightedFunction<Query> {
  const filter = entry.filter === null ? null : change(entry.filter);
  return filter === entry.filter ? entry : { ...entry, filter };
}

function partsAt(query: Query, name: string): Parts {
  return (query as unknown as PartMembers)[name]!;
}

function isList(parts: Parts): parts is PartList {
  return Array.isArray(parts);
}

function isQuery(part: Part): part is Query {
  return (part as Partial<Query>).kind !== undefined;
}
