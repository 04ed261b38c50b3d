// Adding up what segments and shards contribute, level by level: what became of the buckets of one level
// says where those of the next belong.

import { writeJson } from '../json/index';
import type {
  AggregationPartial,
  AggregationPlan,
  BucketMap,
  MergeOptions,
  MergePart,
  ReducedAggregation,
  RenderContext,
} from './contract/aggregation';
import { refuseTooManyBuckets, refuseTooManyEmptyBuckets } from './contract/bucket-limit';
import type { BucketHit, BucketHitsSpec, HitsFinder } from './contract/hits';
import { kindOf } from './registry';

/** A contribution with the plan it was made by. */
export interface PlannedPartial {
  readonly plan: AggregationPlan;
  readonly partial: AggregationPartial;
  /** Of which shard it is; those of one shard have the same number. */
  readonly shard: number;
}

/** The same, with what became of the parent's buckets. */
export interface PlacedPartial extends PlannedPartial {
  readonly owners: BucketMap;
}

/** A level with the levels below it. */
interface MergedLevel {
  readonly lead: AggregationPlan;
  readonly partial: AggregationPartial;
  readonly subs: readonly MergedLevel[];
}

/**
 * Adds up the parts of a shard.
 *
 * @param plan what the parts are of, also where there are none
 * @param owners how many buckets their parent has
 */
export function mergePartials(
  parts: readonly PlannedPartial[],
  plan: AggregationPlan,
  owners: number,
  options: MergeOptions,
): AggregationPartial {
  const { partial } = mergeLevel(parts.map(unplaced), plan, owners, options);
  return options.isFinal ? { ...partial, isFinal: true } : partial;
}

/**
 * Adds up parts whose parent's buckets became others.
 *
 * @param plan what the parts are of
 * @param owners how many buckets the parent has
 */
export function mergePlaced(
  parts: readonly PlacedPartial[],
  plan: AggregationPlan,
  owners: number,
  options: MergeOptions,
): AggregationPartial {
  return mergeLevel(parts, plan, owners, options).partial;
}

/** Adds up all there is. @param plan of the aggregation in one index @param shards that are searched */
export function reduceAggregation(
  parts: readonly PlannedPartial[],
  plan: AggregationPlan,
  shards: number,
  hits: HitsFinder,
): ReducedAggregation {
  const [only] = parts;
  if (only?.partial.isFinal === true) return reducedOf(levelOf(only));
  return reducedOf(mergeLevel(parts.map(unplaced), plan, 1, { isFinal: true, shards, hits }));
}

function unplaced(part: PlannedPartial): PlacedPartial {
  return { ...part, owners: null };
}

/** What was added up on the only shard. */
function levelOf({ plan, partial }: Pick<PlannedPartial, 'plan' | 'partial'>): MergedLevel {
  const subs = plan.subs.map((sub, s) => levelOf({ plan: sub, partial: partial.subs[s]! }));
  return { lead: plan, partial, subs };
}

function mergeLevel(
  parts: readonly PlacedPartial[],
  plan: AggregationPlan,
  owners: number,
  options: MergeOptions,
): MergedLevel {
  const kind = kindOf(plan.type);
  const specs = parts.map((part) => part.plan.spec);
  const spec = specs.length === 0 ? plan.spec : (kind.lead?.(specs) ?? specs[0]!);
  const merged = kind.merge(
    parts.map(({ plan: own, partial, owners: map, shard }): MergePart => ({
      spec: own.spec,
      data: partial.data,
      size: partial.size,
      owners: map,
      shard,
    })),
    owners,
    options,
  );
  const subs = plan.subs.map((sub, s) =>
    mergeLevel(
      parts.flatMap(({ plan: own, partial, shard }, p) => {
        const part = partial.subs[s];
        return part === undefined
          ? []
          : [{ plan: own.subs[s]!, partial: part, owners: merged.maps[p] ?? null, shard }];
      }),
      sub,
      merged.size,
      options,
    ),
  );
  return {
    lead: { ...plan, spec },
    partial: { data: merged.data, size: merged.size, subs: subs.map((sub) => sub.partial) },
    subs,
  };
}

function reducedOf({ lead, partial, subs }: MergedLevel): ReducedAggregation {
  return {
    name: lead.name,
    kind: kindOf(lead.type),
    spec: lead.spec,
    data: partial.data,
    size: partial.size,
    subs: subs.map(reducedOf),
  };
}

/** Renders reduced aggregations. */
export class AggregationRenderer implements RenderContext {
  private buckets = 0;
  private emptyBuckets = 0;
  private readonly leads = new Map<ReducedAggregation, string>();

  /** @param hit gives the JSON text of a hit */
  constructor(readonly hit: (spec: BucketHitsSpec, hit: BucketHit) => string | null) {}

  /** The JSON text of an aggregation at the top. @throws EngineError when there are too many buckets */
  render(node: ReducedAggregation): string {
    return node.kind.render(node, 0, this);
  }

  subs({ subs }: ReducedAggregation, bucket: number): string {
    let text = '';
    for (let i = 0; i < subs.length; i++) {
      const sub = subs[i]!;
      text += this.leadOf(sub) + sub.kind.render(sub, bucket, this);
    }
    return text;
  }

  /** What stands before an aggregation in each bucket of its parent. */
  private leadOf(sub: ReducedAggregation): string {
    let lead = this.leads.get(sub);
    if (lead === undefined) this.leads.set(sub, (lead = `,${writeJson(sub.name)}:`));
    return lead;
  }

  countBuckets(count: number): void {
    this.buckets += count;
    refuseTooManyBuckets(this.buckets);
  }

  countEmptyBuckets(count: number): void {
    this.emptyBuckets += count;
    refuseTooManyEmptyBuckets(this.emptyBuckets);
  }
}
