// Counting a terms facet on one shard.

import { formatDouble } from '../json/write';
import type { Bitset } from '../segment/bitset';
import type { SegmentReader } from '../segment/reader';
import type { FacetCollectOptions, FacetCollector } from './facet';
import { counterOf, type SourceCounter } from './source-counters';
import { termText, topPositions } from './terms-order';
import type {
  CountedNumbers,
  CountedTerms,
  CountedText,
  TermsPartial,
  TermsSpec,
} from './terms-spec';
import { TextCounter } from './text-counter';
import { mergeStreams, streamOfList } from './text-merge';

export function termsCollector(spec: TermsSpec, options: FacetCollectOptions): FacetCollector {
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
    return { missing: this.missing, total: 0, counted: null };
  }
}

class TermsCollector implements FacetCollector {
  private readonly counters: readonly SourceCounter[];

  constructor(
    private readonly spec: TermsSpec,
    private readonly soleShard: boolean,
  ) {
    this.counters = spec.sources.map((source) => counterOf(source, spec, soleShard));
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    for (const counter of this.counters) counter.collect(segment, docs);
  }

  partial(): TermsPartial {
    let missing = 0;
    let total = 0;
    for (const counter of this.counters) {
      missing += counter.missing;
      total += counter.total;
    }
    const counted = this.spec.merged ? this.mergedText() : this.counters[0]!.result();
    return { missing, total, counted: this.soleShard ? shownOf(counted, this.spec) : counted };
  }

  /** Several fields: all terms as text, added up. */
  private mergedText(): CountedTerms {
    const lists = this.counters.map((counter) => {
      const counted = counter.result();
      return streamOfList(counted.type === 'string' ? counted : asText(counted));
    });
    return mergeStreams(lists);
  }
}

function asText({ terms, counts }: CountedNumbers): CountedText {
  const sums = new TextCounter();
  for (let i = 0; i < counts.length; i++) sums.add(textOf(terms[i]!), counts[i]!);
  return sums.result();
}

function textOf(value: bigint | number): string {
  return typeof value === 'bigint' ? value.toString() : formatDouble(value);
}

/** Leaves just what will be shown. */
function shownOf(counted: CountedTerms, spec: TermsSpec): CountedTerms {
  if (counted.counts.length <= spec.size) return counted;
  const positions = topPositions(counted, spec);
  const counts = Uint32Array.from(positions, (i) => counted.counts[i]!);
  switch (counted.type) {
    case 'string': {
      const sums = new TextCounter();
      for (const i of positions) sums.add(termText(counted, i), counted.counts[i]!);
      return sums.result();
    }
    case 'long':
      return {
        type: 'long',
        terms: BigInt64Array.from(positions, (i) => counted.terms[i]!),
        counts,
      };
    case 'double':
      return {
        type: 'double',
        terms: Float64Array.from(positions, (i) => counted.terms[i]!),
        counts,
      };
  }
}
