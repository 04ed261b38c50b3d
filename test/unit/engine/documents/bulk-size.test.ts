// Bulks of very many actions: what each of them costs, and that others get a turn meanwhile. Operations are
// counted, so that the speed of the machine does not matter.

import { EngineFolder, indexRequest } from '../../../support/engine';
import type { Engine } from '../../../../engine/index';
import type { BulkAction } from '../../../../engine/api/documents';
import { Committer } from '../../../../storage/committer';
import type { CommitUnit } from '../../../../storage/types';
import { DocumentWriter } from '../../../../engine/documents/document-writer';
import { TypeDocumentMapper } from '../../../../engine/mapping/document/document-parser';
import { TypeMapping } from '../../../../engine/mapping/schema/type-mapping';

let folder: EngineFolder;
let engine: Engine;
beforeEach(async () => {
  folder = await EngineFolder.create();
  engine = await folder.open();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await folder.remove();
});

/** Actions, and how often anything of them was read. */
function counted(count: number, action: (i: number) => BulkAction) {
  const counter = { reads: 0 };
  const actions = Array.from(
    { length: count },
    (_, i) =>
      new Proxy(action(i), {
        get(target, member) {
          counter.reads++;
          return Reflect.get(target, member) as unknown;
        },
      }),
  );
  return { actions, counter };
}

const at = (index: string, i: number) => indexRequest(index, 't', `${i}`, {});
const indexing =
  (name: (i: number) => string) =>
  (i: number): BulkAction => ({ kind: 'index', request: at(name(i), i) });

test.each([
  ['that no index can have', (i: number) => `BAD${i}`],
  ['that are known', () => 'known'],
])('names %s cost the same, however many there are', async (_what, name) => {
  await engine.admin.createIndex('known', new Map());
  const { actions, counter } = counted(2_000, indexing(name));
  const items = await engine.bulk(actions, false);
  expect(items).toHaveLength(2_000);
  expect(counter.reads).toBeLessThan(2_000 * 100);
});

test('all indices of a bulk are created in few changes of the cluster state', async () => {
  // The clock stands still: no slice of time ends.
  jest.spyOn(performance, 'now').mockReturnValue(1);
  const { actions } = counted(
    40,
    indexing((i) => `i${i}`),
  );
  const items = await engine.bulk(actions, false);
  expect(items.filter(({ kind }) => kind === 'error')).toEqual([]);
  expect(engine.state().indices.size).toBe(40);
  // One that creates them, and one for the documents of each.
  expect((await engine.nodeStats()).local!.commits.units.sum).toBe(41);
});

test.each<[string, (i: number) => BulkAction]>([
  ['index', (i) => ({ kind: 'index', request: at('i', i) })],
  ['delete', (i) => ({ kind: 'delete', request: { ...at('i', i), id: `${i}` } })],
  ['bad name', (i) => ({ kind: 'index', request: at(`BAD${i}`, i) })],
  ['bad type', (i) => ({ kind: 'index', request: { ...at('i', i), type: '_bad' } })],
])('others get a turn while a bulk of %s actions is worked on', async (_what, action) => {
  await engine.admin.createIndex('i', new Map());
  const { actions, counter } = counted(3_000, action);
  // Every look at the clock finds that a slice is over.
  let clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (clock += 100));
  let isDone = false;
  let most = 0;
  let before = 0;
  const turn = (): void => {
    most = Math.max(most, counter.reads - before);
    before = counter.reads;
    if (!isDone) setImmediate(turn);
  };
  turn();
  await engine.bulk(actions, false);
  isDone = true;
  turn();
  expect(counter.reads).toBeGreaterThan(3_000);
  expect(most).toBeLessThan(2_000);
});

test('few chunks of a bulk wait for the disk at once, and make room for single writes', async () => {
  await engine.admin.createIndex('i', new Map());
  // oxlint-disable-next-line typescript/unbound-method -- called with the committer below
  const original = Committer.prototype.submit;
  let waiting = 0;
  let most = 0;
  const kinds: (boolean | undefined)[] = [];
  jest.spyOn(Committer.prototype, 'submit').mockImplementation(async function <R>(
    this: Committer,
    unit: CommitUnit<R>,
  ): Promise<R> {
    most = Math.max(most, ++waiting);
    kinds.push(unit.makesRoom);
    const result = await (original as (unit: CommitUnit<R>) => Promise<R>).call(this, unit);
    // A disk on which a sync takes longer than parsing some chunks.
    await new Promise((resolve) => setTimeout(resolve, 20));
    waiting--;
    return result;
  });
  const items = await engine.bulk(
    Array.from({ length: 4_000 }, (_, i) => indexing(() => 'i')(i)),
    false,
  );
  expect(items).toHaveLength(4_000);
  expect(most).toBeLessThanOrEqual(10);
  expect(kinds.filter((makesRoom) => makesRoom === true).length).toBeGreaterThan(30);
  kinds.length = 0;
  await engine.index(at('i', 1));
  expect(kinds).not.toContain(true);
});

test('documents that each bring a field of their own are merged together', async () => {
  const merges = jest.spyOn(TypeMapping.prototype, 'mergeFields');
  await engine.index(indexRequest('i', 't', '0', {}));
  merges.mockClear();
  const sources = [
    ...Array.from({ length: 50 }, (_, i) => ({ [`f${i}`]: i, o: { [`g${i}`]: i } })),
    { f1: 'no number' },
    { f1: 5, late: 'x' },
    { o: 7 },
  ];
  const actions = sources.map((source, i): BulkAction => ({
    kind: 'index',
    request: indexRequest('i', 't', `${i}`, source),
  }));
  const items = await engine.bulk(actions, false);
  expect(items.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 50 }, () => 'index'),
    'error',
    'index',
    'error',
  ]);
  expect(merges.mock.calls.length).toBeLessThan(10);
  const [t] = [...engine.state().indices.get('i')!.mappings.values()];
  expect([...(t!.get('properties') as Map<string, unknown>).keys()]).toHaveLength(52);
});

test('what documents add together is as one after the other', async () => {
  const sources = [
    { a: 1, o: { x: 1 } },
    { b: 'text', o: { y: 1 } },
    { a: 'text' },
    { n: null, e: [], m: {} },
    { m: { z: 1 } },
    { m: 5 },
    { c: '2015-01-01', o: { x: 'text' }, d: true },
    { c: 'text' },
    { o: [{ w: 1 }, { w: 2 }], v: [[1], [2]] },
  ];
  const actions = (index: string) =>
    sources.map((source, i): BulkAction => ({
      kind: 'index',
      request: indexRequest(index, 't', `${i}`, source),
    }));
  const together = await engine.bulk(actions('together'), false);
  const alone: string[] = [];
  for (const action of actions('alone')) {
    const [item] = await engine.bulk([action], false);
    alone.push(item!.kind);
  }
  expect(together.map(({ kind }) => kind)).toEqual(alone);
  expect(alone).toContain('error');
  const { indices } = engine.state();
  expect(indices.get('together')!.mappings).toEqual(indices.get('alone')!.mappings);
});

test.each([
  ['as it goes', 100, 20],
  ['not at all', 0, 1],
])('mapping changes end a chunk when time passes: %s', async (_what, step, chunks) => {
  await engine.index(indexRequest('i', 't', '0', {}));
  const units = async () => (await engine.nodeStats()).local!.commits.units.sum;
  const before = await units();
  let clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (clock += step));
  const actions = Array.from({ length: 20 }, (_, i): BulkAction => ({
    kind: 'index',
    request: indexRequest('i', `type${i}`, '1', { n: i }),
  }));
  const items = await engine.bulk(actions, false);
  expect(items.every(({ kind }) => kind === 'index')).toBe(true);
  const committed = (await units()) - before;
  // Something in the background may have been written, too.
  expect(committed).toBeGreaterThanOrEqual(chunks);
  expect(committed).toBeLessThan(chunks + 10);
});

test('others get a turn between reading a document and adding its fields to the mapping', async () => {
  await engine.index(indexRequest('i', 't', '0', {}));
  let clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (clock += 100));
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  /** The turns in which a method was called. */
  const callsOf = <T>(prototype: T, name: keyof T & string): number[] => {
    const calls: number[] = [];
    const method = prototype[name] as (...args: unknown[]) => unknown;
    (prototype as Record<string, unknown>)[name] = function (...args: unknown[]) {
      calls.push(turns);
      return method.apply(this, args);
    };
    restore.push(() => Object.assign(prototype as object, { [name]: method }));
    return calls;
  };
  const restore: (() => void)[] = [];
  const parsed = callsOf(TypeDocumentMapper.prototype, 'parse');
  const merged = callsOf(TypeMapping.prototype, 'mergeFields');
  turn();
  await engine.index(indexRequest('i', 't', '1', { a: 1, b: 2 }));
  isDone = true;
  for (const each of restore) each();
  expect([parsed.length, merged.length]).toEqual([1, 1]);
  expect(merged[0]).toBeGreaterThan(parsed[0]!);
});

test('what a bulk has carried out is done with before the rest is planned', async () => {
  await engine.admin.createIndex('i', new Map());
  const write = jest.spyOn(DocumentWriter.prototype, 'write');
  const actions = Array.from({ length: 18_000 }, (_, i): BulkAction => ({
    kind: 'delete',
    request: { ...at('i', i), id: `${i % 9000}` },
  }));
  const items = await engine.bulk(actions, false);
  expect(write.mock.calls.map(([, writes]) => writes.length)).toEqual([16_384, 18_000 - 16_384]);
  const results = items.map((item) => item.kind === 'delete' && item.result);
  expect(results.map((result) => result && [result.id, result.version])).toEqual(
    actions.map((_, i) => [`${i % 9000}`, i < 9000 ? 1 : 2]),
  );
});
