// A thread that reads, on the thread of the test, so that nothing arrives by itself: what is published has to
// be taken when it is asked for.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderedHitsBudget } from '../../../engine/common/request-memory';
import { addIndex, EMPTY_STATE, removeIndices } from '../../../engine/metadata/changes';
import type { ClusterState, IndexMetadata } from '../../../engine/metadata/state';
import { ReaderNode } from '../../../engine/reader-node';
import { Publisher } from '../../../engine/readers/publisher';
import { searchCounts } from '../../../engine/search/run/search-queue';
import type { IndexService } from '../../../engine/shard/index-service';
import { ShardReadCounters } from '../../../engine/shard/read-stats';
import type { ReadableShard } from '../../../engine/shard/readable';
import { NO_SLOW_LOGGER } from '../../../engine/shard/slow-log';
import { Storage } from '../../../storage/storage';
import { testSettings } from '../../support/settings';
import { until } from '../../support/until';

let folder: string;
let storage: Storage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-reader-'));
  storage = await Storage.open({ path: folder, acceptDataLoss: false });
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

/** A shard without documents that counts who holds it. */
class CountedShard implements ReadableShard {
  readonly reads = new ShardReadCounters();
  readonly identity;
  visibleSequence = 0;
  held = 0;
  failure: Error | null = null;

  constructor({ name, id, shardIds }: IndexMetadata) {
    this.identity = { index: name, indexId: id, shardId: shardIds[0]!, number: 0 };
  }

  acquire(): ReturnType<ReadableShard['acquire']> {
    if (this.failure !== null) throw this.failure;
    this.held++;
    const { index, indexId, shardId, number: shardNumber } = this.identity;
    return {
      snapshot: { index, indexId, shardId, shardNumber, segments: [] },
      reads: this.reads,
      damaged: () => undefined,
      release: () => void this.held--,
    };
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }
}

function metadata(name: string, id: number): IndexMetadata {
  return {
    ...{ id, name, uuid: `uuid-${id}`, state: 'open', version: 1, shardIds: [id] },
    settings: new Map(),
    mappings: new Map(),
    aliases: new Map(),
    warmers: new Map(),
    fields: new Map(),
  };
}

/** Main's side, and a thread that can be read from. */
async function startReader() {
  const main: { state: ClusterState; readonly shards: CountedShard[] } = {
    state: EMPTY_STATE,
    shards: [],
  };
  const publisher = new Publisher(
    {
      state: () => main.state,
      indices: () =>
        main.shards.map((shard) => {
          return { id: shard.identity.indexId, shards: [shard] } as unknown as IndexService;
        }),
      executor: () => {
        throw new Error('nothing is large here');
      },
      scripts: () => new Map(),
    },
    1,
  );
  const { node: settings } = testSettings({ 'path.data': folder });
  let resumed = 0;
  const terminated = jest.fn(() => Promise.resolve());
  const { reader, end } = publisher.attach(terminated, () => resumed++);
  const node = new ReaderNode(
    {
      location: storage.location,
      nodeId: 'n',
      startedAt: 0,
      settings,
      cacheBytes: 1024 * 1024,
      renderedHits: renderedHitsBudget(1024 * 1024, 1),
      place: 0,
      thread: 0,
      searchCounts: searchCounts(2),
      queueCapacity: new SharedArrayBuffer(4),
      small: 1000,
    },
    reader,
    NO_SLOW_LOGGER,
  );
  await until(() => resumed === 1);
  const add = (name: string, id: number): CountedShard => {
    const index = metadata(name, id);
    const shard = new CountedShard(index);
    main.shards.push(shard);
    main.state = addIndex(main.state, index);
    publisher.stateChanged();
    return shard;
  };
  const count = (name: string) =>
    node.read(() =>
      node.searcher.count({
        indices: [name],
        types: [],
        options: {
          ignoreUnavailable: false,
          allowNoIndices: true,
          expandOpen: true,
          expandClosed: false,
          forbidClosed: true,
        },
        body: new Map(),
        bodyText: null,
        params: new Map(),
        routing: undefined,
        preference: undefined,
      }),
    );
  return { main, publisher, node, end, add, count, resumed: () => resumed };
}

test('what was published before a read is seen by it, whatever else the thread has to do', async () => {
  const { main, publisher, node, end, add, count } = await startReader();
  add('a', 1);
  // No message has arrived by itself: this is the same turn.
  expect([...node.state().indices.keys()]).toEqual(['a']);
  const shard = add('b', 2);
  const counted = count('b');
  expect(await counted).toMatchObject({ count: 0, shards: { total: 1, successful: 1 } });
  shard.failure = new Error('damaged');
  publisher.shardChanged(shard);
  await expect(count('b')).rejects.toThrow('damaged');
  main.state = removeIndices(main.state, ['b']);
  publisher.stateChanged();
  await expect(count('b')).rejects.toThrow('[b] missing');
  end();
  await node.close();
});

test('what a thread may still read is held, and no longer than that', async () => {
  const { main, publisher, node, end, add, count } = await startReader();
  const shard = add('a', 1);
  expect(shard.held).toBe(1);
  for (let i = 0; i < 3; i++) publisher.shardChanged(shard);
  expect(shard.held).toBe(4);
  await count('a');
  await until(() => shard.held === 1);
  main.state = removeIndices(main.state, ['a']);
  publisher.stateChanged();
  await until(() => shard.held === 0);
  // Of an index that is gone nothing is published any more.
  publisher.shardChanged(shard);
  expect(shard.held).toBe(0);
  const other = add('b', 2);
  expect(other.held).toBe(1);
  end();
  expect(other.held).toBe(0);
  await node.close();
});

test('storage is let go of and taken up again', async () => {
  const { publisher, node, end, add, count, resumed } = await startReader();
  const shard = add('a', 1);
  await publisher.suspend(100);
  expect(shard.held).toBe(0);
  expect(node.gate.isClosed).toBe(true);
  const waiting = count('a');
  publisher.refuse(new Error('cannot be opened'));
  await expect(waiting).rejects.toThrow('cannot be opened');
  publisher.resume();
  await until(() => resumed() === 2);
  expect(await count('a')).toMatchObject({ shards: { successful: 1 } });
  expect(shard.held).toBe(1);
  end();
  await node.close();
});
