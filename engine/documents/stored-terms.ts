// What the segments of a shard know of terms.

import type { DocumentHost } from './document-host';
import type { FieldFigures, StoredDocument, VisibleTerms, WantedTerms } from './document-parts';
import type { DocumentTarget } from './document-targets';
import { Slices } from '../common/index';
import type { FieldId } from '../metadata/index';
import type { TermDictionary } from '../segment/index';

/** Reads figures of terms from segments. */
export class StoredTerms implements VisibleTerms {
  constructor(private readonly host: Pick<DocumentHost, 'readers'>) {}

  isVisible({ indexService, shard }: DocumentTarget, { entry }: StoredDocument): boolean {
    return entry.sequence <= indexService.shards[shard]!.visibleSequence;
  }

  async figures(
    { indexService, metadata, shard }: DocumentTarget,
    wanted: readonly WantedTerms[],
  ): Promise<ReadonlyMap<FieldId, FieldFigures>> {
    const slices = new Slices(1);
    const held = indexService.shards[shard]!.acquire();
    try {
      const segments = this.host.readers(metadata, held.snapshot);
      const figures = new Map<FieldId, FieldFigures>();
      for (const { field, terms } of wanted) {
        if (slices.isOver()) await slices.next();
        const dictionaries = segments.flatMap((segment) => segment.terms(field.id) ?? []);
        if (dictionaries.length > 0) figures.set(field.id, summed(dictionaries, terms));
      }
      return figures;
    } finally {
      held.release();
    }
  }
}

function summed(dictionaries: readonly TermDictionary[], wanted: readonly string[]): FieldFigures {
  let [docCount, sumDocFreq, sumTotalTermFreq] = [0, 0, 0];
  for (const each of dictionaries) {
    docCount += each.docCount;
    sumDocFreq += each.sumDocFreq;
    sumTotalTermFreq =
      sumTotalTermFreq < 0 || !each.hasFreqs ? -1 : sumTotalTermFreq + each.sumTotalTermFreq;
  }
  const terms = new Map<string, { docFreq: number; totalTermFreq: number }>();
  for (const term of wanted) {
    let [docFreq, totalTermFreq] = [0, 0];
    for (const each of dictionaries) {
      const ordinal = each.ordinalOf(term);
      if (ordinal < 0) continue;
      docFreq += each.docFreq(ordinal);
      totalTermFreq =
        totalTermFreq < 0 || !each.hasFreqs ? -1 : totalTermFreq + each.totalTermFreq(ordinal);
    }
    if (docFreq > 0) terms.set(term, { docFreq, totalTermFreq });
  }
  return { docCount, sumDocFreq, sumTotalTermFreq, terms };
}
