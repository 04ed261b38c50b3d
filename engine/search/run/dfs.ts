// Term statistics over all shards of a search (`dfs_*`). Field ids are an index's own affair, so sums over
// several indices go by field name.

import { META_FIELD } from '../../mapping/index';
import type { IndexMetadata, FieldId } from '../../metadata/index';
import { addFreqs, mergeStatistics, type SearchStatistics } from '../../query/index';

/** What one shard reported. */
interface IndexStatistics {
  readonly index: string;
  readonly statistics: SearchStatistics;
}

/** Names of fields by index name and field id. */
type FieldNames = ReadonlyMap<string, ReadonlyMap<FieldId, string>>;

const META_NAMES: ReadonlyMap<FieldId, string> = new Map(
  Object.entries(META_FIELD).map(([name, id]) => [id, name]),
);

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
  let maxDoc = 0;
  const docFreqs = new Map<string, Map<string, number>>();
  const fields = new Map<string, { docCount: number; sumTotalTermFreq: number }>();
  const names = sums.map(({ index }) => fieldNames.get(index) ?? META_NAMES);
  sums.forEach(({ own }, i) => {
    maxDoc += own.maxDoc;
    for (const [id, terms] of own.docFreqs) addFreqs(docFreqs, nameOf(id, names[i]!), terms);
    for (const [id, { docCount, sumTotalTermFreq }] of own.fields) {
      const name = nameOf(id, names[i]!);
      const sum = fields.get(name) ?? { docCount: 0, sumTotalTermFreq: 0 };
      sum.docCount += docCount;
      sum.sumTotalTermFreq += sumTotalTermFreq;
      fields.set(name, sum);
    }
  });
  return new Map(
    sums.map(({ index, own }, i) => {
      const ownFreqs = new Map<FieldId, ReadonlyMap<string, number>>();
      for (const [id, terms] of own.docFreqs) {
        const sum = docFreqs.get(nameOf(id, names[i]!));
        ownFreqs.set(id, new Map(Array.from(terms.keys(), (term) => [term, sum?.get(term) ?? 0])));
      }
      const ownFields = new Map<FieldId, { docCount: number; sumTotalTermFreq: number }>();
      for (const id of own.fields.keys()) {
        const sum = fields.get(nameOf(id, names[i]!));
        if (sum !== undefined) ownFields.set(id, sum);
      }
      return [index, { maxDoc, docFreqs: ownFreqs, fields: ownFields }] as const;
    }),
  );
}

/** The names of all fields of an index by their ids. */
export function fieldNamesOf(index: IndexMetadata): ReadonlyMap<FieldId, string> {
  const names = new Map(META_NAMES);
  for (const field of index.fields.values()) names.set(field.id, field.name);
  return names;
}

/** Ids without a name are the same in all indices. */
function nameOf(id: FieldId, names: ReadonlyMap<FieldId, string>): string {
  return names.get(id) ?? String(id);
}
