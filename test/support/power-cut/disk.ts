// A folder as a disk would hold it after a power cut: what was synced, and of what was not as much as a seed
// says.
//
// A server runs with unsynced.c, which keeps a record beside the folder. When it was killed, `cut` replaces
// the folder by what may be left of it.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random';
import { FolderHistory, readJournal, type DiskHistory, type Named } from './journal';

/** What a power cut took. */
export interface Losses {
  /** Changes of names that were taken back. */
  changes: number;
  /** Bytes, written and not synced, that are gone or something else. */
  bytes: number;
  /** One line for each file that is not what was written, and each folder with changes taken back. */
  readonly lines: string[];
}

/** What becomes of the bytes behind those that were synced. */
const TAILS = ['nothing', 'prefix', 'all', 'zeros', 'holes', 'garbage'] as const;
const PAGE = 4096;

export class PowerCutDisk {
  private readonly record: string;
  private before = new Map<string, FolderHistory>();

  /**
   * @param root the folder, by its real path; it is made, and everything in it is on the disk
   * @param library unsynced.so
   */
  constructor(
    readonly root: string,
    private readonly library: string,
  ) {
    this.record = `${root}.record`;
    mkdirSync(root, { recursive: true, mode: 0o700 });
    this.watch();
  }

  /** Environment of the process that uses the folder. With UNSYNCED_SWALLOW it does not sync. */
  environment(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.library,
      UNSYNCED_ROOT: this.root,
      UNSYNCED_RECORD: this.record,
      // It would write past the functions that are watched.
      UV_USE_IO_URING: '0',
    };
  }

  /** How many calls were written down since the last cut. */
  calls(): number {
    const path = join(this.record, 'journal');
    return existsSync(path) ? readFileSync(path, 'latin1').split('\n').length - 1 : 0;
  }

  /** Takes what was not synced, or some of it. No process may use the folder. */
  cut(random: Random): Losses {
    const text = readFileSync(join(this.record, 'journal'), 'utf8');
    const history = readJournal(text, this.before);
    this.checkSeen(history);
    const losses: Losses = { changes: 0, bytes: 0, lines: [] };
    const left = `${this.root}.left`;
    this.write(this.root, left, history, random, losses);
    rmSync(this.root, { recursive: true });
    renameSync(left, this.root);
    this.watch();
    return losses;
  }

  /** Begins a new record: all that is there now is on the disk. */
  private watch(): void {
    rmSync(this.record, { recursive: true, force: true });
    for (const name of ['file', 'synced', 'emptied']) {
      mkdirSync(join(this.record, name), { recursive: true });
    }
    this.before = new Map();
    this.look(this.root);
  }

  private look(folder: string): void {
    const names = new Map<string, Named>();
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        names.set(entry.name, 'folder');
        this.look(path);
        continue;
      }
      const inode = String(statSync(path).ino);
      names.set(entry.name, { inode });
      linkSync(path, join(this.record, 'file', inode));
      copyFileSync(path, join(this.record, 'synced', inode));
    }
    this.before.set(folder, new FolderHistory(names));
  }

  /** The record is of no use when something happened past it. The call that was killed may be missing. */
  private checkSeen({ folders }: DiskHistory): void {
    const differing: string[] = [];
    for (const [path, history] of folders) {
      const there = existsSync(path) ? readdirSync(path) : [];
      const known = history.names();
      differing.push(
        ...there.filter((name) => !known.has(name)).map((name) => join(path, name)),
        ...[...known.keys()]
          .filter((name) => !there.includes(name))
          .map((name) => join(path, name)),
      );
    }
    // A rename is two names.
    if (differing.length > 2) throw new Error(`changed unseen: ${differing.join(', ')}`);
  }

  private write(
    folder: string,
    to: string,
    history: DiskHistory,
    random: Random,
    losses: Losses,
  ): void {
    mkdirSync(to, { mode: 0o700 });
    const { changes, durable, names } = this.choose(folder, history, random);
    if (changes > durable) {
      losses.changes += changes - durable;
      losses.lines.push(`${folder}: ${changes - durable} of ${changes} changes taken back`);
    }
    for (const [name, named] of names) {
      if (named === 'folder') {
        this.write(join(folder, name), join(to, name), history, random, losses);
      } else {
        const path = join(folder, name);
        writeFileSync(join(to, name), this.content(named.inode, path, history, random, losses), {
          mode: 0o600,
        });
      }
    }
  }

  private choose(folder: string, { folders }: DiskHistory, random: Random) {
    const history = folders.get(folder)!;
    const all = history.changes.length;
    const durable = random.pick([history.durable, all, random.between(history.durable, all)]);
    return { changes: all, durable, names: history.names(durable) };
  }

  private content(
    inode: string,
    path: string,
    { emptied }: DiskHistory,
    random: Random,
    losses: Losses,
  ): Buffer {
    const written = readFileSync(join(this.record, 'file', inode));
    const copy = join(this.record, 'synced', inode);
    const synced = existsSync(copy) ? readFileSync(copy) : Buffer.alloc(0);
    const isExtended = written.subarray(0, synced.length).equals(synced);
    if (!isExtended && !emptied.has(inode)) {
      // Its parts could be old or new in any mixture, which nobody of ours may rely on.
      throw new Error(`${path} was overwritten in place`);
    }
    if (written.equals(synced)) return synced;
    if (!isExtended) {
      const kept = random.chance(0.5)
        ? synced
        : written.subarray(0, random.between(0, written.length));
      if (!kept.equals(written)) losses.bytes += written.length;
      return kept;
    }
    const kind = random.pick(TAILS);
    const left = Buffer.concat([
      synced,
      tail(kind, written.subarray(synced.length), synced.length, random),
    ]);
    if (left.equals(written)) return left;
    losses.bytes += written.length - synced.length;
    losses.lines.push(
      `${path}: ${kind} behind ${synced.length} of ${written.length} bytes, ${left.length} now`,
    );
    return left;
  }
}

/** What is left of bytes that were not synced. @param at where in the file they stand */
function tail(kind: (typeof TAILS)[number], bytes: Buffer, at: number, random: Random): Buffer {
  const length = random.between(0, bytes.length);
  switch (kind) {
    case 'nothing':
      return Buffer.alloc(0);
    case 'prefix':
      return bytes.subarray(0, length);
    case 'all':
      return bytes;
    case 'zeros':
      // The size arrived, the end of the content did not.
      return Buffer.concat([bytes.subarray(0, length), Buffer.alloc(bytes.length - length)]);
    case 'holes': {
      // Pages arrive in any order.
      const left = Buffer.from(bytes);
      for (let from = 0; from < left.length;) {
        const to = Math.min(left.length, from + PAGE - ((at + from) % PAGE));
        if (random.chance(0.5)) left.fill(0, from, to);
        from = to;
      }
      return left;
    }
    case 'garbage': {
      const noise = Array.from({ length: bytes.length - length }, () => random.below(256));
      return Buffer.concat([bytes.subarray(0, length), Buffer.from(noise)]);
    }
  }
}
