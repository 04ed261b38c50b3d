// An engine for tests of the HTTP layer alone: the test supplies the methods it expects to be called.

import type { ClusterState, SearchEngine } from '../../engine/index';

const EMPTY_STATE: ClusterState = {
  version: 1,
  indices: new Map(),
  templates: new Map(),
  persistentSettings: new Map(),
  repositories: new Map(),
  keys: new Map(),
  keyUses: new Map(),
  nextIndexId: 1,
  nextShardId: 1,
};

/** A SearchEngine whose unexpected calls fail the test. */
export function fakeEngine(methods: Partial<SearchEngine> = {}): SearchEngine {
  const base = {
    clusterName: 'test',
    nodeName: 'node',
    nodeId: 'node-id',
    state: () => EMPTY_STATE,
    admin: { resolve: (names: readonly string[]) => names },
    maintenance: { stats: () => Promise.resolve([]) },
  };
  const known = new Map<string | symbol, unknown>(Object.entries({ ...base, ...methods }));
  return new Proxy({} as SearchEngine, {
    get(_target, name) {
      if (!known.has(name)) throw new Error(`unexpected call of engine.${String(name)}`);
      return known.get(name);
    },
  });
}
