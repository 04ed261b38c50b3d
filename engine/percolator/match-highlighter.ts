// What of a document a matching query found, with tags around it.

import {
  DocumentHighlighter,
  planHighlight,
  type HighlightDocument,
  type HighlightPlan,
  type HighlightRequest,
} from '../highlight/index';
import type { PercolatedDocument } from './percolated-document';
import type { StoredEntry } from './shard-queries';

/** Highlights one document for one query after the other. */
export class MatchHighlighter {
  private readonly plan: HighlightPlan;
  private readonly document: HighlightDocument;

  constructor(
    requests: readonly HighlightRequest[],
    private readonly tried: PercolatedDocument,
  ) {
    const { index, mapping, type, source } = tried;
    this.plan = planHighlight(requests, null, index, mapping, [type]);
    this.document = { type, source, shown: source };
  }

  /**
   * The fragments of each field that has any.
   *
   * @throws EngineError for a highlighter that is unknown or does not fit the field
   */
  highlight({ query }: StoredEntry): ReadonlyMap<string, readonly string[]> {
    // The first is the query of the search; entries may have others.
    const [own, ...others] = this.plan.queries;
    const plan = { ...this.plan, queries: [query ?? own!, ...others] };
    const { reader } = this.tried.segment;
    return new DocumentHighlighter(plan, () => [reader]).highlight(this.document);
  }
}
