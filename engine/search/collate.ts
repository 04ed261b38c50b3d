// Collating: which suggested phrases match documents of the shard, by a query made of each (reference
// server).
//
// Queries are parsed where the mapping is, on the main thread, so suggestions come back first; then one job
// asks the shards, as they are held, for one match of each query.

import { type CancelSignal, Slices } from '../common/index';
import { SEARCH_BODY, type ShardFailure } from '../api/index';
import { EngineError } from '../errors';
import { type JsonObject, type JsonValue, parseJsonObject } from '../json/index';
import type { IndexMetadata } from '../metadata/index';
import { MATCH_ALL, type Query, type SearchContext } from '../query/index';
import type { Collate, SuggestEntry, SuggestOption, SuggestSpec } from '../suggest/index';
import { asQueryError } from './count';
import { cancelled } from './plan/errors';
import type { SearchOutcome, ShardSuggest } from './plan/executor';
import type { PlannedIndex } from './plan/planned-index';
import type { Target } from './plan/targets';
import type { ShardQuery, ShardRun } from './shard-run';
import type { SourceLookUps } from './source-look-ups';

/** The search or suggestion that collates. */
interface Collating {
  readonly run: ShardRun;
  readonly targets: readonly Target[];
  readonly plans: ReadonlyMap<string, PlannedIndex>;
  readonly lookUps: SourceLookUps;
  readonly signal: CancelSignal | undefined;
  context(index: IndexMetadata): SearchContext;
  /** How a shard says that it could not. */
  failure(index: string, shard: number, error: EngineError): ShardFailure;
}

/**
 * The suggestions with those left out, or marked, that match nothing. Shards that could not tell fail, and
 * their suggestions are left out.
 *
 * @throws EngineError when the request was cancelled, and what searching throws
 */
export async function collated(
  suggest: SearchOutcome['suggest'],
  collating: Collating,
): Promise<SearchOutcome['suggest']> {
  const { run, targets, signal } = collating;
  const specsOf = ({ position }: ShardSuggest): readonly SuggestSpec[] => {
    const planned = collating.plans.get(targets[position]!.index.name)!;
    return 'fail' in planned ? [] : (planned.plan.suggest ?? []);
  };
  const collates = suggest?.some((shard) => specsOf(shard).some((spec) => collateOf(spec)));
  if (suggest === undefined || collates !== true) return suggest;
  const queries = new CollateQueries(collating);
  const slices = new Slices(1);
  const asked: ShardQuery[] = [];
  const willing: ShardSuggest[] = [];
  for (const shard of suggest) {
    const { index, shard: number } = targets[shard.position]!;
    const own: ShardQuery[] = [];
    try {
      for (const { collate, option } of collatedOptions(shard, specsOf(shard))) {
        if (slices.isOver()) await slices.next();
        if (signal?.aborted === true) throw cancelled();
        own.push({ position: shard.position, query: await queries.of(index, collate, option) });
      }
    } catch (error) {
      if (!(error instanceof EngineError) || signal?.aborted === true) throw error;
      run.fail(collating.failure(index.name, number, error));
      continue;
    }
    willing.push(shard);
    for (const query of own) asked.push(query);
  }
  const answers = (await run.matches(asked)).values();
  return willing.flatMap((shard) => withAnswers(shard, specsOf(shard), answers) ?? []);
}

function collateOf(spec: SuggestSpec): Collate | null {
  return spec.kind === 'phrase' ? spec.collate : null;
}

function* collatedOptions(
  { partial }: ShardSuggest,
  specs: readonly SuggestSpec[],
): Generator<{ collate: Collate; option: SuggestOption }> {
  for (const [i, entries] of (partial ?? []).entries()) {
    const collate = collateOf(specs[i]!);
    if (collate === null) continue;
    for (const { options } of entries) for (const option of options) yield { collate, option };
  }
}

/** Takes one answer for each option of {@link collatedOptions}; null: the shard failed. */
function withAnswers(
  { position, partial }: ShardSuggest,
  specs: readonly SuggestSpec[],
  answers: Iterator<boolean | null, unknown>,
): ShardSuggest | null {
  let hasFailed = false;
  const collateEntry = (entry: SuggestEntry, { prune }: Collate): SuggestEntry => {
    const options = entry.options.flatMap((option) => {
      const matches = answers.next().value as boolean | null;
      if (matches === null) hasFailed = true;
      if (prune) return [{ ...option, collateMatch: matches === true }];
      return matches === true ? [option] : [];
    });
    return { ...entry, options };
  };
  const collatedPartial =
    partial?.map((entries, i) => {
      const collate = collateOf(specs[i]!);
      return collate === null ? entries : entries.map((entry) => collateEntry(entry, collate));
    }) ?? null;
  return hasFailed ? null : { position, partial: collatedPartial };
}

/** The queries of suggestions, each parsed once for an index. */
class CollateQueries {
  private readonly contexts = new Map<string, SearchContext>();
  private readonly parsed = new Map<Collate, Map<string, Query>>();

  constructor(private readonly collating: Collating) {}

  /** @throws EngineError */
  async of(index: IndexMetadata, collate: Collate, { text }: SuggestOption): Promise<Query> {
    // A spec is that of one index.
    let known = this.parsed.get(collate);
    if (known === undefined) this.parsed.set(collate, (known = new Map<string, Query>()));
    let query = known.get(text);
    if (query === undefined) {
      const context = this.contextOf(index);
      query = await this.collating.lookUps.resolve(() => parsedQuery(collate, text, context));
      known.set(text, query);
    }
    return query;
  }

  private contextOf(index: IndexMetadata): SearchContext {
    let context = this.contexts.get(index.name);
    if (context === undefined) {
      context = this.collating.context(index);
      this.contexts.set(index.name, context);
    }
    return context;
  }
}

function parsedQuery(collate: Collate, suggestion: string, context: SearchContext): Query {
  const { template, isFilter } = collate;
  const params = parseJsonObject(collate.params, SEARCH_BODY.depth).set('suggestion', suggestion);
  const { scripts } = context.services;
  const text = scripts().renderTemplate({ name: { kind: 'inline', text: template }, params });
  try {
    const body = bodyOf(text, isFilter);
    if (isFilter) return context.parseFilter(body, null) ?? MATCH_ALL;
    // compat: further members count for nothing.
    return context.parseQuery(new Map<string, JsonValue>([...body].slice(0, 1)));
  } catch (error) {
    throw asQueryError(error, context);
  }
}

function bodyOf(text: string, isFilter: boolean): JsonObject {
  try {
    const body = parseJsonObject(text, SEARCH_BODY.depth, SEARCH_BODY.values);
    if (!isFilter || body.size > 0) return body;
    throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
  } catch (cause) {
    if (!isFilter) throw cause;
    throw new EngineError('ElasticsearchException', 'Failed to build query', { cause });
  }
}
