// Tasks of a node: those that run, and the last ones that ended.

import type { ReindexResult, ReindexStatus, TaskInfo } from '../api/index';
import { EngineError } from '../errors';

/** Ended tasks that are still told about. */
const REMEMBERED = 100;

/** What a task does. */
interface Work {
  readonly action: string;
  readonly description: string;
  status(): ReindexStatus;
  /** @throws what ends it early */
  run(signal: AbortSignal): Promise<ReindexResult>;
}

interface Task {
  readonly work: Work;
  readonly id: number;
  readonly startedAt: number;
  readonly cancelling: AbortController;
  /** Never rejects. */
  readonly ended: Promise<void>;
  endedAt: number | null;
  outcome: TaskInfo['outcome'];
}

/** Runs tasks, and remembers what became of them until the node ends. */
export class Tasks {
  private readonly tasks = new Map<number, Task>();
  private nextId = 1;

  /**
   * @param limit how many may run at a time
   * @param asError what a task failed with, for those who ask
   * @param now epoch milliseconds
   */
  constructor(
    private readonly limit: number,
    private readonly asError: (error: unknown) => EngineError,
    private readonly now: () => number,
  ) {}

  /** @throws EngineError 429 while too many run */
  assertRoom(): void {
    if (this.runningTasks().length < this.limit) return;
    throw new EngineError(
      'EsRejectedExecutionException',
      `rejected execution: ${this.limit} tasks run already`,
    );
  }

  /** Begins a task. */
  start(work: Work): TaskInfo {
    const cancelling = new AbortController();
    const running = work.run(cancelling.signal);
    const task: Task = {
      work,
      id: this.nextId++,
      startedAt: this.now(),
      cancelling,
      ended: running.then(
        (result) => this.end(task, { result }),
        (error: unknown) => this.end(task, { error: this.asError(error) }),
      ),
      endedAt: null,
      outcome: null,
    };
    this.tasks.set(task.id, task);
    return this.info(task);
  }

  /** Those that run, oldest first. */
  running(): readonly TaskInfo[] {
    return this.runningTasks().map((task) => this.info(task));
  }

  /** @throws EngineError 404 */
  get(id: number): TaskInfo {
    return this.info(this.find(id));
  }

  /** Resolves when the task is over. @throws EngineError 404 */
  async settled(id: number): Promise<TaskInfo> {
    const task = this.find(id);
    await task.ended;
    return this.info(task);
  }

  /** @throws EngineError 404 */
  cancel(id: number): Promise<TaskInfo> {
    this.find(id).cancelling.abort();
    return this.settled(id);
  }

  /** Cancels all and waits until they are over. */
  async close(): Promise<void> {
    const running = this.runningTasks();
    for (const { cancelling } of running) cancelling.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  private end(task: Task, outcome: NonNullable<TaskInfo['outcome']>): void {
    task.endedAt = this.now();
    task.outcome = outcome;
    const ended = [...this.tasks.values()].filter((one) => one.outcome !== null);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) {
      this.tasks.delete(id);
    }
  }

  private runningTasks(): readonly Task[] {
    return [...this.tasks.values()].filter(({ outcome }) => outcome === null);
  }

  private find(id: number): Task {
    const task = this.tasks.get(id);
    if (task !== undefined) return task;
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      `task [${id}] isn't running and hasn't stored its results`,
      { status: 404 },
    );
  }

  private info({ work, id, startedAt, endedAt, cancelling, outcome }: Task): TaskInfo {
    const { action, description } = work;
    return {
      id,
      action,
      description,
      startedAt,
      runningMs: (endedAt ?? this.now()) - startedAt,
      isCancelled: cancelling.signal.aborted,
      status: work.status(),
      outcome,
    };
  }
}
