// Fail the n-th operation of a scripted session, for every n: what was acknowledged is there after a
// reopen, nothing is there by half, and nothing was written between failure and reopen.

import { CorruptionError, StorageFailure } from '../../storage/errors';
import { Storage } from '../../storage/storage';
import { FaultPlan } from '../support/faulty-database';
import { note } from '../support/figures';
import {
  LogModel,
  readAll,
  record,
  removeFolders,
  segment,
  sorted,
  temporaryFolder,
  uid,
  type Change,
} from '../unit/storage/support';

const SHARDS = [1, 2, 3];
/** Two batches, so that a segment can be half written. */
const BLOCKS = [Buffer.alloc(2_500_000, 1), Buffer.alloc(2_500_000, 2)];

afterEach(removeFolders);

/** The script's view of what must be on disk. */
class Expectation {
  /** Everything acknowledged. */
  readonly sure = new LogModel();
  /** Units that were prepared but not acknowledged: the failed batch. */
  pending: (readonly Change[])[] = [];
  /** Segments whose write was acknowledged and whose removal was not begun, by number of blocks. */
  readonly segments = new Map<number, number>();
  /** Deletion chunks likewise. */
  readonly deletions = new Set<number>();
  acknowledged = 0;
  rejected = 0;

  constructor(readonly storage: { current: Storage }) {}

  /** Submits units at once; those that are acknowledged become sure. */
  async units(...units: (readonly Change[])[]): Promise<void> {
    await Promise.all(units.map((changes) => this.unit(changes)));
  }

  async unit(changes: readonly Change[]): Promise<void> {
    try {
      await this.storage.current.log.submit({
        estimatedBytes: 200,
        prepare: (batch) => {
          for (const change of changes) change(batch);
          this.pending.push(changes);
        },
      });
    } catch (error) {
      this.rejected++;
      if (error instanceof StorageFailure) throw error;
      return;
    }
    this.sure.apply(changes);
    this.pending.splice(this.pending.indexOf(changes), 1);
    this.acknowledged++;
  }
}

function index(sequence: number, id: string): Change {
  return (batch) => {
    const before = batch.getUid(1, 'book', id);
    const version = (before?.version ?? 0) + 1;
    batch.putRecord(1, sequence, record(id, { version, supersedes: before?.sequence ?? 0 }));
    batch.putUid(1, 'book', id, uid(sequence, version));
  };
}

function remove(sequence: number, id: string): Change {
  return (batch) => {
    const version = (batch.getUid(1, 'book', id)?.version ?? 0) + 1;
    batch.putRecord(1, sequence, record(id, { op: 'delete', version, source: Buffer.alloc(0) }));
    batch.putUid(1, 'book', id, { sequence, version, deleted: true, deletedAt: 1400000000000 });
  };
}

/**
 * One session: documents, metadata, a segment from intent to commit, deletions, trimming, deleting a shard.
 */
async function runScript(expected: Expectation): Promise<void> {
  const store = (): Storage => expected.storage.current;
  await expected.unit([
    (batch) => batch.putMetadata('cluster', Buffer.from('{"v":1}')),
    (batch) => batch.putMetadata('index/1', Buffer.from('{"name":"__proto__"}')),
  ]);
  await expected.units([index(1, 'a'), index(2, 'b')], [index(3, 'a')], [index(4, 'c')]);
  await expected.units(
    [remove(5, 'b')],
    [index(6, 'b'), (batch) => batch.putMetadata('index/1', Buffer.from('2'))],
  );
  await expected.unit([(batch) => batch.putBuildIntent(11)]);
  await store().segments.writeSegment(11, BLOCKS);
  expected.segments.set(11, BLOCKS.length);
  const committed = segment(11, { blocks: 2, docCount: 6, maxSequence: 6 });
  await expected.unit([
    (batch) => batch.putCommit(1, { generation: 1, sequence: 6, segments: [committed] }),
    (batch) => batch.removeBuildIntent(11),
  ]);
  await store().segments.writeDeletions([
    { segment: 11, chunk: 0, generation: 2, bits: Buffer.alloc(64, 2) },
  ]);
  expected.deletions.add(2);
  const deleted = { ...committed, deletedCount: 2, deletionChunks: [2] };
  await expected.unit([
    (batch) => batch.putCommit(1, { generation: 2, sequence: 6, segments: [deleted] }),
    (batch) => batch.removeRecord(1, 1),
    (batch) => batch.removeRecord(1, 2),
  ]);
  await store().checkpoint().catch(failOnStorageFailure);
  for (let n = 0; n < 5; n++)
    await expected.units([index(7 + n, `n${n}`)], [(batch) => batch.removeUid(2, 'x', 'y')]);
  await store().checkpoint().catch(failOnStorageFailure);
  await expected.unit([
    (batch) => batch.putDeleteIntent(1, [11]),
    (batch) => batch.removeMetadata('index/1'),
  ]);
  expected.segments.delete(11);
  expected.deletions.delete(2);
  // Removal in steps: any part of the shard may be gone from here on.
  expected.sure.removeShard(1);
  await store().log.removeShard(1);
  await store().segments.removeSegments([11]);
  await expected.unit([(batch) => batch.removeDeleteIntent(1)]);
  await expected.unit([(batch) => batch.putMetadata('cluster', Buffer.from('{"v":2}'))]);
}

/** A flush or a stamp that fails is reported and changes nothing; a failed batch ends the session. */
function failOnStorageFailure(error: unknown): void {
  if (error instanceof StorageFailure) throw error;
}

function isRemoving(model: LogModel): boolean {
  return [...model.values.keys()].some((key) => key.startsWith('["delete"'));
}

async function verify(expected: Expectation, landed: boolean): Promise<void> {
  const storage = expected.storage.current;
  const want = expected.sure.copy();
  if (landed) for (const unit of expected.pending) want.apply(unit);
  const found = await readAll(storage.log, SHARDS);
  if (isRemoving(want)) {
    await storage.log.removeShard(1);
    want.removeShard(1);
    found.removeShard(1);
    expect(sorted(await readAll(storage.log, SHARDS))).toEqual(sorted(want));
  }
  expect(sorted(found)).toEqual(sorted(want));
  for (const [id, blocks] of expected.segments) {
    for (let block = 0; block < blocks; block++) {
      expect(storage.segments.readBlock(id, block).equals(BLOCKS[block] ?? Buffer.alloc(0))).toBe(
        true,
      );
    }
  }
  for (const generation of expected.deletions) {
    expect(storage.segments.readDeletions(11, 0, generation)).toEqual(Buffer.alloc(64, 2));
  }
}

/** Runs the script with one fault; returns false when the script ended before the fault was due. */
async function runWithFault(plan: FaultPlan): Promise<boolean> {
  const options = { path: temporaryFolder(), wrap: plan.wrap, maxHeldBatchNumbers: 4 };
  let storage: Storage;
  try {
    storage = await Storage.open(options);
  } catch (error) {
    // Nothing was acknowledged yet; the next start begins again.
    expect(plan.fired).toBe(true);
    expect(error).toBeInstanceOf(Error);
    storage = await Storage.open(options);
    expect(storage.isNew).toBe(true);
  }
  const expected = new Expectation({ current: storage });
  let failed = false;
  try {
    await runScript(expected);
  } catch (error) {
    failed = true;
    expect(plan.fired).toBe(true);
    if (!(error instanceof StorageFailure))
      expect(String(error)).toMatch(/scan failed|read failed/);
  }
  // Trimming goes on beside the script, so its failure may end the session after the last step.
  await expected.storage.current.checkpoint().catch(() => undefined);
  failed ||= expected.storage.current.failure !== null;
  expect(plan.writesAfterFailure).toBe(0);
  expect(plan.mostInFlight).toBe(1);
  if (failed) {
    await expected.storage.current.reopen();
    await verify(expected, plan.landed);
    // The fault has passed: writing works, and numbering goes on without a gap.
    for (const unit of plan.landed ? expected.pending : []) expected.sure.apply(unit);
    expected.pending = [];
    await expected.unit([index(1000, 'after')]);
  }
  await expected.storage.current.close();
  expected.storage.current = await Storage.open({ path: options.path });
  expect(expected.storage.current.wasInterrupted).toBe(false);
  await verify(expected, plan.landed);
  await expected.storage.current.close();
  return plan.fired;
}

describe.each([
  ['a write fails and did not land', 'write', false],
  ['a write fails but landed', 'write', true],
  ['a read, scan or flush fails', 'read', false],
] as const)('when %s', (_, kind, landed) => {
  test('at any point of a session, nothing acknowledged is lost and nothing is there by half', async () => {
    let points = 0;
    for (let n = 1; ; n++) {
      if (!(await runWithFault(new FaultPlan(n, kind, landed)))) break;
      points++;
    }
    note('storage faults', { kind, landed, points });
    // Opening, 15 units, segment, deletions, trimming and removal make at least this many.
    expect(points).toBeGreaterThan(kind === 'write' ? 25 : 15);
  });
});

test('the script itself does what it says', async () => {
  const path = temporaryFolder();
  const expected = new Expectation({
    current: await Storage.open({ path, maxHeldBatchNumbers: 4 }),
  });
  await runScript(expected);
  expect(expected.rejected).toBe(0);
  expect(expected.storage.current.stats().batchNumbers.floor).toBeGreaterThan(1);
  expect(sorted(await readAll(expected.storage.current.log, SHARDS))).toEqual([
    ['["metadata","cluster"]', Buffer.from('{"v":2}').toString('hex')],
  ]);
  expect(() => expected.storage.current.segments.readBlock(11, 0)).toThrow(CorruptionError);
  await expected.storage.current.close();
});
