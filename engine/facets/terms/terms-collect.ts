// Counting a terms facet on one shard.

import type { Bitset, SegmentReader } from '../../segment/index';
import { asText, keepText, mergeCounted, pick } from './counted-terms';
import type { FacetCollectOptions, FacetCollector, ReusableCollector } from '../contract/facet';
import { refuseUnreadable } from '../contract/number-field';
import { MappedTermsCollector, ScriptTermsCollector } from './script-terms';
import { counterOf } from './source-counters';
import { type SourceCounter, type SourceCounts } from './source-counter';
import { textTest } from './term-filter';
import { entriesOf, topPositions } from './terms-order';
import type { Candidates, CountedTerms, TermsPartial, TermsSpec } from './terms-spec';

/** Counts a terms facet on one shard. @throws EngineError for a field that terms cannot be read of */
export function termsCollector(spec: TermsSpec, options: FacetCollectOptions): FacetCollector {
  const { script, sources } = spec;
  refuseUnreadable(spec.unreadable);
  if (script !== null && sources.length === 0)
    return new ScriptTermsCollector(spec, script, options.scoresOf);
  if (script !== null && spec.termType !== null)
    return new MappedTermsCollector(spec, script, options.scoresOf);
  return spec.termType === null
    ? new MissingCollector()
    : new TermsCollector(spec, options.soleShard);
}

/** No field, or one without an index: every document in scope is missing. */
class MissingCollector implements FacetCollector {
  private missing = 0;

  collect(_segment: SegmentReader, docs: Bitset | null): void {
    if (docs !== null) this.missing += docs.count();
  }

  partial(): TermsPartial {
    return { missing: this.missing, total: 0, candidates: null };
  }
}

/** What each source has in a segment. */
type TermsCounts = readonly SourceCounts[];

class TermsCollector implements ReusableCollector<TermsCounts> {
  readonly countKey: object;
  private readonly counters: readonly SourceCounter[];
  private missing = 0;
  private total = 0;

  constructor(
    private readonly spec: TermsSpec,
    private readonly soleShard: boolean,
  ) {
    const { sources, hierarchy, allTerms } = spec;
    this.countKey = { sources, hierarchy, allTerms };
    this.counters = sources.map((source) => counterOf(source, spec, soleShard));
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    this.add(segment, this.count(segment, docs));
  }

  count(segment: SegmentReader, docs: Bitset | null): TermsCounts {
    return this.counters.map((counter) => counter.count(segment, docs));
  }

  bytesOf(counts: TermsCounts): number {
    return counts.reduce((bytes, each, i) => bytes + this.counters[i]!.bytesOf(each), 0);
  }

  add(segment: SegmentReader, counts: TermsCounts): void {
    counts.forEach((each, i) => {
      this.missing += each.missing;
      this.total += each.total;
      this.counters[i]!.add(segment, each);
    });
  }

  partial(): TermsPartial {
    const { missing, total, spec } = this;
    const candidates = spec.merged ? this.mergedText() : this.ofOnlySource();
    return { missing, total, candidates: this.soleShard ? shownOf(candidates, spec) : candidates };
  }

  private ofOnlySource(): Candidates {
    const candidates = this.counters[0]!.candidates();
    const [source] = this.spec.sources;
    const isFiltered = source?.kind === 'field' && source.fieldKind !== 'geo';
    return isFiltered ? candidates : this.filtered(candidates.counted);
  }

  /** Several fields: all terms as text, added up. */
  private mergedText(): Candidates {
    const lists = this.counters.map((counter) => asText(counter.candidates().counted));
    return this.filtered(mergeCounted(lists) ?? lists[0]!);
  }

  /** Terms of which it was not decided by ordinal whether they may be shown. */
  private filtered(list: CountedTerms): Candidates {
    const accepts = textTest(this.spec);
    const counted = accepts === null ? list : keepText(asText(list), accepts);
    return { counted, entries: null };
  }
}

/** Leaves just what will be shown, and what comes before it. */
function shownOf({ counted, entries }: Candidates, spec: TermsSpec): Candidates {
  const known = entries ?? (spec.cardinality ? entriesOf(counted, spec) : null);
  const shown = topPositions(counted, { ...spec, from: 0, size: spec.from + spec.size });
  const isAll = shown.length === counted.counts.length;
  return { counted: isAll ? counted : pick(counted, shown), entries: known };
}
