// The end of a body that is taken while it comes, piece by piece: nothing more is read from the connection
// than was asked for, so that a client sends as fast as its bytes are used.

import type { Readable } from 'node:stream';
import type { EngineError } from '../../engine/index';

/** What follows the beginning of a body. Must be taken to its end, or closed. */
export class RestOfBody {
  private readonly arrived: Buffer[] = [];
  private isOver = false;
  private failed: EngineError | null = null;
  private wake: (() => void) | null = null;

  /**
   * @param stream paused
   * @param size bytes that came before
   * @param refuse what is wrong with a body of so many bytes, if anything
   * @param failure what it is when the stream breaks off
   * @param release lets go of the stream
   */
  constructor(
    private readonly stream: Readable,
    private size: number,
    private readonly refuse: (size: number) => EngineError | null,
    failure: () => EngineError,
    private readonly release: () => void,
  ) {
    stream.on('data', this.take);
    stream.on('end', () => this.end(null));
    for (const event of ['error', 'aborted', 'close']) {
      stream.on(event, () => {
        if (!stream.readableEnded) this.end(failure());
      });
    }
  }

  /**
   * The next piece; null at the end.
   *
   * @throws EngineError ContentTooLargeException (413) past the limit, 400 when the body is damaged or the
   *         client has gone
   */
  async next(): Promise<Buffer | null> {
    for (;;) {
      const piece = this.arrived.shift();
      if (piece !== undefined) return piece;
      if (this.failed !== null) throw this.failed;
      if (this.isOver) return null;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        this.stream.resume();
      });
    }
  }

  /** Lets the rest be read and dropped. */
  close(): void {
    this.isOver = true;
    this.arrived.length = 0;
    this.stream.off('data', this.take);
    this.release();
    this.stream.resume();
  }

  private readonly take = (chunk: Buffer): void => {
    this.size += chunk.length;
    const refusal = this.refuse(this.size);
    if (refusal !== null) return this.end(refusal);
    this.arrived.push(chunk);
    this.stream.pause();
    this.wakeUp();
  };

  private end(failure: EngineError | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failed = failure;
    this.stream.off('data', this.take);
    this.release();
    this.wakeUp();
  }

  private wakeUp(): void {
    this.wake?.();
    this.wake = null;
  }
}
