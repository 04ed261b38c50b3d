// Term statistics over all shards of a search (`dfs_*`). Field ids are an index's own affair, so sums over
// several indices go by field name.

import { META_NAMES } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import {
  mergeStatistics,
  type SearchStatistics,
  StatisticsSum,
  type TermCounts,
} from '../../query/index';
import type { FieldFigures } from '../../similarity/index';

/** What one shard reported. */
interface IndexStatistics {
  readonly index: string;
  readonly statistics: SearchStatistics;
}

/** Names of fields by index name and field id. */
type FieldNames = ReadonlyMap<string, ReadonlyMap<FieldId, string>>;

/**
 * The sums, by index name, with each index's own field ids.
 *
 * @param fieldNames of all indices; not looked at when there is only one
 */
export function sumStatistics(
  shards: readonly IndexStatistics[],
  fieldNames: FieldNames | null,
): ReadonlyMap<string, SearchStatistics> {
  const byIndex = new Map<string, SearchStatistics[]>();
  for (const { index, statistics } of shards) {
    const list = byIndex.get(index);
    if (list === undefined) byIndex.set(index, [statistics]);
    else list.push(statistics);
  }
  const sums = Array.from(byIndex, ([index, list]) => ({ index, own: mergeStatistics(list) }));
  if (sums.length <= 1) return new Map(sums.map(({ index, own }) => [index, own]));
  return sumByName(sums, fieldNames ?? new Map());
}

function sumByName(
  sums: readonly { readonly index: string; readonly own: SearchStatistics }[],
  fieldNames: FieldNames,
): ReadonlyMap<string, SearchStatistics> {
  const all = new StatisticsSum<string>();
  const nameIn = sums.map(({ index }) => {
    const names = fieldNames.get(index) ?? META_NAMES;
    return (id: FieldId) => nameOf(id, names);
  });
  sums.forEach(({ own }, i) => all.add(own, nameIn[i]!));
  return new Map(
    sums.map(({ index, own }, i) => {
      const fields = new Map<FieldId, FieldFigures>();
      for (const [id, figures] of own.fields) {
        fields.set(id, all.fields.get(nameIn[i]!(id)) ?? figures);
      }
      const statistics: SearchStatistics = {
        similarities: own.similarities,
        maxDoc: all.maxDoc,
        docFreqs: countsOf(own.docFreqs, all.docFreqs, nameIn[i]!),
        totalTermFreqs: countsOf(own.totalTermFreqs, all.totalTermFreqs, nameIn[i]!),
        fields,
        merged: true,
      };
      return [index, statistics] as const;
    }),
  );
}

/** The sums of the terms that an index has asked for. */
function countsOf(
  own: TermCounts,
  sums: ReadonlyMap<string, ReadonlyMap<string, number>>,
  nameIn: (id: FieldId) => string,
): TermCounts {
  const counts = new Map<FieldId, ReadonlyMap<string, number>>();
  for (const [id, terms] of own) {
    const sum = sums.get(nameIn(id));
    counts.set(id, new Map(Array.from(terms.keys(), (term) => [term, sum?.get(term) ?? 0])));
  }
  return counts;
}

/** Ids without a name are the same in all indices. */
function nameOf(id: FieldId, names: ReadonlyMap<FieldId, string>): string {
  return names.get(id) ?? String(id);
}
