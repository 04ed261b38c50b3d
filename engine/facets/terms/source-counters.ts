// Counting one source of a terms facet over the segments of a shard: a counter per kind of source.

import { formatDouble } from '../../json/index';
import { NO_MORE_DOCS, type Bitset, type GeoColumn, type SegmentReader } from '../../segment/index';
import { FieldCounter } from './field-counter';
import { TextCounter } from './text-counter';
import { mergeStreams, streamOfList } from './text-merge';
import type { Candidates, CountedText, TermSource, TermsSpec } from './terms-spec';
import type { FieldId } from '../../metadata/index';
import type { SourceCounter, SourceCounts } from './source-counter';

/** The counter for a source. `soleShard`: nobody else's counts are added. */
export function counterOf(source: TermSource, spec: TermsSpec, soleShard: boolean): SourceCounter {
  switch (source.kind) {
    case 'constant':
      return new ConstantCounter(source.term);
    case 'nothing':
      return new NothingCounter();
    case 'field':
      return source.fieldKind === 'geo'
        ? new PointCounter(source.field, spec.allTerms)
        : new FieldCounter(source, spec, soleShard && !spec.merged);
  }
}

const NO_TEXT: Candidates = { counted: new TextCounter().result(), entries: null };

/** A text that every document has. */
class ConstantCounter implements SourceCounter {
  private total = 0;

  constructor(private readonly term: string) {}

  count(_segment: SegmentReader, docs: Bitset | null): SourceCounts {
    return { missing: 0, total: docs === null ? 0 : docs.count() };
  }

  bytesOf(): number {
    return 0;
  }

  add(_segment: SegmentReader, { total }: SourceCounts): void {
    this.total += total;
  }

  candidates(): Candidates {
    if (this.total === 0) return NO_TEXT;
    const sums = new TextCounter();
    sums.add(this.term, this.total);
    return { counted: sums.result(), entries: null };
  }
}

/** A field that is mapped but not indexed, as one of several: it misses in every document. */
class NothingCounter implements SourceCounter {
  count(_segment: SegmentReader, docs: Bitset | null): SourceCounts {
    return { missing: docs === null ? 0 : docs.count(), total: 0 };
  }

  bytesOf(): number {
    return 0;
  }

  add(): void {
    // Nothing but the missing, which the facet adds up.
  }

  candidates(): Candidates {
    return NO_TEXT;
  }
}

interface PointCounts extends SourceCounts {
  readonly text: CountedText;
}

/** Points as the reference prints them: `[lat, lon]`. */
class PointCounter implements SourceCounter<PointCounts> {
  private readonly lists: CountedText[] = [];

  constructor(
    private readonly field: FieldId,
    private readonly allTerms: boolean,
  ) {}

  count(segment: SegmentReader, docs: Bitset | null): PointCounts {
    const column = segment.geo(this.field);
    const sums = new TextCounter();
    if (column === null) {
      return { missing: docs === null ? 0 : docs.count(), total: 0, text: sums.result() };
    }
    if (this.allTerms) {
      for (let i = 0; i < column.latitudes.length; i++) sums.add(pointText(column, i), 0);
    }
    let missing = 0;
    let total = 0;
    const first = docs === null ? NO_MORE_DOCS : docs.next(0);
    for (let doc = first; doc !== NO_MORE_DOCS; doc = docs!.next(doc + 1)) {
      const terms = new Set<string>();
      for (let i = column.offsets[doc]!; i < column.offsets[doc + 1]!; i++)
        terms.add(pointText(column, i));
      if (terms.size === 0) missing++;
      total += terms.size;
      for (const term of terms) sums.add(term, 1);
    }
    return { missing, total, text: sums.result() };
  }

  bytesOf({ text }: PointCounts): number {
    return text.text.length + text.starts.byteLength + text.counts.byteLength;
  }

  add(_segment: SegmentReader, { text }: PointCounts): void {
    this.lists.push(text);
  }

  candidates(): Candidates {
    return { counted: mergeStreams(this.lists.map(streamOfList)), entries: null };
  }
}

function pointText(column: GeoColumn, index: number): string {
  return `[${formatDouble(column.latitudes[index]!)}, ${formatDouble(column.longitudes[index]!)}]`;
}
