// A connection between two threads: a stream over a message port, with the few methods of a socket that
// node:http asks for. Bytes are moved, not copied twice; whoever reads slowly holds up whoever writes.

import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** Bytes that may be under way before the writer waits. */
const MOST_UNDER_WAY = 256 * 1024;
/** Bytes that are read before the other end is told. */
const TOLD_EVERY = MOST_UNDER_WAY / 4;

/** What one end says to the other. */
type ChannelMessage =
  | { readonly data: Uint8Array }
  /** So many bytes have been read. */
  | { readonly read: number }
  | { readonly end: true };

/** One end of a connection between threads. */
export class ChannelStream extends Duplex {
  /** Bytes sent and not known to have been read. */
  private underWay = 0;
  private onRead: (() => void) | null = null;
  /** Bytes read that the other end was not told of. */
  private untold = 0;
  /** Bytes that wait to be asked for. */
  private waiting = 0;
  private hasEnded = false;

  constructor(private readonly port: MessagePort) {
    super({ allowHalfOpen: true });
    port.on('message', (message: ChannelMessage) => this.receive(message));
    port.on('close', () => {
      if (!this.hasEnded) this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      else this.destroy();
    });
  }

  /** Time limits are those of the client's connection. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** As of sockets: after what was written. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }

  override _read(): void {
    this.untold += this.waiting;
    this.waiting = 0;
    if (this.untold < TOLD_EVERY) return;
    this.send({ read: this.untold });
    this.untold = 0;
  }

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.sendBytes(Uint8Array.prototype.slice.call(chunk), callback);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], callback: () => void): void {
    const length = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
    const joined = new Uint8Array(length);
    let at = 0;
    for (const { chunk } of chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    this.sendBytes(joined, callback);
  }

  override _final(callback: () => void): void {
    this.send({ end: true });
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.port.close();
    callback(error);
  }

  private receive(message: ChannelMessage): void {
    if ('data' in message) {
      const { buffer, byteOffset, byteLength } = message.data;
      this.waiting += byteLength;
      if (this.push(Buffer.from(buffer, byteOffset, byteLength))) this._read();
    } else if ('read' in message) {
      this.underWay -= message.read;
      const { onRead } = this;
      if (onRead === null || this.underWay > MOST_UNDER_WAY) return;
      this.onRead = null;
      onRead();
    } else {
      this.hasEnded = true;
      this.push(null);
    }
  }

  private sendBytes(data: Uint8Array, callback: () => void): void {
    this.underWay += data.length;
    this.send({ data }, [data.buffer as ArrayBuffer]);
    if (this.underWay <= MOST_UNDER_WAY) callback();
    else this.onRead = callback;
  }

  private send(message: ChannelMessage, moved: readonly ArrayBuffer[] = []): void {
    this.port.postMessage(message, moved);
  }
}
