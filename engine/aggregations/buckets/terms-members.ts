// The members that terms and significant_terms have in common (reference server).

import type { Term } from '../../counting/index';
import { parseInt32 } from '../../common/index';
import { EngineError } from '../../errors';
import { JsonNumber, type JsonValue, lenientInteger } from '../../json/index';
import type { AggregationParseContext } from '../contract/aggregation';
import { keyTypeOf } from '../contract/key-source';
import { atRun, RunFailure, unknownMember, type ValuesSpec } from '../contract/values';
import { parseChoice, refusePatterns, type TermChoice, termsIn, termTest } from './include-exclude';

/** Plain data. */
export interface TermsLimits {
  /** How many buckets are shown; Infinity: all. */
  readonly size: number;
  /** How many of each shard decide, where the reference cuts their lists; null: {@link shardSizeOf}. */
  readonly shardSize: number | null;
  readonly minDocCount: number;
  readonly include: TermChoice | null;
  readonly exclude: TermChoice | null;
}

/**
 * How many buckets each shard of the reference returns at most.
 *
 * @param isByKey whether they are ordered by key and by nothing else
 * @param shards how many are searched
 */
export function shardSizeOf(
  { size, shardSize }: Pick<TermsLimits, 'size' | 'shardSize'>,
  isByKey: boolean,
  shards: number,
): number {
  if (shardSize !== null) return Math.max(shardSize, size);
  return shards === 1 || isByKey ? size : Math.max(10, size * Math.min(10, shards));
}

/** What tests the terms of values. */
export function choiceTest(
  { include, exclude }: Pick<TermsLimits, 'include' | 'exclude'>,
  values: ValuesSpec,
): ((term: Term) => boolean) | null {
  return termTest(include, exclude, keyTypeOf(values));
}

const DEFAULT_SIZE = 10;

/** Takes these members one after the other. */
export class TermsMembers {
  private size = DEFAULT_SIZE;
  private shardSize: number | null = null;
  private include: TermChoice | null = null;
  private exclude: TermChoice | null = null;
  private hint: string | null = null;

  /** @param name of the aggregation, for errors @param hints that texts may be counted by */
  constructor(
    private readonly name: string,
    private minDocCount: number,
    private readonly hints: readonly string[],
  ) {}

  /** Takes a member if it is one of these. @throws EngineError, ElementFailure */
  read(member: string, value: JsonValue): boolean {
    if (value instanceof JsonNumber) return this.readNumber(member, lenientInteger(value, 0));
    if (member === 'size' && typeof value === 'string') this.size = parseInt32(value);
    else if (/^execution_?hint$/i.test(member) && typeof value === 'string') this.hint = value;
    else if (/^collect_?mode$/i.test(member) && typeof value === 'string') checkMode(value);
    else if (member === 'include' || member === 'exclude') {
      const choice = parseChoice(value);
      if (choice === undefined) throw unknownMember(this.name, member, value);
      this[member] = choice;
    } else return false;
    return true;
  }

  /**
   * What was asked for, for these values.
   *
   * @throws EngineError for sizes below 0; RunFailure for what values of this type cannot be asked for
   */
  resolve(values: ValuesSpec, { search }: AggregationParseContext): TermsLimits {
    const { size, shardSize, minDocCount, include, exclude, name, hint } = this;
    if (size < 0 || minDocCount < 0) {
      throw new EngineError(
        'ElasticsearchException',
        'parameters [requiredSize] and [minDocCount] must be >=0 in terms aggregation.',
      );
    }
    search.meter.add('terms', termsIn(include) + termsIn(exclude));
    const shown = size === 0 ? Infinity : size;
    const limits: TermsLimits = {
      size: shown,
      shardSize: shardSize === 0 ? Infinity : shardSize,
      minDocCount,
      include,
      exclude,
    };
    if (!values.isMapped) return limits;
    if (values.kind === 'texts' && hint !== null && !this.hints.includes(hint)) {
      throw new RunFailure(
        new EngineError(
          'ElasticsearchIllegalArgumentException',
          `Unknown \`execution_hint\`: [${hint}], expected any of [${this.hints.join(', ')}]`,
        ),
      );
    }
    if (values.kind === 'numbers') {
      const failure = refusePatterns(name, [include, exclude]);
      if (failure !== null) throw new RunFailure(failure);
      // What is no number is found now.
      atRun(() => choiceTest(limits, values));
    }
    return limits;
  }

  private readNumber(member: string, value: number): boolean {
    if (member === 'size') this.size = value;
    else if (/^shard_?size$/i.test(member)) this.shardSize = value;
    else if (/^min_?doc_?count$/i.test(member)) this.minDocCount = value;
    // Counts are exact, so that no shard leaves out anything.
    else return /^shard_?min_?doc_?count$/i.test(member);
    return true;
  }
}

function checkMode(mode: string): void {
  if (mode === 'depth_first' || mode === 'breadth_first') return;
  throw new EngineError('ElasticsearchParseException', `No collect_mode found for value [${mode}]`);
}
