import type { IndexStats, ShardStats } from '../../../../engine/index';
import { clusterHealth, indexHealth } from '../../../../server/stats/index';

function shard(changes: Partial<ShardStats> = {}): ShardStats {
  const figures = { docCount: 0, deletedCount: 0, storeBytes: 0 };
  return { ...figures, isDamaged: false, isRebuilding: false, startedReplicas: 0, ...changes };
}

function index(replicas: number, shards: readonly ShardStats[], open = true): IndexStats {
  const figures = { docCount: 0, deletedCount: 0, storeBytes: 0 };
  return { name: 'i', open, primaries: shards.length, replicas, ...figures, shards };
}

test.each([
  ['no replicas are wanted', index(0, [shard(), shard()]), ['green', 2, 2, 0, 0]],
  ['replicas are nowhere', index(1, [shard(), shard()]), ['yellow', 2, 2, 0, 2]],
  [
    'some replicas are elsewhere',
    index(2, [shard({ startedReplicas: 2 }), shard({ startedReplicas: 1 })]),
    ['yellow', 2, 5, 0, 1],
  ],
  ['all are', index(1, [shard({ startedReplicas: 1 })]), ['green', 1, 2, 0, 0]],
  [
    'there are more than are wanted',
    index(0, [shard({ startedReplicas: 1 })]),
    ['green', 1, 2, 0, 0],
  ],
  ['one is damaged', index(1, [shard({ isDamaged: true }), shard()]), ['red', 1, 1, 0, 3]],
  ['one is built again', index(0, [shard({ isRebuilding: true })]), ['red', 0, 0, 1, 0]],
])('an index is healthy by its shards: %s', (_, stats, figures) => {
  const { status, activePrimaries, active, initializing, unassigned } = indexHealth(stats);
  expect([status, activePrimaries, active, initializing, unassigned]).toEqual(figures);
});

test('all open indices together are as healthy as the worst of them', () => {
  const worst = index(0, [shard({ isDamaged: true })]);
  const all = [
    index(0, [shard()]),
    index(1, [shard()]),
    index(0, [shard({ isDamaged: true })], false),
  ];
  expect(clusterHealth(all)).toMatchObject({ status: 'yellow', active: 2, unassigned: 1 });
  expect(clusterHealth([...all, worst]).status).toBe('red');
  expect(clusterHealth([]).status).toBe('green');
});
