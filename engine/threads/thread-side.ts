// The frame of a worker thread: takes requests from main, answers them, shows that it is alive, and ends when
// it is told to.

import { parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import { errorToData } from './errors-as-data';
import {
  isCancelled,
  WORD,
  type NoticeMessage,
  type RequestMessage,
  type SharedWords,
  type ThreadMessage,
} from './protocol';

/** How often a thread shows that its event loop turns, in milliseconds. */
const BEAT_MS = 500;

/** A request as the code that serves it sees it. */
export interface ThreadRequest {
  /** Nobody wants the answer any more. */
  isCancelled(): boolean;
  /** Notes that the thread is working on the request, so that it is known what it died over. */
  touch(): void;
}

/** What a kind of thread does. */
interface ThreadService {
  /** Answers a request; what it throws or rejects with is the answer, too. */
  serve(kind: string, payload: unknown, request: ThreadRequest): Promise<unknown>;
  notice(kind: string, payload: unknown): void;
  /** Gives back what was opened; all requests have been answered. */
  close(): Promise<void>;
}

/** An answer whose buffers are moved instead of copied. */
export class Transferred {
  constructor(
    readonly value: unknown,
    readonly buffers: readonly ArrayBuffer[],
  ) {}
}

/** What main passed to the thread. */
export function threadOptions<T>(): T {
  return (workerData as { options: T }).options;
}

/** Tells main something. */
export function tellMain(
  event: string,
  value: unknown,
  moved: readonly TransferListItem[] = [],
): void {
  post({ id: 0, event, value }, moved);
}

/** Serves main until it says `close`. */
export function serveMain(service: ThreadService): void {
  const port = parentPort!;
  const { words } = workerData as { words: SharedWords };
  let running = 0;
  let whenIdle: (() => void) | null = null;
  const beat = setInterval(() => Atomics.add(words, WORD.beat, 1), BEAT_MS);
  const answer = async ({ id, kind, payload }: RequestMessage): Promise<void> => {
    running++;
    const request: ThreadRequest = {
      isCancelled: () => isCancelled(words, id),
      touch: () => void Atomics.store(words, WORD.running, id),
    };
    try {
      request.touch();
      const value = await service.serve(kind, payload, request);
      if (value instanceof Transferred) post({ id, value: value.value }, value.buffers);
      else post({ id, value });
    } catch (error) {
      post({ id, error: errorToData(error) });
    }
    Atomics.compareExchange(words, WORD.running, id, 0);
    running--;
    if (running === 0) whenIdle?.();
  };
  const end = async (): Promise<void> => {
    if (running > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    clearInterval(beat);
    await service.close();
    port.close();
  };
  port.on('message', (message: RequestMessage | NoticeMessage) => {
    if (message.id !== 0) void answer(message);
    else if (message.kind === 'close') void end();
    else service.notice(message.kind, message.payload);
  });
}

function post(message: ThreadMessage, moved: readonly TransferListItem[] = []): void {
  parentPort!.postMessage(message, moved);
}
