// What is done with bodies that nobody is going to read, because the request has been refused.

import type { IncomingMessage } from 'node:http';

/** A client that has sent nothing for so long waits for the answer. */
const QUIET_MS = 500;

/**
 * Reads and drops what there still is of a body: a connection closed over unread bytes is reset, and the
 * answer lost with it. Ends before the body does when more than `most` bytes came, or none for a while.
 *
 * @returns false when the client has gone
 */
export function restIsRead(request: IncomingMessage, most: number): Promise<boolean> {
  return new Promise((resolve) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (request.complete || request.destroyed || announced > most) {
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
