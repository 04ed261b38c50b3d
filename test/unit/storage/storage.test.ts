// Opening and closing a data folder: what is new, what is refused, and what the stamp says.

import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  ClosedError,
  CorruptionError,
  DataFolderError,
  DataLossError,
  FormatVersionError,
  LockedError,
  StorageError,
} from '../../../storage/errors';
import { Storage } from '../../../storage/storage';
import { decodeStamp, encodeStamp, readStamp, STAMP_FILE } from '../../../storage/stamp';
import { removeFolders, temporaryFolder } from './support';

let open: Storage[] = [];

async function openStorage(
  path: string,
  more: Partial<Parameters<typeof Storage.open>[0]> = {},
): Promise<Storage> {
  const storage = await Storage.open({ path, ...more });
  open.push(storage);
  return storage;
}

afterEach(async () => {
  for (const storage of open) await storage.close();
  open = [];
  removeFolders();
});

async function put(storage: Storage, name: string): Promise<void> {
  await storage.log.submit({
    estimatedBytes: 10,
    prepare: (batch) => batch.putMetadata(name, Buffer.from(name)),
  });
}

async function names(storage: Storage): Promise<string[]> {
  return [...(await storage.log.readMetadata()).keys()];
}

/** Waits until the child has printed its first line. */
function holdInOtherProcess(path: string): Promise<() => Promise<void>> {
  const code = `
    const { ClassicLevel } = require(${JSON.stringify(require.resolve('classic-level'))});
    const level = new ClassicLevel(${JSON.stringify(path)}, { createIfMissing: false });
    level.open().then(() => console.log('open'), (error) => console.log(error.cause.code));
    process.stdin.resume().on('end', () => process.exit());`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (line: Buffer) => {
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      const release = async (): Promise<void> => {
        child.stdin.end();
        await ended;
      };
      const answer = line.toString().trim();
      if (answer === 'open') resolve(release);
      else release().then(() => reject(new Error(answer)), reject);
    });
  });
}

describe('a data folder', () => {
  test('is created with mode 700, closed and opened again', async () => {
    const path = join(temporaryFolder(), 'deep', 'er');
    const storage = await openStorage(path);
    expect(storage.isNew).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    const { nodeId } = storage;
    expect(nodeId).toMatch(/^[\w-]{22}$/);
    await put(storage, 'a');
    await storage.close();
    await storage.close();
    expect(storage.nodeId).toBe(nodeId);
    expect(() => storage.segments).toThrow(ClosedError);
    const again = await openStorage(path);
    expect(again.isNew).toBe(false);
    expect(again.wasInterrupted).toBe(false);
    expect(again.nodeId).toBe(nodeId);
    expect(await names(again)).toEqual(['a']);
  });

  test('warns when others may enter it', async () => {
    const path = temporaryFolder();
    chmodSync(path, 0o755);
    const warnings: string[] = [];
    await openStorage(path, { onWarning: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining('has mode 755')]);
  });

  test('is refused while it is open in this process, under any of its names, and stays locked', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    const link = join(temporaryFolder(), 'link');
    symlinkSync(path, link);
    await expect(Storage.open({ path })).rejects.toThrow(LockedError);
    await expect(Storage.open({ path: link })).rejects.toThrow(LockedError);
    await expect(holdInOtherProcess(join(path, 'log'))).rejects.toThrow('LEVEL_LOCKED');
    await put(storage, 'still working');
    await storage.close();
    const again = await openStorage(link);
    expect(await names(again)).toEqual(['still working']);
  });

  test('is refused while another process has it', async () => {
    const path = temporaryFolder();
    await (await openStorage(path)).close();
    const before = readFileSync(join(path, STAMP_FILE), 'utf8');
    const release = await holdInOtherProcess(join(path, 'log'));
    await expect(Storage.open({ path })).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
    expect(readFileSync(join(path, STAMP_FILE), 'utf8')).toBe(before);
    await release();
    await openStorage(path);
  });

  test('is refused when it is not empty and has no stamp', async () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'holiday.jpg'), '');
    await expect(Storage.open({ path })).rejects.toThrow(DataFolderError);
    expect(readdirSync(path)).toEqual(['holiday.jpg']);
    const file = join(path, 'holiday.jpg');
    await expect(Storage.open({ path: file })).rejects.toThrow(DataFolderError);
  });

  test('may be the mount point of a new volume', async () => {
    const path = temporaryFolder();
    mkdirSync(join(path, 'lost+found'));
    writeFileSync(join(path, `${STAMP_FILE}.new-1`), 'unfinished');
    expect((await openStorage(path)).isNew).toBe(true);
  });

  test('that lost its stamp is refused, and opened when the operator says so', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    const { nodeId } = storage;
    await put(storage, 'a');
    await storage.close();
    for (const spoil of [
      () => rmSync(join(path, STAMP_FILE)),
      () => writeFileSync(join(path, STAMP_FILE), 'x'),
    ]) {
      spoil();
      await expect(Storage.open({ path })).rejects.toThrow(StorageError);
      const opened = await openStorage(path, { acceptDataLoss: true });
      expect(opened.nodeId).toBe(nodeId);
      expect(await names(opened)).toEqual(['a']);
      await opened.close();
      await (await openStorage(path)).close();
    }
  });

  test('whose creation was interrupted is created again', async () => {
    const path = temporaryFolder();
    writeFileSync(
      join(path, STAMP_FILE),
      encodeStamp({ nodeId: 'abc', state: 'creating', batch: 0 }),
    );
    mkdirSync(join(path, 'log'));
    const storage = await openStorage(path);
    expect(storage.isNew).toBe(true);
    expect(storage.nodeId).toBe('abc');
    await put(storage, 'a');
    await storage.close();
    expect(await names(await openStorage(path))).toEqual(['a']);
  });

  test.each(['log', 'segments'])(
    'whose creation left an unfinished %s is created again',
    async (name) => {
      const path = temporaryFolder();
      await (await openStorage(path)).close();
      // As after a power cut: LevelDB had not synced its first list of files.
      const manifest = readdirSync(join(path, name)).find((file) => file.startsWith('MANIFEST'));
      writeFileSync(join(path, name, manifest!), '');
      const spoilt = () => Storage.open({ path }).then((storage) => storage.close());
      // What is not unfinished is damaged: of segments, another is made.
      if (name === 'log') await expect(spoilt()).rejects.toThrow(CorruptionError);
      writeFileSync(
        join(path, STAMP_FILE),
        encodeStamp({ nodeId: 'abc', state: 'creating', batch: 0 }),
      );
      const storage = await openStorage(path);
      await put(storage, 'a');
      await storage.close();
      expect(await names(await openStorage(path))).toEqual(['a']);
    },
  );

  test('with CURRENT missing in log is refused and left as it is', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    await put(storage, 'a');
    await storage.close();
    const current = readFileSync(join(path, 'log', 'CURRENT'));
    rmSync(join(path, 'log', 'CURRENT'));
    const files = () => readdirSync(join(path, 'log')).filter((file) => !file.startsWith('LOG'));
    const before = files();
    await expect(Storage.open({ path })).rejects.toThrow(CorruptionError);
    expect(files()).toEqual(before);
    writeFileSync(join(path, 'log', 'CURRENT'), current);
    expect(await names(await openStorage(path))).toEqual(['a']);
  });

  test('with CURRENT missing in segments has that set aside, and an empty one made', async () => {
    const path = temporaryFolder();
    let storage = await openStorage(path);
    await put(storage, 'a');
    await storage.segments.writeSegment(1, [Buffer.from('block')]);
    await storage.close();
    rmSync(join(path, 'segments', 'CURRENT'));
    storage = await openStorage(path);
    expect(await names(storage)).toEqual(['a']);
    expect(storage.segmentsLost).toMatchObject({ code: 'STORAGE_SEGMENT_DAMAGE' });
    expect(() => storage.segments.readBlock(1, 0)).toThrow('is missing');
    const kept = readdirSync(path).filter((name) => name.startsWith('damaged-segments-'));
    expect(readdirSync(join(path, kept[0]!)).some((file) => file.endsWith('.log'))).toBe(true);
    await storage.close();
    storage = await openStorage(path);
    expect(storage.segmentsLost).toBeNull();
  });

  test('with a database gone altogether is refused', async () => {
    const path = temporaryFolder();
    await (await openStorage(path)).close();
    rmSync(join(path, 'log'), { recursive: true });
    await expect(Storage.open({ path })).rejects.toThrow(StorageError);
    expect(existsSync(join(path, 'log', 'CURRENT'))).toBe(false);
  });

  test('put together from two nodes is refused', async () => {
    const paths = [temporaryFolder(), temporaryFolder()] as const;
    for (const path of paths) await (await openStorage(path)).close();
    rmSync(join(paths[0], STAMP_FILE));
    writeFileSync(join(paths[0], STAMP_FILE), readFileSync(join(paths[1], STAMP_FILE)));
    await expect(Storage.open({ path: paths[0] })).rejects.toThrow(
      'folders of two nodes were mixed',
    );
  });

  test('of a newer format is refused before anything is touched', async () => {
    const path = temporaryFolder();
    await (await openStorage(path)).close();
    writeFileSync(join(path, STAMP_FILE), 'facetd data folder\nformat 2\nanything else\n');
    const error: unknown = await Storage.open({ path, acceptDataLoss: true }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(FormatVersionError);
    expect(error).toMatchObject({ exitCode: 78, code: 'STORAGE_FORMAT_VERSION' });
    expect(readFileSync(join(path, STAMP_FILE), 'utf8')).toContain('format 2');
  });
});

describe('the stamp', () => {
  const stamp = { nodeId: '6f1c-aa', state: 'open', batch: 12 } as const;

  test('round-trips', () => {
    expect(decodeStamp(encodeStamp(stamp))).toEqual(stamp);
  });

  test('detects every flipped bit and every cut', () => {
    const bytes = encodeStamp(stamp);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeStamp(damaged)).toThrow(StorageError);
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeStamp(bytes.subarray(0, length))).toThrow(CorruptionError);
    }
  });

  test('says open while open and closed when left, with the last batch', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    expect(await readStamp(path)).toMatchObject({ state: 'open', batch: 1 });
    await put(storage, 'a');
    await storage.checkpoint();
    expect(await readStamp(path)).toMatchObject({ state: 'open', batch: 2 });
    await put(storage, 'b');
    await storage.close();
    expect(await readStamp(path)).toMatchObject({ state: 'closed', batch: 3 });
    expect(readdirSync(path).sort()).toEqual([STAMP_FILE, 'log', 'segments']);
  });

  test('above the last batch is data loss', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    await put(storage, 'a');
    const { nodeId } = storage;
    await storage.close();
    writeFileSync(join(path, STAMP_FILE), encodeStamp({ nodeId, state: 'open', batch: 5 }));
    const error: unknown = await Storage.open({ path }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataLossError);
    expect(error).toMatchObject({ missing: [{ from: 3, to: 5 }] });
    expect(String(error)).toContain('node.accept_data_loss');

    const warnings: string[] = [];
    const accepted = await openStorage(path, {
      acceptDataLoss: true,
      onWarning: (text) => warnings.push(text),
    });
    expect(warnings).toEqual([expect.stringContaining('data loss accepted')]);
    expect(accepted.stats().batchNumbers).toEqual({ floor: 6, last: 6 });
    expect(await names(accepted)).toEqual(['a']);
    await put(accepted, 'b');
    await accepted.close();
    expect(await names(await openStorage(path))).toEqual(['a', 'b']);
  });

  test('that cannot be written does not keep a node from closing or opening', async () => {
    const path = temporaryFolder();
    const warnings: string[] = [];
    const storage = await openStorage(path, { onWarning: (message) => warnings.push(message) });
    await put(storage, 'a');
    const blocked = join(path, `${STAMP_FILE}.new`);
    mkdirSync(blocked);
    await expect(storage.checkpoint()).rejects.toThrow(StorageError);
    await storage.close();
    expect(warnings).toEqual([expect.stringContaining('could not be written at close')]);
    const again = await openStorage(path);
    expect(again.wasInterrupted).toBe(true);
    expect(await names(again)).toEqual(['a']);
  });
});

describe('trimming', () => {
  test('waits until batches are in tables', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    for (let n = 0; n < 300; n++) await put(storage, 'same');
    await storage.checkpoint();
    await storage.checkpoint();
    // All is still in the write-ahead file.
    expect(storage.stats().batchNumbers).toEqual({ floor: 1, last: 301 });
    await storage.close();
    const again = await openStorage(path);
    await again.checkpoint();
    // Opening has moved it into tables.
    expect(again.stats().batchNumbers).toEqual({ floor: 302, last: 302 });
    await again.close();
    expect(await names(await openStorage(path))).toEqual(['same']);
  });

  test('is forced when many numbers are held, without being asked', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path, { maxHeldBatchNumbers: 50 });
    for (let n = 0; n < 400; n++) await put(storage, 'same');
    await storage.checkpoint();
    const { floor, last } = storage.stats().batchNumbers;
    expect(last - floor).toBeLessThan(200);
    expect(floor).toBeGreaterThan(200);
    await storage.close();
    expect(await names(await openStorage(path))).toEqual(['same']);
  });
});

describe('reopening', () => {
  test('works on a healthy storage, after queued units', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    const { log } = storage;
    const writes = [put(storage, 'a'), put(storage, 'b')];
    await storage.reopen();
    await Promise.all(writes);
    expect(await names(storage)).toEqual(['a', 'b']);
    expect(() => log.readUid(1, 'a', 'b')).toThrow(ClosedError);
    expect((await storage.diskUsage()).log).toBeGreaterThan(0);
  });

  test('that fails leaves no session and may be tried again', async () => {
    const path = temporaryFolder();
    const storage = await openStorage(path);
    await put(storage, 'a');
    const log = join(path, 'log');
    const current = readFileSync(join(log, 'CURRENT'));
    rmSync(join(log, 'CURRENT'));
    await expect(storage.reopen()).rejects.toThrow(CorruptionError);
    expect(() => storage.log).toThrow(ClosedError);
    await expect(storage.checkpoint()).rejects.toThrow(ClosedError);
    writeFileSync(join(log, 'CURRENT'), current);
    await storage.reopen();
    expect(await names(storage)).toEqual(['a']);
    await storage.close();
    await expect(storage.reopen()).rejects.toThrow(ClosedError);
  });
});
