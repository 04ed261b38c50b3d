// Generated document ids: 20 characters of URL-safe base64, ordered by time, unique in this process and,
// with the random node part, between processes.

import { randomBytes } from 'node:crypto';

const nodePart = randomBytes(6);
let counter = randomBytes(3).readUIntBE(0, 3);
let lastMs = 0;

/** A new id: 6 bytes of milliseconds, 6 bytes that name the process, 3 bytes counted up. */
export function generateId(now: number = Date.now()): string {
  // The clock may step back; ids must not repeat when the counter wraps in that time.
  lastMs = Math.max(lastMs, now);
  counter = (counter + 1) & 0xffffff;
  if (counter === 0) lastMs++;
  const bytes = Buffer.allocUnsafe(15);
  bytes.writeUIntBE(lastMs, 0, 6);
  nodePart.copy(bytes, 6);
  bytes.writeUIntBE(counter, 12, 3);
  return bytes.toString('base64url');
}
