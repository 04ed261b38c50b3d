// When the newest complete snapshot of each repository ended, for whoever watches the node.

import type { Manifest } from './manifest';
import type { EngineLogger } from '../common/index';

/** Remembers what repositories hold, so that asking costs no reading of files. */
export class NewestSnapshots {
  /** By repository, in epoch milliseconds; null while it is being found out, or when there is none. */
  private readonly ends = new Map<string, number | null>();

  /** @param list reads the manifests of a repository */
  constructor(
    private readonly list: (
      repository: string,
    ) => Promise<readonly Pick<Manifest, 'state' | 'endedAt'>[]>,
    private readonly logger: EngineLogger,
  ) {}

  /**
   * The ends of the newest complete snapshots, in epoch milliseconds. A repository that was not asked for
   * before is read in the background, and is missing until that is done.
   */
  of(repositories: Iterable<string>): ReadonlyMap<string, number> {
    const known = new Map<string, number>();
    for (const name of repositories) {
      const end = this.ends.get(name);
      if (end === undefined) {
        this.ends.set(name, null);
        void this.find(name);
      } else if (end !== null) known.set(name, end);
    }
    return known;
  }

  /** Notes a snapshot that was just made. */
  add(repository: string, { state, endedAt }: Pick<Manifest, 'state' | 'endedAt'>): void {
    if (state === 'SUCCESS') this.ends.set(repository, endedAt);
  }

  /** What a repository holds has changed, or may have: it is read again when asked for. */
  forget(repository: string): void {
    this.ends.delete(repository);
  }

  private async find(repository: string): Promise<void> {
    try {
      for (const { state, endedAt } of await this.list(repository)) {
        const known = this.ends.get(repository) ?? 0;
        if (state === 'SUCCESS' && endedAt > known) this.ends.set(repository, endedAt);
      }
    } catch (err) {
      // Asked for again the next time: the repository may be there then.
      this.forget(repository);
      this.logger.debug({ repository, err }, 'the snapshots cannot be listed');
    }
  }
}
