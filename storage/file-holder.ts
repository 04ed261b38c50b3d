// Which process has a file or a socket open, where /proc can tell: for messages to the operator only.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { LockedError } from './errors';

/** Characters of a command line that are shown. */
const LONGEST_COMMAND = 120;

/** A process, for the operator. */
export interface FileHolder {
  readonly pid: number;
  /** Its command line, on one line. */
  readonly command: string;
}

/**
 * Another process that has something open, by what /proc says of its files: a path, or `socket:[inode]`.
 *
 * @returns null when there is none, there is no /proc, or only another user may look
 */
export function fileHolder(target: string): FileHolder | null {
  for (const name of namesIn('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const folder = `/proc/${name}/fd`;
    if (namesIn(folder).some((fd) => linkOf(`${folder}/${fd}`) === target)) {
      return { pid, command: commandOf(name) };
    }
  }
  return null;
}

/** ` (process 12: node main.js)`, or nothing when it is not known. */
export function holderText(holder: FileHolder | null): string {
  return holder === null ? '' : ` (process ${holder.pid}: ${holder.command})`;
}

/** Says that the database in `path` is in use, by whom where that is known, and what to do. */
export function databaseInUse(path: string, cause?: unknown): LockedError {
  const holder = holderText(fileHolder(join(path, 'LOCK')));
  return new LockedError(
    `the data folder is in use, another process has ${path} open${holder}: ` +
      'stop that one first, or name another folder (--data FOLDER, setting path.data)',
    cause,
  );
}

/** Processes come and go meanwhile. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function commandOf(pid: string): string {
  let words = '';
  try {
    words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Gone.
  }
  // Whoever started it chose the words.
  const text = words.replace(/[^\x20-\x7e]+/g, ' ').trim();
  return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text || 'unknown';
}
