// Requests that a client sends on one connection without waiting for the answers. Node hands over all that a
// chunk of 64 KB holds at once, thousands of them; here they wait for their turn, and the connection is read
// no further before some are answered. Answers leave in the order of their requests: node:http sees to that.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Longest stretch of starting requests before other connections get a turn, in milliseconds. */
const SLICE_MS = 3;
/** Most requests that are started in one turn of the event loop. */
const STARTS = 64;
/** Requests of all connections that may wait; one takes about 1.5 KB. */
const MOST_WAITING = 32_768;

/** What has been read of one connection and is not answered yet. */
class Pipeline {
  /** Responses under way and waiting, in the order of their requests; gone from here when they are closed. */
  readonly unanswered = new Set<ServerResponse>();
  /** The requests among them that have not been started. */
  readonly waiting: ServerResponse[] = [];
  /** How many of `waiting` have been started since the list was empty. */
  taken = 0;
  /** Nothing is read from the connection. */
  isHeld = false;
  /** A time limit passed while nothing was read, which says nothing about the client. */
  isOverdue = false;
  /** Runs from the end of such a hold until the next request. */
  timer: NodeJS.Timeout | null = null;

  get hasWaiting(): boolean {
    return this.taken < this.waiting.length;
  }

  get underWay(): number {
    return this.unanswered.size - (this.waiting.length - this.taken);
  }

  take(): ServerResponse {
    const response = this.waiting[this.taken++]!;
    if (!this.hasWaiting) this.waiting.length = this.taken = 0;
    return response;
  }
}

/** What the pipelines of a server go by. */
export interface PipelineOptions {
  /** Requests of one connection that may be unanswered before no more is read from it; at least 1. */
  readonly most: number;
  /** A connection that moves no byte of a finished answer for so long is ended. */
  readonly sendTimeoutMs: number;
  /** How long a client may take to send a request. */
  readonly requestTimeoutMs: number;
  readonly start: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called when a client was too slow after all. */
  readonly expire: (socket: Socket) => void;
}

/** The pipelines of a server. */
export class Pipelines {
  private readonly pipelines = new Map<Socket, Pipeline>();
  /** Those that have a request to start and may. */
  private readonly ready = new Set<Pipeline>();
  private waiting = 0;
  private isScheduled = false;
  private turnEnd = 0;
  private readonly limitSending: (this: ServerResponse) => void;
  private readonly step = () => this.startOne();

  constructor(private readonly options: PipelineOptions) {
    const { sendTimeoutMs } = options;
    // A client that does not read the answer is disconnected; progress restarts the timer. (Before the answer
    // the connection is silent for as long as the request takes.) An answer behind others has no socket yet.
    this.limitSending = function () {
      this.socket?.setTimeout(sendTimeoutMs);
    };
  }

  /** To be called for each new connection. */
  open(socket: Socket): void {
    const pipeline = new Pipeline();
    this.pipelines.set(socket, pipeline);
    socket.once('close', () => this.abandon(socket, pipeline));
    socket.on('resume', () => {
      // Whoever reads a body resumes its connection.
      if (pipeline.isHeld) socket.pause();
    });
  }

  /** Takes a request: it is started now, or in its turn when others of its connection are unanswered. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const pipeline = this.pipelines.get(socket);
    // A connection that has been ended may still have requests in its last chunk.
    if (pipeline === undefined || socket.destroyed) return close(response);
    const isAlone = pipeline.unanswered.size === 0;
    pipeline.unanswered.add(response);
    response.on('prefinish', this.limitSending);
    if (pipeline.timer !== null) stopTimer(pipeline);
    if (isAlone) {
      this.options.start(request, response);
      return;
    }
    pipeline.waiting.push(response);
    this.waiting++;
    if (this.waiting > MOST_WAITING) {
      socket.destroy();
      return;
    }
    if (!pipeline.isHeld && pipeline.unanswered.size > this.options.most) {
      pipeline.isHeld = true;
      socket.pause();
    }
    this.letStart(pipeline);
  }

  /** To be called when a response is closed. */
  end(response: ServerResponse): void {
    const { socket } = response.req;
    const pipeline = this.pipelines.get(socket);
    if (pipeline === undefined || !pipeline.unanswered.delete(response)) return;
    if (pipeline.unanswered.size === 0) return;
    // The next answer has the connection now. It may be complete, or take as long as it takes.
    const [next] = pipeline.unanswered;
    socket.setTimeout(next!.writableEnded ? this.options.sendTimeoutMs : 0);
    this.letStart(pipeline);
    if (pipeline.isHeld && pipeline.unanswered.size <= this.options.most) {
      this.release(socket, pipeline);
    }
  }

  /** Whether a request that was late may have been so because nothing was read of its connection. */
  excuses(socket: Socket): boolean {
    const pipeline = this.pipelines.get(socket);
    if (pipeline?.isHeld !== true) return false;
    pipeline.isOverdue = true;
    return true;
  }

  private release(socket: Socket, pipeline: Pipeline): void {
    pipeline.isHeld = false;
    if (pipeline.isOverdue) {
      // Node has stopped looking at the request that is half read.
      pipeline.isOverdue = false;
      pipeline.timer = setTimeout(
        () => this.options.expire(socket),
        this.options.requestTimeoutMs,
      ).unref();
    }
    socket.resume();
  }

  private letStart(pipeline: Pipeline): void {
    if (!pipeline.hasWaiting || pipeline.underWay >= this.options.most) return;
    this.ready.add(pipeline);
    this.schedule();
  }

  /**
   * What a request does before it first waits for something, microtasks included, is done between two
   * callbacks of the same turn: each is asked anew whether there is time left.
   */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.turnEnd = performance.now() + SLICE_MS;
    });
    for (let n = Math.min(STARTS, this.waiting); n > 0; n--) setImmediate(this.step);
    setImmediate(() => {
      this.isScheduled = false;
      if (this.ready.size > 0) this.schedule();
    });
  }

  private startOne(): void {
    if (performance.now() >= this.turnEnd) return;
    const [pipeline] = this.ready;
    if (pipeline === undefined) return;
    // Behind the other connections.
    this.ready.delete(pipeline);
    const response = pipeline.take();
    this.waiting--;
    if (pipeline.hasWaiting && pipeline.underWay < this.options.most) this.ready.add(pipeline);
    this.options.start(response.req, response);
  }

  /** Node closes the response that had the connection, and knows nothing of those behind it. */
  private abandon(socket: Socket, pipeline: Pipeline): void {
    this.pipelines.delete(socket);
    this.ready.delete(pipeline);
    this.waiting -= pipeline.waiting.length - pipeline.taken;
    stopTimer(pipeline);
    for (const response of pipeline.unanswered) {
      if (response.socket === null) close(response);
    }
  }
}

/** Of a response that will never have the connection. */
function close(response: ServerResponse): void {
  response.destroy();
  response.emit('close');
}

function stopTimer(pipeline: Pipeline): void {
  if (pipeline.timer !== null) clearTimeout(pipeline.timer);
  pipeline.timer = null;
}
