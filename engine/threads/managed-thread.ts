// A worker thread as main sees it: requests go in, answers come out, and when it dies or hangs another one
// takes its place.
//
// Requests that a dead thread had are given to the next one, because jobs may be repeated. The one that it
// was working on is likely to have killed it, so that one fails (or is tried once more, if the kind of
// thread says so).

import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import { ClosedError } from '../../storage/index';
import { EngineError } from '../errors';
import { errorFromData } from './errors-as-data';
import {
  cancelRequest,
  newSharedWords,
  WORD,
  type NoticeMessage,
  type RequestMessage,
  type SharedWords,
  type ThreadMessage,
} from './protocol';
import type { CancelSignal, EngineLogger } from '../common/index';
import type { ThreadStats } from '../api/index';

/** Times a request is given to a thread before it fails with the threads that died. */
const MAX_ATTEMPTS = 3;
/** Looks at a thread that has to pass without a sign of life until it counts as stuck. */
const STUCK_LOOKS = 5;
/** How long a thread may take to end after it was told to, in milliseconds. */
const END_MS = 10_000;
/** How often requests that are to be given up are looked at. Milliseconds. */
const CANCEL_LOOK_MS = 5;
/** A thread that lived at least this long is replaced at once; others after a growing pause. Milliseconds. */
const LONG_LIFE_MS = 10_000;
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 2000;
/** So many threads that hung without ending, or died young, one after the other: replacing does not help. */
const MAX_STUCK_IN_A_ROW = 2;
const MAX_DEATHS_IN_A_ROW = 20;

/** 503: threads died over a request, or while it waited. */
export class ThreadDiedError extends EngineError {
  constructor() {
    super('ElasticsearchException', 'the thread that worked on the request died', { status: 503 });
  }
}

interface ThreadOptions {
  /** Shown in logs and statistics. */
  readonly name: string;
  /** Path of the compiled entry point. */
  readonly entry: string;
  /** Plain data that the entry point finds as `workerData.options`. */
  readonly data: object;
  readonly limits: ResourceLimits;
  /** A thread with work that shows no sign of life for this long is replaced. Milliseconds. */
  readonly stuckMs: number;
  /** The request that a dead thread was working on is tried once more, too. */
  readonly repeatsRunning: boolean;
  readonly logger: EngineLogger;
  /** What a request looks like on the wire; called each time one is sent. */
  readonly encode: (kind: string, payload: unknown) => unknown;
  /** Called when the thread may lack what earlier messages told it: `encode` must rely on nothing. */
  readonly forgetSent: () => void;
  readonly onEvent: (event: string, value: unknown) => void;
  /** Is told of each thread that was started; and, when it has ended, that nothing of it runs any more. */
  readonly onStart?: (worker: Worker) => void;
  readonly onEnd?: () => void;
}

interface Pending {
  readonly id: number;
  readonly kind: string;
  readonly payload: unknown;
  attempts: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One running worker. */
interface Incarnation {
  readonly worker: Worker;
  readonly words: SharedWords;
  readonly since: number;
  /** Milliseconds it had worked when it was last asked; a thread that ended cannot be. */
  busyMs: number;
  /** Set when it is meant to end. */
  isEnding: boolean;
  readonly ended: Promise<void>;
}

export class ManagedThread {
  private current: Incarnation | null = null;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private largest = 0;
  private completed = 0;
  private replaced = 0;
  /** Milliseconds that threads worked which are gone. */
  private busyBefore = 0;
  private deathsInARow = 0;
  private restart: NodeJS.Timeout | null = null;
  private watch: NodeJS.Timeout | null = null;
  private lastBeat = 0;
  private quietLooks = 0;
  private stuckInARow = 0;
  private isOpen = false;
  private idle: (() => void)[] = [];

  constructor(private readonly options: ThreadOptions) {}

  /** Starts the thread; requests are refused before. */
  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.start();
  }

  /**
   * Sends a request. An aborted `signal` asks the thread to give it up, which rejects it soon.
   *
   * @throws ClosedError when the thread is not open; ThreadDiedError when it died over the request;
   *         whatever the job threw
   */
  request<T>(kind: string, payload: unknown, signal?: CancelSignal): Promise<T> {
    if (!this.isOpen) return Promise.reject(new ClosedError(`${this.options.name} is closed`));
    return new Promise<T>((resolve, reject) => {
      const id = this.nextId;
      this.nextId = id === 0x7fffffff ? 1 : id + 1;
      const onAbort = () => {
        if (this.current !== null) cancelRequest(this.current.words, id);
      };
      const settled = () => signal?.removeEventListener('abort', onAbort);
      const pending: Pending = {
        id,
        kind,
        payload,
        attempts: 0,
        resolve: (value) => {
          settled();
          resolve(value as T);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      this.pending.set(id, pending);
      if (this.pending.size > this.largest) this.largest = this.pending.size;
      if (this.current !== null) this.send(this.current, pending);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      this.watchOver();
    });
  }

  /**
   * Tells the thread something that needs no answer. What a dead thread misses its successor need not know.
   */
  notify(kind: string, payload: unknown): void {
    const message: NoticeMessage = { id: 0, kind, payload };
    this.current?.worker.postMessage(message);
  }

  stats(): ThreadStats {
    const { largest, completed, replaced } = this;
    const isAnswering =
      this.stuckInARow < MAX_STUCK_IN_A_ROW && this.deathsInARow < MAX_DEATHS_IN_A_ROW;
    const pending = this.pending.size;
    const busyMs = this.busyBefore + busyMsOf(this.current);
    return { name: this.options.name, pending, largest, completed, replaced, busyMs, isAnswering };
  }

  /**
   * Refuses further requests, asks for those that it has to be given up, and fails those not within a
   * while: the thread is ended then. {@link close} has to follow.
   * @param waitMs how long giving up may take, in milliseconds
   */
  async cancelAll(waitMs: number): Promise<void> {
    this.isOpen = false;
    const { current } = this;
    if (current === null || this.pending.size === 0) return;
    for (const id of this.pending.keys()) cancelRequest(current.words, id);
    const ended = [...this.pending.keys()];
    const isOver = (): boolean => !ended.some((id) => this.pending.has(id));
    const deadline = performance.now() + waitMs;
    while (!isOver() && performance.now() < deadline) await sleep(CANCEL_LOOK_MS);
    if (isOver()) return;
    const error = new EngineError('ElasticsearchException', 'the request was cut off', {
      status: 503,
    });
    for (const id of ended) this.settle(id)?.reject(error);
    await current.worker.terminate();
  }

  /** Waits for the requests it has, refuses further ones, and ends the thread. May be opened again. */
  async close(): Promise<void> {
    this.isOpen = false;
    if (this.pending.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
    if (this.restart !== null) clearTimeout(this.restart);
    this.restart = null;
    this.stopWatching();
    const { current } = this;
    if (current === null) return;
    current.isEnding = true;
    this.notify('close', null);
    const timer = setTimeout(() => void current.worker.terminate(), END_MS);
    await current.ended;
    clearTimeout(timer);
  }

  private start(): void {
    this.restart = null;
    const words = newSharedWords();
    const worker = new Worker(this.options.entry, {
      name: this.options.name,
      workerData: { options: this.options.data, words },
      resourceLimits: this.options.limits,
      execArgv: process.execArgv.filter((option) => option === '--enable-source-maps'),
    });
    let end = () => undefined as void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const incarnation: Incarnation = {
      worker,
      words,
      since: performance.now(),
      busyMs: 0,
      isEnding: false,
      ended,
    };
    let failure: unknown = null;
    worker.on('message', (message: ThreadMessage) => this.receive(incarnation, message));
    worker.on('error', (error) => (failure = error));
    worker.on('exit', (code) => {
      end();
      this.exited(incarnation, failure ?? `exit code ${code}`);
    });
    this.current = incarnation;
    this.options.forgetSent();
    this.options.onStart?.(worker);
    for (const pending of this.pending.values()) this.send(incarnation, pending);
  }

  private send({ worker }: Incarnation, pending: Pending): void {
    pending.attempts++;
    const { id, kind } = pending;
    try {
      const payload = this.options.encode(kind, pending.payload);
      const message: RequestMessage = { id, kind, payload };
      worker.postMessage(message);
    } catch (error) {
      this.options.forgetSent();
      this.settle(id)?.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private receive(from: Incarnation, message: ThreadMessage): void {
    if (from !== this.current) return;
    if ('event' in message) {
      this.options.onEvent(message.event, message.value);
      return;
    }
    const pending = this.settle(message.id);
    if (pending === undefined) return;
    this.completed++;
    this.deathsInARow = 0;
    if ('error' in message) pending.reject(errorFromData(message.error));
    else pending.resolve(message.value);
  }

  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    this.stuckInARow = 0;
    if (this.pending.size === 0) {
      this.stopWatching();
      for (const resolve of this.idle.splice(0)) resolve();
    }
    return pending;
  }

  private exited(incarnation: Incarnation, reason: unknown): void {
    if (incarnation !== this.current) return;
    this.options.onEnd?.();
    this.current = null;
    this.busyBefore += incarnation.busyMs;
    if (incarnation.isEnding) return;
    const { name, logger } = this.options;
    logger.error({ thread: name, err: reason }, 'a worker thread died and is replaced');
    this.replaced++;
    const lived = performance.now() - incarnation.since;
    this.deathsInARow = lived < LONG_LIFE_MS ? this.deathsInARow + 1 : 0;
    this.giveUp(Atomics.load(incarnation.words, WORD.running));
    // Whoever waits for the last request closes it.
    if (!this.isOpen && this.pending.size === 0) return;
    const pause =
      this.deathsInARow < 2
        ? 0
        : Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.deathsInARow, 20));
    this.restart = setTimeout(() => this.start(), pause);
  }

  /** Fails what should not be tried again. */
  private giveUp(running: number): void {
    const { repeatsRunning } = this.options;
    for (const { id, attempts, reject } of [...this.pending.values()]) {
      const most = id !== running ? MAX_ATTEMPTS : repeatsRunning ? 2 : 1;
      if (attempts < most) continue;
      this.settle(id);
      reject(new ThreadDiedError());
    }
  }

  private watchOver(): void {
    if (this.watch !== null) return;
    this.quietLooks = 0;
    this.watch = setInterval(() => this.look(), this.options.stuckMs / STUCK_LOOKS);
    this.watch.unref();
  }

  private stopWatching(): void {
    if (this.watch !== null) clearInterval(this.watch);
    this.watch = null;
  }

  /**
   * Several looks, not one: a process that was stopped as a whole finds no beat at its first look, either.
   */
  private look(): void {
    const { current } = this;
    if (current === null) return;
    const beat = Atomics.load(current.words, WORD.beat);
    this.quietLooks = beat === this.lastBeat ? this.quietLooks + 1 : 0;
    if (beat !== this.lastBeat) this.stuckInARow = 0;
    this.lastBeat = beat;
    if (this.quietLooks < STUCK_LOOKS) return;
    this.quietLooks = 0;
    this.stuckInARow++;
    const { name, logger } = this.options;
    logger.error({ thread: name }, 'a worker thread is stuck and is ended');
    void current.worker.terminate();
  }
}

function busyMsOf(incarnation: Incarnation | null): number {
  if (incarnation === null) return 0;
  // Of a thread that is ending it may be less than before, or nothing.
  const { active } = incarnation.worker.performance.eventLoopUtilization();
  incarnation.busyMs = Math.max(incarnation.busyMs, active);
  return incarnation.busyMs;
}
