// Which named parts of a query a hit matches (`matched_queries`).

import type { SegmentReader } from '../segment/index';
import { bindUnscored } from './weights/create-weight';
import { expandQuery } from './expand/expand';
import { children } from './ast/children';
import type { Query, SpanTree } from './ast/query';
import { spanParts } from './ast/spans';
import type { Scorer, Weight } from './scoring/weight';

/**
 * Tells the names of the parts that documents match.
 *
 * A name counts wherever its part stands, also under `must_not` or beside a clause that decided the
 * match. A part inside a nested query counts for the documents whose nested objects match it.
 */
export class MatchedNames {
  private readonly parts: readonly NamedPart[];

  constructor(query: Query, segments: readonly SegmentReader[]) {
    const parts: NamedPart[] = [];
    if (hasNames(query)) {
      const unscored = (part: Query): Weight => bindUnscored(part, segments);
      const expanded = expandQuery(query, { segments, unscored });
      collect(
        expanded,
        (part) => part,
        (name, part) => {
          parts.push(new NamedPart(name, unscored(part)));
        },
      );
    }
    this.parts = parts;
  }

  /** Whether the query names nothing, so that hits need not be asked about. */
  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /**
   * The distinct names of the parts that root document `doc` matches. Cheapest when the documents of a
   * segment are asked about in ascending order.
   */
  namesOf(segment: SegmentReader, doc: number): string[] {
    const names = new Set<string>();
    for (const part of this.parts) {
      if (!names.has(part.name) && part.matches(segment, doc)) names.add(part.name);
    }
    return [...names];
  }
}

/**
 * Prepares {@link MatchedNames} for the shard made of `segments`. The query may be prepared or not.
 *
 * @throws EngineError as `prepareQuery` does
 */
export function matchedNames(query: Query, segments: readonly SegmentReader[]): MatchedNames {
  return new MatchedNames(query, segments);
}

class NamedPart {
  private readonly scorers = new Map<number, Scorer | null>();

  constructor(
    readonly name: string,
    private readonly weight: Weight,
  ) {}

  matches(segment: SegmentReader, doc: number): boolean {
    let scorer = this.scorers.get(segment.segmentId);
    if (scorer === undefined || (scorer !== null && scorer.doc > doc)) {
      scorer = this.weight.scorer(segment);
      this.scorers.set(segment.segmentId, scorer);
    }
    if (scorer === null) return false;
    return (scorer.doc < doc ? scorer.advance(doc) : scorer.doc) === doc;
  }
}

/** Whether any part of a query has a name. */
export function hasNames(query: Query): boolean {
  if (query.kind === 'spans') return hasNamedSpans(query.tree);
  return query.kind === 'named' || children(query).some(hasNames);
}

function hasNamedSpans(tree: SpanTree): boolean {
  return tree.name !== undefined || spanParts(tree).some(hasNamedSpans);
}

/** @param join wraps a part in the nested queries it stands in */
function collect(
  query: Query,
  join: (part: Query) => Query,
  add: (name: string, part: Query) => void,
): void {
  if (query.kind === 'named') add(query.name, join(query.query));
  const inner =
    query.kind === 'nested'
      ? (part: Query): Query => join({ ...query, query: part, scoreMode: 'none', boost: 1 })
      : join;
  if (query.kind === 'spans') collectSpans(query.tree, join, add);
  for (const child of children(query)) collect(child, inner, add);
}

/** Spans inside of spans, as if they stood alone. */
function collectSpans(
  tree: SpanTree,
  join: (part: Query) => Query,
  add: (name: string, part: Query) => void,
): void {
  if (tree.name !== undefined) add(tree.name, join({ kind: 'spans', tree, boost: 1 }));
  for (const part of spanParts(tree)) collectSpans(part, join, add);
}
