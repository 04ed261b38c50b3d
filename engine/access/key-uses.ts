// When keys were last used: to the millisecond in memory, and written down with the cluster state now and
// then, as requests that only read must not cause writes that are synced.

import type { KeyUse } from '../api/index';
import { type ClusterStateService, replaceKeyUses } from '../metadata/index';

/** How far what is on disk may be behind, in milliseconds. */
const SAVE_EVERY_MS = 5 * 60_000;

/** What the uses of keys need of the node. */
export interface KeyUsesHost {
  readonly cluster: Pick<ClusterStateService, 'state' | 'change'>;
  /** Runs a change when the node takes changes. */
  write<T>(work: () => Promise<T>): Promise<T>;
}

/** Remembers the last use of each key. */
export class KeyUses {
  private readonly uses = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | null = null;
  private saving: Promise<void> | null = null;

  constructor(private readonly host: KeyUsesHost) {}

  /** The record of a key's last use, which whoever lets a request of it in moves on. */
  of(id: string): KeyUse {
    let use = this.uses.get(id);
    if (use === undefined) {
      use = { at: this.host.cluster.state().keyUses.get(id) ?? null };
      this.uses.set(id, use);
    }
    return use;
  }

  /** Forgets a key that there is no more; one with its id begins anew. */
  forget(id: string): void {
    this.uses.delete(id);
  }

  /** Begins to write uses down every five minutes, if there were any. */
  start(): void {
    this.timer = setInterval(() => {
      this.saving ??= this.save((work) => this.host.write(work)).finally(() => {
        this.saving = null;
      });
    }, SAVE_EVERY_MS);
    this.timer.unref();
  }

  /** Resolves when nothing is being written any more. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.saving;
  }

  /** Writes down what is not yet, through `write`; what is refused is left for the next time. */
  async save(write: KeyUsesHost['write'] = (work) => work()): Promise<void> {
    const { cluster } = this.host;
    const newest = (): ReadonlyMap<string, number> => {
      const known = [...this.uses].flatMap(([id, { at }]) =>
        at === null ? [] : [[id, at] as const],
      );
      return new Map(known);
    };
    const before = cluster.state();
    if (replaceKeyUses(before, newest()) === before) return;
    try {
      await write(() => cluster.change((state) => replaceKeyUses(state, newest())));
    } catch {
      // Nobody waits for it, and a failure of storage is told and got over by the node itself.
    }
  }
}
