// The `aggs` element (reference server): names, types, and the frame around every type.

import { didYouMean } from '../common/index';
import { EngineError } from '../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/index';
import { ElementFailure, type SearchContext } from '../query/index';
import type {
  AggregationParseContext,
  AggregationPlan,
  ParentAggregation,
} from './contract/aggregation';
import type { ParseHits } from './contract/hits';
import { tooManyBuckets } from './contract/bucket-limit';
import { RunFailure } from './contract/values';
import { AGGREGATION_NAMES, kindNamed, kindOf } from './registry';

/** Aggregations may stand in one another so deep. */
const MAX_DEPTH = 32;

/** What a request asks for. */
export interface ParsedAggregations {
  readonly plans: readonly AggregationPlan[];
  /** Why they cannot be carried out, though they are well formed; null: they can. */
  readonly failure: EngineError | null;
}

/** No aggregations. */
export const NO_AGGREGATIONS: ParsedAggregations = { plans: [], failure: null };

/**
 * The aggregations of a search body, for one index, in request order.
 *
 * @param parseHits reads the bodies of aggregations of hits
 * @throws EngineError, ElementFailure with the reference server's exception names and messages
 */
export function parseAggregations(
  value: JsonValue,
  search: SearchContext,
  parseHits: ParseHits,
): ParsedAggregations {
  const parser = new AggregationsParser(search, parseHits);
  const plans = parser.parseAll(value, []);
  const failure = parser.failure ?? checkAll(plans, []) ?? tooManyBuckets(fixedBuckets(plans));
  return { plans, failure };
}

/** Buckets that are shown whatever documents there are. */
function fixedBuckets(plans: readonly AggregationPlan[]): number {
  let sum = 0;
  for (const { type, spec, subs } of plans) {
    const kind = kindOf(type);
    const own = kind.fixedBuckets?.(spec) ?? 0;
    if (own === 0) continue;
    // Those that are the only one of their parent are no buckets of a list.
    sum += (kind.order?.isSingleBucket === true ? 0 : own) + own * fixedBuckets(subs);
  }
  return sum;
}

class AggregationsParser {
  failure: EngineError | null = null;

  constructor(
    private readonly search: SearchContext,
    private readonly parseHits: ParseHits,
  ) {}

  parseAll(value: JsonValue, parents: readonly ParentAggregation[]): AggregationPlan[] {
    if (!isJsonObject(value)) {
      throw new ElementFailure('Unexpected token in aggregations. Expected an object.');
    }
    if (parents.length >= MAX_DEPTH) {
      throw new ElementFailure(`aggregations are nested deeper than [${MAX_DEPTH}] levels`);
    }
    this.search.meter.add('facets', value.size);
    return Array.from(value, ([name, definition]) => this.parseOne(name, definition, parents));
  }

  private parseOne(
    name: string,
    definition: JsonValue,
    parents: readonly ParentAggregation[],
  ): AggregationPlan {
    // compat: the pattern lets through more than the message says.
    if (!/^[^[\]>]+$/.test(name)) {
      throw new ElementFailure(
        `Invalid aggregation name [${name}]. Aggregation names must be alpha-numeric and can only contain '_' and '-'`,
      );
    }
    if (!isJsonObject(definition)) {
      throw new ElementFailure(`Aggregation definition for [${name}] must be an object`);
    }
    const { type, body, subs } = partsOf(name, definition);
    const kind = kindNamed(type)!;
    const context: AggregationParseContext = {
      search: this.search,
      parseHits: this.parseHits,
      parents,
    };
    let spec: object = {};
    try {
      spec = kind.parse(name, body, context);
    } catch (error) {
      // What fails when it runs must not hide what is malformed.
      if (!(error instanceof RunFailure)) throw error;
      this.failure ??= error.cause;
    }
    if (subs === null) return { name, type, spec, subs: [] };
    if (!kind.hasBuckets) {
      throw new EngineError(
        'AggregationInitializationException',
        `Aggregator [${name}] of type [${type}] cannot accept sub-aggregations`,
      );
    }
    return { name, type, spec, subs: this.parseAll(subs, [...parents, { name, type, spec }]) };
  }
}

interface Parts {
  readonly type: string;
  readonly body: JsonObject;
  /** Null: none were given. */
  readonly subs: JsonValue;
}

/** @throws ElementFailure */
function partsOf(name: string, definition: JsonObject): Parts {
  let type: string | null = null;
  let body: JsonObject | null = null;
  let subs: JsonValue = null;
  for (const [member, value] of definition) {
    if (!isJsonObject(value)) {
      throw new ElementFailure(
        `Expected [START_OBJECT] under [${member}], but got a [${typeof value}] in [${name}]`,
      );
    }
    if (member === 'aggregations' || member === 'aggs') {
      if (subs !== null)
        throw new ElementFailure(`Found two sub aggregation definitions under [${name}]`);
      subs = value;
      continue;
    }
    if (type !== null) {
      throw new ElementFailure(
        `Found two aggregation type definitions in [${name}]: [${type}] and [${member}]`,
      );
    }
    if (kindNamed(member) === undefined) {
      const meant = didYouMean(member, AGGREGATION_NAMES);
      throw new ElementFailure(`Could not find aggregator type [${member}] in [${name}]${meant}`);
    }
    type = member;
    body = value;
  }
  if (type === null || body === null) {
    throw new ElementFailure(`Missing definition for aggregation [${name}]`);
  }
  return { type, body, subs };
}

/** Why plans will fail to run; null: they will not. */
function checkAll(
  plans: readonly AggregationPlan[],
  parents: readonly ParentAggregation[],
): EngineError | null {
  for (const plan of plans) {
    const failure =
      kindOf(plan.type).check?.(plan, parents, kindOf) ?? checkAll(plan.subs, [...parents, plan]);
    if (failure !== null) return failure;
  }
  return null;
}
