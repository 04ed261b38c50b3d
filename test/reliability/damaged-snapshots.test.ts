// A damaged snapshot is refused by the name of the damaged file, before anything is changed; and what else
// goes wrong around a repository: it disappears, its disk is full, an index is deleted meanwhile, two
// snapshots at once.

import { cp, mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openEngine,
  type Engine,
  type RestoreRequest,
  type SnapshotInfo,
} from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import { DiskFullError } from '../../storage/errors';
import { FileFolder } from '../../storage/file-folder';
import { indexRequest, nodeSettings, OPEN_INDICES, searchFor } from '../support/engine';
import { Random, testSeed } from '../support/random';

const DAMAGES = 20;
const DOCUMENTS = 200;
const REPOSITORIES = ['kept', 'scratch'];

// Called with the folder that it is a method of.
// oxlint-disable-next-line typescript/unbound-method
const original = FileFolder.prototype.write;

let root: string;
let engine: Engine;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-damaged-snapshots-'));
  const repositoryPaths = [join(root, 'repositories')];
  engine = await openEngine({
    settings: nodeSettings(join(root, 'data'), { workers: 0, repositoryPaths }),
  });
  for (const name of REPOSITORIES) await putRepository(name);
  const random = new Random(20140901);
  for (const index of ['a', 'b']) {
    await engine.admin.createIndex(index, parseJsonObject('{"settings":{"number_of_shards":3}}'));
    const items = Array.from({ length: DOCUMENTS }, (_, i) => {
      const text = Array.from({ length: 20 }, () => `w${random.below(1000)}`).join(' ');
      return { kind: 'index' as const, request: indexRequest(index, 't', String(i), { i, text }) };
    });
    await engine.bulk(items, false);
  }
  await engine.maintenance.refresh([], OPEN_INDICES);
  for (const name of REPOSITORIES) expect((await take(name, 's')).state).toBe('SUCCESS');
});
afterAll(async () => {
  await engine.close();
  await rm(root, { recursive: true, force: true });
});

async function putRepository(name: string): Promise<void> {
  const settings = new Map([['location', name]]);
  await engine.snapshots.putRepository({ name, type: 'fs', settings, verify: true });
}

function folderOf(repository: string): string {
  return join(root, 'repositories', repository);
}

async function begin(repository: string, snapshot: string, indices: readonly string[] = []) {
  return engine.snapshots.create({
    repository,
    snapshot,
    indices,
    options: OPEN_INDICES,
    includeGlobalState: true,
    partial: false,
  });
}

async function take(repository: string, snapshot: string): Promise<SnapshotInfo> {
  return (await begin(repository, snapshot)).completed;
}

async function restore(repository: string): Promise<void> {
  const request: RestoreRequest = {
    repository,
    snapshot: 's',
    indices: [],
    ignoreUnavailable: false,
    renamePattern: '(.+)',
    renameReplacement: 'restored-$1',
    includeAliases: true,
    includeGlobalState: true,
    partial: false,
    indexSettings: new Map(),
    ignoreIndexSettings: [],
  };
  await (
    await engine.snapshots.restore(request)
  ).completed;
}

/** The message with which something is refused. */
async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    (error: Error) => error.message,
  );
}

/** Damages a repository; says what was done and which file, or one of which, must be named. */
async function damage(
  folder: string,
  random: Random,
): Promise<{ what: string; files: readonly string[] }> {
  const chunks = (await readdir(join(folder, 'chunks'))).map((name) => join('chunks', name));
  const [manifest] = (await readdir(join(folder, 'snapshots'))).map((name) =>
    join('snapshots', name),
  );
  const kind = random.below(4);
  // A manifest that is gone cannot be named: there is no snapshot then.
  const file = random.chance(0.25) && kind !== 2 ? manifest! : random.pick(chunks);
  const path = join(folder, file);
  const bytes = await readFile(path);
  const at = random.below(bytes.length);
  if (kind === 0) {
    bytes[at]! ^= 1 << random.below(8);
    await writeFile(path, bytes);
    return { what: `${file}: bit flipped at ${at}`, files: [file] };
  }
  if (kind === 1) {
    await writeFile(path, bytes.subarray(0, at));
    return { what: `${file}: cut at ${at}`, files: [file] };
  }
  if (kind === 2) {
    await unlink(path);
    return { what: `${file}: deleted`, files: [file] };
  }
  const other = random.pick(chunks.filter((name) => name !== file));
  const third = join(folder, 'third');
  await rename(path, third);
  await rename(join(folder, other), path);
  await rename(third, join(folder, other));
  return { what: `${file} and ${other}: swapped`, files: [file, other] };
}

test(`${DAMAGES} damages are refused by the name of the file, and nothing is changed`, async () => {
  const random = new Random(testSeed(20140902));
  const intact = join(root, 'intact');
  await cp(folderOf('scratch'), intact, { recursive: true });
  const before = engine.state();
  for (let round = 0; round < DAMAGES; round++) {
    const { what, files } = await damage(folderOf('scratch'), random);
    const names = files.map((file) => file.split('/')[1]!);
    for (const work of [() => restore('scratch'), () => engine.snapshots.verify('scratch', 's')]) {
      const message = await refusal(work());
      expect({ what, message, isNamed: names.some((name) => message.includes(name)) }).toEqual({
        ...{ what, message, isNamed: true },
      });
    }
    expect([...engine.state().indices.keys()]).toEqual(['a', 'b']);
    expect(engine.state().templates).toBe(before.templates);
    await rm(folderOf('scratch'), { recursive: true });
    await cp(intact, folderOf('scratch'), { recursive: true });
  }
  const { documents } = await engine.snapshots.verify('kept', 's');
  expect(documents).toBe(2 * DOCUMENTS);
  await restore('scratch');
  expect((await searchFor(engine, 'restored-a', {})).total).toBe(DOCUMENTS);
  await engine.admin.deleteIndices(['restored-a', 'restored-b'], OPEN_INDICES);
});

test('a repository that disappears, also while a snapshot is made', async () => {
  await putRepository('gone');
  await rm(folderOf('gone'), { recursive: true, maxRetries: 10 });
  expect(await refusal(take('gone', 'x'))).toContain('[gone] is not accessible');
  await putRepository('gone');
  const { completed } = await begin('gone', 'y');
  await rm(folderOf('gone'), { recursive: true, maxRetries: 10 });
  expect(await refusal(completed)).toContain('[gone] is not accessible');
  await putRepository('gone');
  expect(await engine.snapshots.get('gone', ['_all'])).toEqual([]);
  expect((await take('gone', 'z')).state).toBe('SUCCESS');
  await engine.snapshots.deleteRepositories('gone');
});

test('a disk that is full at any file: a clear error, no snapshot, nothing left, older ones whole', async () => {
  const files = async () => (await readdir(folderOf('kept'), { recursive: true })).sort();
  for (const index of ['a', 'b']) await engine.index(indexRequest(index, 't', 'more', { n: 1 }));
  const before = await files();
  const write = jest.spyOn(FileFolder.prototype, 'write');
  let calls = 0;
  try {
    for (let failing = 1; ; failing++) {
      calls = 0;
      write.mockImplementation(function (this: FileFolder, ...args) {
        if (++calls !== failing) return original.apply(this, args);
        return Promise.reject(new DiskFullError('no space left on device'));
      });
      const message = await refusal(take('kept', 'full'));
      if (message === 'not refused') break;
      expect(message).toBe('[kept] the disk is full: no space left on device');
      expect(await files()).toEqual(before);
    }
  } finally {
    write.mockRestore();
  }
  // Two new chunks and the manifest.
  expect(calls).toBe(3);
  await engine.snapshots.delete('kept', 'full');
  expect(await files()).toEqual(before);
  expect((await engine.snapshots.verify('kept', 's')).documents).toBe(2 * DOCUMENTS);
  for (const index of ['a', 'b']) {
    await engine.delete({ ...indexRequest(index, 't', 'more', {}), id: 'more' });
  }
});

test('an index that is deleted while a snapshot is made is in it', async () => {
  await engine.admin.createIndex('c', parseJsonObject('{}'));
  await engine.index(indexRequest('c', 't', '1', { n: 1 }));
  const { completed } = await begin('kept', 'deleted', ['a', 'c']);
  await engine.admin.deleteIndices(['c'], OPEN_INDICES);
  expect(await completed).toMatchObject({ state: 'SUCCESS', indices: ['a', 'c'] });
  const { documents } = await engine.snapshots.verify('kept', 'deleted');
  expect(documents).toBe(DOCUMENTS + 1);
  await engine.snapshots.delete('kept', 'deleted');
});

test('two snapshots at once: the second is refused, the first is whole', async () => {
  const { completed } = await begin('kept', 'first');
  expect(await refusal(begin('scratch', 'second'))).toBe(
    '[scratch:second] a snapshot is already running',
  );
  expect(await refusal(begin('kept', 'first'))).toContain('a snapshot is already running');
  expect((await completed).state).toBe('SUCCESS');
  expect((await engine.snapshots.verify('kept', 'first')).documents).toBe(2 * DOCUMENTS);
  await engine.snapshots.delete('kept', 'first');
});
