// How many searches may have begun at a time.

import type { SearchJob } from '../../../../engine/search/plan/executor';
import { BudgetedSearches } from '../../../../engine/search/run/budgeted-searches';
import { SearchBudget } from '../../../../engine/search/run/search-budget';
import type { SegmentReader } from '../../../../engine/segment/index';

const LIMIT = 6400;
/** More is large: a sixty-fourth of the room. */
const SMALL = 100;
const FOR_EVER = { deadline: null, signal: undefined };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Searches that run until they are told to end. */
class Searches {
  now = 0;
  readonly budget = new SearchBudget(LIMIT, () => this.now);
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();

  begin(name: string, bytes: number, patience: object = {}): Promise<string> {
    return this.budget.during(bytes, { ...FOR_EVER, ...patience }, () => {
      this.begun.push(name);
      return new Promise((resolve, reject) => {
        this.ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
    });
  }

  async end(name: string, error?: Error): Promise<void> {
    this.ends.get(name)!(error);
    await turn();
  }
}

test('searches begin while there is room, the others in the order in which they came', async () => {
  const searches = new Searches();
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => searches.begin(name, 2000));
  await turn();
  expect(searches.begun).toEqual(['a', 'b']);
  expect(searches.budget.waiting).toBe(3);
  await searches.end('b');
  expect(searches.begun).toEqual(['a', 'b', 'c']);
  await searches.end('a');
  await searches.end('c');
  expect(searches.begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  await searches.end('d');
  await searches.end('e');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('one that fails leaves its room to others', async () => {
  const searches = new Searches();
  const first = searches.begin('a', 4000);
  void searches.begin('b', 4000);
  await turn();
  await Promise.all([
    expect(first).rejects.toThrow('broken'),
    searches.end('a', new Error('broken')),
  ]);
  expect(searches.begun).toEqual(['a', 'b']);
});

test('one that is larger than the room runs when no other large one does', async () => {
  const searches = new Searches();
  void searches.begin('a', 2000);
  void searches.begin('huge', 1e9);
  await turn();
  expect(searches.begun).toEqual(['a']);
  await searches.end('a');
  void searches.begin('b', 2000);
  await turn();
  expect(searches.begun).toEqual(['a', 'huge']);
  await searches.end('huge');
  expect(searches.begun).toEqual(['a', 'huge', 'b']);
});

test('small ones have room that large ones do not take, and not any amount of it', async () => {
  const searches = new Searches();
  void searches.begin('huge', 1e9);
  for (let n = 0; n < 20; n++) void searches.begin(`s${n}`, SMALL);
  await turn();
  expect(searches.begun).toHaveLength(1 + 16);
  await searches.end('s3');
  expect(searches.begun.at(-1)).toBe('s16');
});

test('less demanding ones pass one that waits, but not for ever', async () => {
  const searches = new Searches();
  void searches.begin('a', 3000);
  void searches.begin('b', 4000);
  void searches.begin('c', 1000);
  await turn();
  expect(searches.begun).toEqual(['a', 'c']);
  searches.now = 2000;
  await searches.end('c');
  void searches.begin('d', 1000);
  await turn();
  expect(searches.begun).toEqual(['a', 'c']);
  await searches.end('a');
  expect(searches.begun).toEqual(['a', 'c', 'b']);
  await searches.end('b');
  expect(searches.begun).toEqual(['a', 'c', 'b', 'd']);
});

test('whoever is cancelled while waiting is gone, and keeps nobody back', async () => {
  const searches = new Searches();
  void searches.begin('a', 3000);
  const controller = new AbortController();
  const waiting = searches.begin('b', 4000, { signal: controller.signal });
  const early = searches.begin('early', 4000, { signal: AbortSignal.abort() });
  await expect(early).rejects.toThrow('cancelled');
  searches.now = 2000;
  void searches.begin('c', 1000);
  await turn();
  controller.abort();
  await expect(waiting).rejects.toThrow('the search was cancelled');
  expect(searches.begun).toEqual(['a', 'c']);
  expect(searches.budget.waiting).toBe(0);
});

test('all that wait can be given up', async () => {
  const searches = new Searches();
  void searches.begin('a', 4000);
  const waiting = [searches.begin('b', 4000), searches.begin('c', 4000)];
  searches.budget.giveUp();
  for (const each of waiting) await expect(each).rejects.toThrow('cancelled');
  await searches.end('a');
  expect(searches.begun).toEqual(['a']);
});

test('one whose time is over does not wait, because it will look at nothing', async () => {
  const searches = new Searches();
  void searches.begin('a', 4000);
  const late = searches.begin('b', 4000, { deadline: Date.now() - 1 });
  while (searches.begun.length < 2) await turn();
  await searches.end('b');
  expect(await late).toBe('b');
});

const FIELD = 40;
const TERMS_FACET = {
  ...{ name: 'f', type: 'terms', global: false, filter: null, nestedPath: null, mainQuery: null },
  spec: { script: null, sources: [{ kind: 'field', field: FIELD }] },
};
const MANY_TERMS = [
  { terms: (field: number) => (field === FIELD ? { size: 100_000, sumDocFreq: 100_000 } : null) },
] as unknown as readonly SegmentReader[];

function job(facets: readonly object[]): SearchJob {
  const plan = { window: 10, facets, aggregations: [], facetMemory: 5e6 };
  const shard = { snapshot: { segments: [{ docCount: 1000 }] }, planned: { plan, deadline: null } };
  return { shards: [shard] } as unknown as SearchJob;
}

/** The most of 12 searches that run at a time. */
async function mostAtOnce(search: SearchJob, limit: number): Promise<number> {
  const budgeted = new BudgetedSearches(limit, () => MANY_TERMS);
  let [running, most] = [0, 0];
  const run = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await turn();
    running--;
  };
  await Promise.all(Array.from({ length: 12 }, () => budgeted.run(search, undefined, run)));
  expect(budgeted.waiting).toBe(0);
  return most;
}

test('what facets count of large fields decides how many searches run', async () => {
  expect(await mostAtOnce(job([]), 12e6)).toBe(12);
  expect(await mostAtOnce(job([TERMS_FACET]), 12e6)).toBe(5);
  expect(await mostAtOnce(job([TERMS_FACET, TERMS_FACET]), 12e6)).toBe(2);
  expect(await mostAtOnce(job(Array.from({ length: 200 }, () => TERMS_FACET)), 12e6)).toBe(1);
});

test('damage is left to the search to say', async () => {
  const budgeted = new BudgetedSearches(1000, () => {
    throw new Error('damaged');
  });
  expect(await budgeted.run(job([TERMS_FACET]), undefined, () => Promise.resolve(1))).toBe(1);
});
