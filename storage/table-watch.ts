// When tables are checked (table-check.ts): before they are opened by a process whose predecessor ended
// unexpectedly, which may have been over a damaged table, and once a day while the node runs, at a rate that
// nobody notices.

import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from './error-cause';
import type { DatabaseName } from './key-value-database';
import { checkTables, listTables, type CheckPace, type TableDamage } from './table-check';

const DATABASES: readonly DatabaseName[] = ['log', 'segments'];
const MIB = 1024 * 1024;
/** The first check of a node that was stopped in an orderly way, and the pause between two. Milliseconds. */
const FIRST_MS = 30_000;
const PAUSE_MS = 24 * 3_600_000;
/** Bytes that are checked in a second in the background: little more than a hundredth of a processor. */
const RATE = 16 * MIB;
/** A check that others wait for says how far it is. Milliseconds. */
const REPORT_MS = 5000;

/** When to check; tests do not wait for so long. */
export interface TableCheckTimes {
  /** Milliseconds after opening. */
  readonly firstMs?: number;
  /** Milliseconds between two checks. */
  readonly pauseMs?: number;
}

/** What a watch tells its owner. */
interface TableWatchOptions {
  readonly onWarning: (message: string) => void;
  /** Damage that was found and marked while the databases were open: they should be opened again. */
  readonly onMarked: (database: DatabaseName, damage: TableDamage) => void;
  readonly times: TableCheckTimes;
}

/** Checks the tables of a data folder. */
export class TableWatch {
  private readonly known = new Map<DatabaseName, ReadonlyMap<string, TableDamage>>();
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly options: TableWatchOptions,
  ) {}

  /** Damage as of the last check of a database. */
  damages(database: DatabaseName): readonly TableDamage[] {
    return [...(this.known.get(database)?.values() ?? [])];
  }

  /**
   * Checks now, as fast as the disk can read; nothing is open, or its reads may fail.
   * @param why what is said when it takes long
   * @throws CorruptionError when damage cannot be marked
   */
  async checkNow(databases: readonly DatabaseName[], why: string): Promise<void> {
    const lists = await Promise.all(databases.map((name) => listTables(this.folder, name)));
    const total = lists.reduce((sum, { tables }) => sum + tables.size, 0);
    let [files, reported] = [0, performance.now()];
    const pace: CheckPace = {
      checked: async () => {
        files++;
        if (performance.now() - reported < REPORT_MS) return;
        reported = performance.now();
        this.options.onWarning(`${why}: ${files} of ${total} tables are checked`);
      },
      isOver: () => this.stopped.signal.aborted,
    };
    for (const list of lists) {
      this.note(list.database, await checkTables(this.folder, list, pace));
    }
  }

  /**
   * Begins to check in the background.
   * @param isChecked whether it was done just now
   */
  start(isChecked: boolean): void {
    const { firstMs = FIRST_MS, pauseMs = PAUSE_MS } = this.options.times;
    this.running = this.watch(isChecked ? pauseMs : firstMs, pauseMs);
  }

  /** Resolves when nothing is checked any more. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async watch(firstMs: number, pauseMs: number): Promise<void> {
    const { signal } = this.stopped;
    const pause = (ms: number): Promise<void> =>
      sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    const pace: CheckPace = {
      checked: (bytes) => pause((bytes / RATE) * 1000),
      isOver: () => signal.aborted,
    };
    for (await pause(firstMs); !signal.aborted; await pause(pauseMs)) {
      for (const name of DATABASES) {
        try {
          const list = await listTables(this.folder, name);
          const damages = await checkTables(this.folder, list, pace);
          if (!signal.aborted) this.noteMarked(name, damages);
        } catch (error) {
          this.options.onWarning(messageOf(error));
        }
      }
    }
  }

  private noteMarked(database: DatabaseName, damages: readonly TableDamage[]): void {
    this.note(database, damages);
    const marked = damages.find(({ isNew }) => isNew);
    if (marked !== undefined) this.options.onMarked(database, marked);
  }

  private note(database: DatabaseName, damages: readonly TableDamage[]): void {
    const before = this.known.get(database);
    this.known.set(database, new Map(damages.map((damage) => [damage.file, damage])));
    for (const { file, problem } of damages) {
      if (before?.has(file) === true) continue;
      this.options.onWarning(
        `the table ${file} is damaged: ${problem}; what it held there is refused, run verify`,
      );
    }
  }
}
