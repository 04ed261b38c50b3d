// Who besides its owner may read or write a file, by the bits of its mode. Where there are no such bits
// (Windows) nobody is said to.

import { constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

const ANY_OF_OTHERS = 0o077;
const WRITTEN_BY_ALL = 0o002;
const STICKY = 0o1000;

function modeOf(path: string): number {
  return process.getuid === undefined ? 0 : statSync(path).mode;
}

/** Whether somebody else than its owner may do anything with a file. @throws ErrnoException */
export function isOpenToOthers(path: string): boolean {
  return (modeOf(path) & ANY_OF_OTHERS) !== 0;
}

/**
 * Whether every user may write a file, or put another one in its place. Devices such as `/dev/null` hold
 * nothing that was written.
 *
 * @throws ErrnoException
 */
export function isWrittenByAll(path: string): boolean {
  const mode = modeOf(path);
  if ((mode & constants.S_IFMT) === constants.S_IFCHR) return false;
  if ((mode & WRITTEN_BY_ALL) !== 0) return true;
  const folder = modeOf(dirname(path));
  return (folder & WRITTEN_BY_ALL) !== 0 && (folder & STICKY) === 0;
}
