// Questions to shards of indices in OpenSearch: each is one item of a multi-search, asked of that shard
// alone, or of the shard as it was when a scroll began.

import { EngineError } from '../../errors';
import type { JsonObject, JsonOutput } from '../../json/index';
import type { IndexMapping } from '../../mapping/index';
import type { IndexMetadata } from '../../metadata/index';
import { cancelled } from '../../search/index';
import type { ShardSnapshot } from '../../segment/index';
import type { OpenSearchClient } from '../transport/client';
import { causeType, errorType, shardFailureOf } from '../transport/failures';
import { multiSearch, type SearchItem } from '../transport/multi-search';
import { keepAliveText, LostPointError, type PointsInTime } from './points-in-time';

/** An index that is searched. */
export interface SearchedIndex {
  /** Its name in OpenSearch. */
  readonly remoteName: string;
  readonly metadata: IndexMetadata;
  readonly mapping: IndexMapping;
}

/** What searches need. */
export interface SearchBackend {
  readonly client: OpenSearchClient;
  /** @throws EngineError when the index of the snapshot is gone */
  indexOf(snapshot: ShardSnapshot): SearchedIndex;
  /** Makes an index that OpenSearch has not got yet. @throws EngineError */
  make(snapshot: ShardSnapshot): Promise<void>;
  /** Shards that are held for more pages. */
  readonly points: PointsInTime;
}

/** A search of one shard. */
export interface Ask {
  readonly snapshot: ShardSnapshot;
  readonly body: JsonOutput;
}

/** Shards that are asked to be held at once. */
const HELD_AT_ONCE = 16;

const NO_INDEX = 'index_not_found_exception';
const NO_ANSWER: JsonObject = new Map();

/** Asks the shards of one search. */
export class ShardAsker {
  constructor(
    private readonly backend: SearchBackend,
    /** How long shards are held for more pages, in milliseconds; null: they are not. */
    private readonly keepAliveMs: number | null,
    private readonly isCancelled: () => boolean,
  ) {}

  /** Asks shards, all in one request. Null: nothing is asked, or it failed. */
  async ask(
    asks: readonly (Ask | null)[],
    failures: (EngineError | null)[],
  ): Promise<readonly (JsonObject | null)[]> {
    const answers: (JsonObject | null)[] = asks.map(() => null);
    await this.hold(asks, failures);
    const open = asks.flatMap((ask, i) => (ask === null || failures[i] !== null ? [] : [i]));
    await this.askThese(open, asks, answers, failures);
    const { points } = this.backend;
    for (const i of open) {
      const lost = points.idOf(asks[i]!.snapshot) !== null && isGone(answers[i] ?? NO_ANSWER);
      if (lost) failures[i] ??= new LostPointError();
    }
    const unmade = open.filter(
      (i) => failures[i] === null && errorType(answers[i] ?? NO_ANSWER) === NO_INDEX,
    );
    if (unmade.length > 0) {
      for (const i of unmade) await this.backend.make(asks[i]!.snapshot);
      await this.askThese(unmade, asks, answers, failures);
    }
    for (const i of open) {
      const answer = answers[i];
      if (answer === null || answer === undefined) continue;
      failures[i] ??= shardFailureOf(answer);
    }
    return answers.map((answer, i) => (failures[i] === null ? answer : null));
  }

  /** Holds the shards that are asked, if there are to be more pages. */
  private async hold(
    asks: readonly (Ask | null)[],
    failures: (EngineError | null)[],
  ): Promise<void> {
    const { keepAliveMs, backend } = this;
    if (keepAliveMs === null) return;
    const { points } = backend;
    const holdOne = async (snapshot: ShardSnapshot, i: number): Promise<void> => {
      try {
        const { remoteName } = backend.indexOf(snapshot);
        if (await points.hold(snapshot, remoteName, keepAliveMs)) return;
        await backend.make(snapshot);
        await points.hold(snapshot, remoteName, keepAliveMs);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        failures[i] = error;
      }
    };
    const open = asks.flatMap((ask, i) => {
      const isAsked = ask !== null && failures[i] === null && points.idOf(ask.snapshot) === null;
      return isAsked ? [{ i, snapshot: ask.snapshot }] : [];
    });
    for (let from = 0; from < open.length; from += HELD_AT_ONCE) {
      const some = open.slice(from, from + HELD_AT_ONCE);
      await Promise.all(some.map(({ snapshot, i }) => holdOne(snapshot, i)));
    }
  }

  private async askThese(
    which: readonly number[],
    asks: readonly (Ask | null)[],
    answers: (JsonObject | null)[],
    failures: (EngineError | null)[],
  ): Promise<void> {
    if (which.length === 0) return;
    if (this.isCancelled()) throw cancelled();
    const items = which.map((i) => this.item(asks[i]!));
    try {
      const responses = await multiSearch(this.backend.client, items);
      which.forEach((i, r) => (answers[i] = responses[r]!));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      for (const i of which) failures[i] = error;
    }
    if (this.isCancelled()) throw cancelled();
  }

  private item({ snapshot, body }: Ask): SearchItem {
    const id = this.backend.points.idOf(snapshot);
    if (id !== null) {
      const { keepAliveMs } = this;
      const longer = keepAliveMs === null ? {} : { keep_alive: keepAliveText(keepAliveMs) };
      const pit = { id, ...longer };
      return { header: {}, body: { ...(body as Record<string, JsonOutput>), pit } };
    }
    const index = this.backend.indexOf(snapshot).remoteName;
    return { header: { index, preference: `_shards:${snapshot.shardNumber}` }, body };
  }
}

/** Whether what was held of a shard is no longer there. */
function isGone(answer: JsonObject): boolean {
  const cause = causeType(answer);
  return cause === 'search_context_missing_exception' || cause === NO_INDEX;
}
