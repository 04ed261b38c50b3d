// The work of one shard that has to be done one step after the other, until the shard is closed or damaged.
//
// A shard whose commit point, log tail or deletions turn out to be damaged, or whose records cannot be made a
// segment of, fails as a whole: it refuses
// searches and writes with what was found, and stays so until the node starts again.

import type { ShardIdentity } from './readable';
import { describeDamage } from './storage-errors';
import type { EngineLogger } from '../common/index';
import { EngineError } from '../errors';
import { StorageError } from '../../storage/index';

/** Lets one step of a shard's work run at a time, and none after it was closed or damaged. */
export class ShardJobQueue {
  private readonly stopping = new AbortController();
  private tail: Promise<unknown> = Promise.resolve();
  private damage: EngineError | null = null;

  constructor(
    private readonly identity: ShardIdentity,
    private readonly logger: EngineLogger,
    /** Is called when the shard has become damaged. */
    private readonly failed: () => void = () => undefined,
  ) {}

  /** What is damaged, or null. */
  get failure(): EngineError | null {
    return this.damage;
  }

  /** Whether {@link close} was called. */
  get isClosed(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Whether no work begins any more. */
  get isOver(): boolean {
    return this.isClosed || this.damage !== null;
  }

  /** Aborted by {@link close}. */
  get closed(): AbortSignal {
    return this.stopping.signal;
  }

  /**
   * Runs `work` after everything that was asked for before.
   * @throws EngineError when the shard is closed or damaged by then
   */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.tail.then(() => {
      if (this.isClosed) throw this.unavailable();
      if (this.damage !== null) throw this.damage;
      return work();
    });
    this.tail = run.catch(() => undefined);
    return run;
  }

  /**
   * Notes that the shard is damaged and returns what to tell about it.
   * @throws `error` when it is not damage
   */
  fail(error: unknown): EngineError {
    const damage = describeDamage(error);
    if (damage === null) throw error;
    this.damage = damage;
    this.failed();
    this.report(damage, 'the shard is damaged and not available any more');
    return damage;
  }

  /**
   * Notes that the shard is damaged, or cannot be built for another reason that will not pass, and returns
   * what to tell about it.
   * @throws `error` when the same build may succeed later
   */
  failBuild(error: unknown): EngineError {
    const mayPass =
      error instanceof StorageError || (error instanceof EngineError && error.status === 503);
    if (mayPass || describeDamage(error) !== null) return this.fail(error);
    const { index, number } = this.identity;
    this.damage = new EngineError(
      'ElasticsearchIllegalStateException',
      `[${index}][${number}] cannot be indexed: ${String(error)}`,
    );
    this.failed();
    this.report(error, 'the shard cannot be built and is not available any more');
    return this.damage;
  }

  /** Logs what nobody waits for. What fails because the shard was closed is nobody's concern. */
  report(error: unknown, message: string): void {
    if (this.isClosed) return;
    this.logger.error(
      { index: this.identity.index, shard: this.identity.number, err: error },
      message,
    );
  }

  /** No further work begins. */
  close(): void {
    this.stopping.abort();
  }

  /** Resolves when the work that was let in before is done. */
  async settled(): Promise<void> {
    await this.tail.catch(() => undefined);
  }

  /** 503: the index is being deleted or closed, or storage reopened; whoever asks again learns which. */
  private unavailable(): EngineError {
    const { index, number } = this.identity;
    return new EngineError('StorageFailureException', `[${index}][${number}] is not available`);
  }
}
