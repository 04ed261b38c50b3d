// What is done with bodies that nobody is going to read, because the request has been refused, and with those
// that have not been sent yet.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerSettings } from '../config/index';

/** A client that has sent nothing for so long waits for the answer. */
const QUIET_MS = 500;

/** Requests whose client has been told to send the body. */
const told = new WeakSet<IncomingMessage>();

/** Whether the client waits for a word before it sends the body (`Expect: 100-continue`). */
export function expectsContinue(request: IncomingMessage): boolean {
  const { expect } = request.headers;
  if (expect?.toLowerCase() !== '100-continue') return false;
  return request.httpVersionMinor > 0 && !told.has(request);
}

/** Has the client send the body. */
export function wantBody(request: IncomingMessage, response: ServerResponse): void {
  told.add(request);
  response.writeContinue();
}

/** The most that is read and dropped of a refused body, in bytes. */
export function mostDropped({ maxContentLength, maxBulkLength }: ServerSettings): number {
  return Math.max(maxContentLength, maxBulkLength);
}

/**
 * Reads and drops what there still is of a body: a connection closed over unread bytes is reset, and the
 * answer lost with it. Ends before the body does when more than `most` bytes came, or none for a while.
 *
 * @returns false when the client has gone
 */
export function restIsRead(request: IncomingMessage, most: number): Promise<boolean> {
  return new Promise((resolve) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    // A client that was not told to send the body has the answer instead.
    const isOver = request.complete || request.destroyed || expectsContinue(request);
    if (isOver || announced > most) {
      return resolve(!request.destroyed);
    }
    let read = 0;
    const end = (): void => {
      clearTimeout(quiet);
      resolve(request.complete || !request.destroyed);
    };
    const quiet = setTimeout(end, QUIET_MS);
    request.on('data', ({ length }: Buffer) => {
      quiet.refresh();
      read += length;
      if (read > most) end();
    });
    request.once('end', end).once('close', end).once('error', end).resume();
  });
}
