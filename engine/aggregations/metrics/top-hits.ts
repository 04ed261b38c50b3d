// top_hits: the best documents of each bucket (reference server).

import { formatFloat } from '../../json/index';
import type { AggregationKind } from '../contract/aggregation';
import { EMPTY_BUCKET } from '../contract/aggregation';
import type { BucketHit, BucketHitsData, BucketHitsSpec } from '../contract/hits';
import { addByOwner, forOwners } from '../contract/merging';
import { nestedPathAround } from '../contract/nested-path';

export const TOP_HITS_TYPE = 'top_hits';

export const TOP_HITS_AGGREGATION: AggregationKind<BucketHitsSpec, BucketHitsData> = {
  type: TOP_HITS_TYPE,
  hasBuckets: false,
  parse: (name, body, { search, parents, parseHits }) => {
    const path = [...parents.map((parent) => parent.name), name];
    return parseHits(name, body, { path, nestedPath: nestedPathAround(parents) }, search);
  },
  bind:
    ({ name, spec }, shard) =>
    (segment) => {
      const hold = shard.holding(name);
      const collector = shard.hits.collector(spec, shard, shard.scoresOf, segment, hold);
      return {
        collect: (docs) => collector.collect(docs),
        takesSlots: (docs, size) => collector.takesSlots(docs, size),
        collectSlots: (docs, slots) => collector.collectSlots(docs, slots),
        partial: (owners) => ({ data: collector.data(owners), size: 0, subs: [] }),
      };
    },
  merge: (parts, owners, { hits: finder }) => {
    const totals = new Float64Array(owners);
    const maxScores = new Float64Array(owners).fill(NaN);
    const hits: BucketHit[][] = Array.from({ length: owners }, () => []);
    for (const { data, owners: map } of parts) {
      addByOwner(totals, data.totals, map);
      forOwners(map, data.hits.length, (from, to) => {
        const score = data.maxScores[from]!;
        if (!(maxScores[to]! >= score)) maxScores[to] = score;
        for (const hit of data.hits[from]!) hits[to]!.push(hit);
      });
    }
    const spec = parts[0]?.spec;
    if (spec !== undefined && parts.length > 1) {
      const wanted = spec.from + spec.size;
      for (const own of hits) {
        own.sort((a, b) => finder.compare(spec, a, b));
        if (own.length > wanted) own.length = wanted;
      }
    }
    return { data: { totals, maxScores, hits }, size: 0, maps: [] };
  },
  render: ({ spec, data }, owner, context) => {
    // compat: buckets that stand for gaps have a score.
    if (owner === EMPTY_BUCKET) return '{"hits":{"total":0,"max_score":0.0,"hits":[]}}';
    const maxScore = data.maxScores[owner] ?? NaN;
    const own = data.hits[owner]!;
    const texts = own
      .slice(spec.from)
      .map((hit) => context.hit(spec, hit))
      .filter((text) => text !== null);
    return `{"hits":{"total":${data.totals[owner] ?? 0},"max_score":${Number.isNaN(maxScore) ? 'null' : formatFloat(maxScore)},"hits":[${texts.join()}]}}`;
  },
};
