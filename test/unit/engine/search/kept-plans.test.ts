// Plans are kept for requests that come again, and only while they would be made the same.

import { KeptPlans, type KeptPlan } from '../../../../engine/search/plan/kept-plans';
import type { ClusterState } from '../../../../engine/metadata/index';
import { planName } from '../../../../engine/search/plan/plan-name';
import type { IndexPlan } from '../../../../engine/search/plan/search-plan';
import { SearchNode } from '../../../support/search-node';

const PLAN = { facets: [{ name: 'f' }], aggregations: [], index: 'i' };

const state = (): ClusterState => ({}) as ClusterState;

function planned(changes: object = {}, indices: readonly string[] = ['i']): KeptPlan {
  const plan = { ...PLAN, ...changes } as unknown as IndexPlan;
  const whole = { plan, fetch: {}, page: { from: 0, size: 0 }, timeout: 0 };
  return {
    targets: [],
    plans: new Map(indices.map((index) => [index, whole])) as unknown as KeptPlan['plans'],
  };
}

/** What is kept under a key after it was asked for `times` times. */
function keptAfter(plans: KeptPlans, key: string, at: ClusterState, times: number, of = planned()) {
  for (let i = 0; i < times; i++) if (plans.get(key, at) === null) plans.keep(key, at, of);
  return plans.get(key, at);
}

describe('kept plans', () => {
  test('are kept from the second time on, named where answers are', () => {
    const at = state();
    const plans = new KeptPlans();
    expect(keptAfter(plans, 'a', at, 1)).toBeNull();
    const kept = keptAfter(plans, 'a', at, 1);
    const name = planName(PLAN as unknown as IndexPlan);
    expect(name).toHaveLength(44);
    expect(kept!.plans.get('i')).toMatchObject({ plan: PLAN, name });
    expect(plans.get('b', at)).toBeNull();
    const hits = keptAfter(plans, 'hits', at, 2, planned({ facets: [] }));
    expect(hits!.plans.get('i')).not.toHaveProperty('name');
  });

  test('are gone with the cluster state, also for what was being read by another', () => {
    const first = state();
    const plans = new KeptPlans();
    expect(keptAfter(plans, 'a', first, 2)).not.toBeNull();
    const second = state();
    expect(plans.get('a', second)).toBeNull();
    plans.keep('a', first, planned());
    expect(plans.get('a', second)).toBeNull();
    expect(plans.get('a', first)).toBeNull();
  });

  test('are not those of long, large, failing, suggesting requests, nor of several indices', () => {
    const at = state();
    const plans = new KeptPlans();
    const fail: KeptPlan = { targets: [], plans: new Map([['i', { fail: () => null! }]]) };
    expect(keptAfter(plans, 'x'.repeat(3000), at, 3)).toBeNull();
    expect(keptAfter(plans, 'large', at, 3, planned({ isLarge: true }))).toBeNull();
    expect(keptAfter(plans, 'suggests', at, 3, planned({ suggest: [] }))).toBeNull();
    expect(keptAfter(plans, 'fails', at, 3, fail)).toBeNull();
    expect(keptAfter(plans, 'several', at, 3, planned({}, ['i', 'j']))).toBeNull();
  });

  test('of which only so many are kept, those used last', () => {
    const at = state();
    const plans = new KeptPlans();
    const key = (i: number): string => String(i).padEnd(1024);
    for (let i = 0; i < 600; i++) {
      expect(keptAfter(plans, key(i), at, 2)).not.toBeNull();
      expect(plans.get(key(0), at)).not.toBeNull();
    }
    expect(plans.get(key(1), at)).toBeNull();
    expect(plans.get(key(599), at)).not.toBeNull();
  });
});

describe('a search that comes again', () => {
  const node = new SearchNode();
  node.createIndex('i', { n: 'long' });
  node.add('i', '1', { n: 1 });
  node.add('i', '2', { n: 2 });
  node.refresh('i');
  const current = node.host.state();
  node.host.state = () => current;

  test('is about the time that it is', async () => {
    const body = { query: { function_score: { random_score: {} } } };
    const scoreAt = async (time: number): Promise<number | null> => {
      node.host.now = () => time;
      return (await node.search('i', body)).maxScore;
    };
    const first = await scoreAt(1000);
    for (let i = 0; i < 3; i++) expect(await scoreAt(1000)).toBe(first);
    expect(await scoreAt(5000)).not.toBe(first);
  });

  test('is not read again, and is told from others by index, type, options and parameters', async () => {
    const { mapping } = node.host;
    let read = 0;
    node.host.mapping = (index) => {
      read++;
      return mapping(index);
    };
    const body = { query: { range: { n: { gte: 2 } } } };
    const search = (changes: object = {}) => node.search('i', body, changes);
    for (let i = 0; i < 2; i++) expect((await search()).total).toBe(1);
    read = 0;
    expect((await search()).total).toBe(1);
    expect(read).toBe(0);
    expect((await search({ types: ['none'] })).total).toBe(0);
    expect((await search({ params: new Map([['size', '0']]) })).hits).toHaveLength(0);
    expect((await search({ searchType: 'count' })).hits).toHaveLength(0);
    expect((await search()).hits).toHaveLength(1);
    await expect(node.search('missing', body)).rejects.toMatchObject({ status: 404 });
  });
});
