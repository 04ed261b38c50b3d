// What a node keeps on disk against what its live state needs: the difference is a leak, or a loss.

import type { Engine } from '../../engine/index';
import type { DatabaseName, KeyValueDatabase } from '../../storage/key-value-database';
import {
  KeyPrefix,
  metadataNameOf,
  segmentOfKey,
  sequenceOf,
  shardOfKey,
  deletionChunkOf,
} from '../../storage/keys';
import { decodeCommit, decodeUid } from '../../storage/values';
import { PATIENCE_MS } from './until';

/** Build intents that a node holds for segments to come; two reserves at most, see segment-ids.ts. */
const MAX_RESERVED = 64;

/** Sees the databases of a node as they are opened, so that a test can look into them. */
export class StoredKeys {
  private readonly databases = new Map<DatabaseName, KeyValueDatabase>();

  /** For `EngineOptions.wrap`; `inner` may be another wrapper. */
  readonly wrap =
    (inner: (database: KeyValueDatabase) => KeyValueDatabase = (database) => database) =>
    (database: KeyValueDatabase): KeyValueDatabase => {
      this.databases.set(database.name, database);
      return inner(database);
    };

  /**
   * Waits until {@link problems} are gone, apart from what is meant to stay; returns those that do not go.
   */
  async settle(
    engine: Engine,
    mayStay: (problem: string) => boolean = () => false,
  ): Promise<string[]> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const problems = (await this.problems(engine)).filter((problem) => !mayStay(problem));
      if (problems.length === 0 || performance.now() > end) return problems;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Everything that is stored and not needed, or needed and not stored, one line each. */
  private async problems(engine: Engine): Promise<string[]> {
    const { needed, stored } = await this.take(engine);
    return [
      ...[...stored].filter((key) => !needed.has(key)).map((key) => `left over: ${key}`),
      ...[...needed].filter((key) => !stored.has(key)).map((key) => `missing: ${key}`),
    ];
  }

  private async take(engine: Engine): Promise<{ needed: Set<string>; stored: Set<string> }> {
    const needed = new Set(['metadata cluster', 'metadata counter/segment']);
    const stored = new Set<string>(needed);
    const shards = new Set<number>();
    for (const { id, shardIds } of engine.state().indices.values()) {
      needed.add(`metadata index/${id}`);
      for (const shard of shardIds) shards.add(shard);
    }
    let intents = 0;
    for (const [key, value] of await this.entries('log')) {
      const shard = key.length >= 5 ? shardOfKey(key) : 0;
      const prefix = key[0];
      if (prefix === KeyPrefix.metadata) {
        stored.add(`metadata ${metadataNameOf(key)}`);
      } else if (prefix === KeyPrefix.record) {
        stored.add(`record ${shard}/${sequenceOf(key)}`);
      } else if (prefix === KeyPrefix.uid) {
        const { sequence } = decodeUid(key, value);
        stored.add(`uid ${shard}/${sequence}`);
        if (!shards.has(shard)) continue;
        needed.add(`uid ${shard}/${sequence}`);
        needed.add(`record ${shard}/${sequence}`);
      } else if (prefix === KeyPrefix.commit) {
        stored.add(`commit ${shard}`);
        if (!shards.has(shard)) continue;
        needed.add(`commit ${shard}`);
        this.needSegments(decodeCommit(key, value).segments, needed);
      } else if (prefix === KeyPrefix.buildIntent) {
        if (++intents > MAX_RESERVED) stored.add(`build intent ${segmentOfKey(key)}`);
      } else if (prefix === KeyPrefix.deleteIntent) {
        stored.add(`delete intent ${shard}`);
      }
    }
    for (const [key] of await this.entries('segments')) {
      if (key[0] === KeyPrefix.block) {
        stored.add(`block ${segmentOfKey(key)}/${key.readUInt32BE(7)}`);
      } else if (key[0] === KeyPrefix.deletions) {
        const { chunk, generation } = deletionChunkOf(key);
        stored.add(`deletions ${segmentOfKey(key)}/${chunk}/${generation}`);
      }
    }
    return { needed, stored };
  }

  private needSegments(
    segments: ReturnType<typeof decodeCommit>['segments'],
    needed: Set<string>,
  ): void {
    for (const { id, blocks, deletionChunks } of segments) {
      for (let block = 0; block < blocks; block++) needed.add(`block ${id}/${block}`);
      for (const [chunk, generation] of deletionChunks.entries()) {
        if (generation !== 0) needed.add(`deletions ${id}/${chunk}/${generation}`);
      }
    }
  }

  private async entries(name: DatabaseName): Promise<(readonly [Buffer, Buffer])[]> {
    const entries: (readonly [Buffer, Buffer])[] = [];
    const all = { gte: Buffer.from([0]), lt: Buffer.from([255]) };
    for await (const slice of this.databases.get(name)!.scan(all, { sliceBytes: 1024 * 1024 })) {
      entries.push(...slice);
    }
    return entries;
  }
}

/** How long the version of a deleted document is kept, and a little more. */
export const GRACE_MS = 61_000;
