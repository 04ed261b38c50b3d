// The lock of a repository: one node at a time takes snapshots, deletes them, or removes what no manifest
// names. Two that do so at once would remove chunks of each other, or both take a snapshot of one name.
//
// It is a file that only one can create. Its owner writes it again every few seconds; what was not written
// for long is left over from a node that is gone, and the next one takes its place. How old it is is
// measured on the clock of the repository's file system, with a file written for that, because the clocks of
// two machines differ. Nobody can stop an owner that was frozen for so long, so it looks whether the lock is
// still its own before each step that cannot be taken back.
//
// It must not need room, for a full disk is when snapshots are deleted. A file without its bytes excludes
// others as well: its owner knows it by its inode, and others by its age alone.

import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { EngineError } from '../errors';
import { isJsonObject, JsonNumber, parseJson, type JsonObject } from '../json/index';
import type { FileFolder, FoundFile, HeldFile } from '../../storage/index';
import type { EngineLogger } from '../common/index';

const LOCK = 'lock';
/** How often the owner of a lock shows that it lives. Milliseconds. */
const BEAT_MS = 5000;
/** A lock that was not written for so long is left over. Milliseconds. */
export const STALE_MS = 60_000;

/** Locks that this process holds. */
const HELD = new Set<string>();

/** Where a process is, as far as its number means something: machine, run of the machine, and container. */
const PLACE = [
  hostname(),
  tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  tryRead(() => readlinkSync('/proc/self/ns/pid')),
].join(' ');

/** Who holds a lock. */
interface Owner {
  readonly token: string;
  readonly node: string;
  readonly host: string;
  readonly place: string;
  readonly pid: number;
}

/** What taking a lock needs. */
interface LockOptions {
  /** The repository, for messages. */
  readonly repository: string;
  readonly nodeId: string;
  readonly logger: EngineLogger;
  /** Told once when the lock turns out not to be ours any more. */
  readonly onLost?: (error: EngineError) => void;
}

/** The lock of a repository, held until it is released. */
export class RepositoryLock {
  private lost: EngineError | null = null;
  private beating: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly folder: FileFolder,
    private readonly file: HeldFile,
    private readonly owner: Owner,
    private readonly options: LockOptions,
  ) {
    this.timer = setInterval(() => {
      this.beating = this.beating.then(() => this.beat());
    }, BEAT_MS);
    this.timer.unref();
  }

  /**
   * Takes the lock of the repository whose manifests are in `folder`.
   * @throws EngineError ConcurrentSnapshotExecutionException (503) while another node, or another name of the
   *   repository on this one, has it; StorageError
   */
  static async take(folder: FileFolder, options: LockOptions): Promise<RepositoryLock> {
    const owner: Owner = {
      token: randomUUID(),
      node: options.nodeId,
      host: hostname(),
      place: PLACE,
      pid: process.pid,
    };
    // Once more after one that was left over was cleared away.
    for (let attempt = 0; attempt < 2; attempt++) {
      const file = await folder.create(LOCK, encode(owner));
      if (file !== null) {
        HELD.add(owner.token);
        return new RepositoryLock(folder, file, owner, options);
      }
      const found = await folder.look(LOCK);
      if (found === null) continue;
      const other = decode(found.bytes);
      if (!(await isLeftOver(folder, other))) throw refused(options.repository, other);
      options.logger.warn(
        { repository: options.repository, owner: other },
        'the lock of a repository was left over from a node that is gone, and is taken over',
      );
      await folder.removeIf(
        LOCK,
        ({ bytes, writtenAt }) => bytes.equals(found.bytes) && writtenAt === found.writtenAt,
      );
    }
    throw refused(options.repository, null);
  }

  /** @throws EngineError when the lock has gone to somebody else */
  async check(): Promise<void> {
    if (this.lost !== null) throw this.lost;
    const found = await this.folder.look(LOCK);
    if (found !== null && this.isOurs(found)) return;
    this.lost = new EngineError(
      'RepositoryException',
      `[${this.options.repository}] its lock has gone to another node`,
      { status: 503 },
    );
    this.options.onLost?.(this.lost);
    throw this.lost;
  }

  /** Gives the lock up. Never fails: what cannot be removed is taken over when it is old. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    try {
      await this.folder.removeIf(LOCK, (found) => this.isOurs(found));
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the lock of a repository was not removed');
    } finally {
      HELD.delete(this.owner.token);
      await this.file.close().catch(() => undefined);
    }
  }

  private isOurs({ bytes, inode }: FoundFile): boolean {
    const owner = decode(bytes);
    return owner === null ? inode === this.file.inode : owner.token === this.owner.token;
  }

  private async beat(): Promise<void> {
    try {
      await this.check();
      await this.file.renew();
    } catch (error) {
      // A repository that is away for a moment keeps nobody from going on.
      if (this.lost === null) this.options.logger.warn({ err: error }, 'a repository is away');
    }
  }
}

/** Whether the owner of a lock is gone. @param owner null: it cannot be read, as just before it is written */
async function isLeftOver(folder: FileFolder, owner: Owner | null): Promise<boolean> {
  if (owner !== null && HELD.has(owner.token)) return false;
  if (owner !== null && owner.place === PLACE) {
    // One of ours that is not held is of an earlier process with the same number.
    if (owner.pid === process.pid || !isAlive(owner.pid)) return true;
  }
  const age = await folder.ageOf(LOCK);
  return age === null || age > STALE_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function refused(repository: string, owner: Owner | null): EngineError {
  const who =
    owner === null ? '' : `: node [${owner.node}], process [${owner.pid}] on [${owner.host}]`;
  return new EngineError(
    'ConcurrentSnapshotExecutionException',
    `[${repository}] another node works on the repository${who}`,
  );
}

function encode({ token, node, host, place, pid }: Owner): Buffer {
  return Buffer.from(`${JSON.stringify({ token, node, host, place, pid })}\n`);
}

/** Null: it is not, or not yet, what an owner writes. */
function decode(bytes: Buffer): Owner | null {
  let json: JsonObject;
  try {
    const value = parseJson(bytes.toString());
    if (!isJsonObject(value)) return null;
    json = value;
  } catch {
    return null;
  }
  const text = (name: string): string => {
    const value = json.get(name);
    return typeof value === 'string' ? value : '';
  };
  const number = json.get('pid');
  const pid = number instanceof JsonNumber ? number.value : 0;
  const token = text('token');
  if (token === '' || !Number.isInteger(pid) || pid <= 0) return null;
  return { token, node: text('node'), host: text('host'), place: text('place'), pid };
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
