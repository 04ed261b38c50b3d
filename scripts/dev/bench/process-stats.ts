// What a process costs, from the files of /proc: CPU time of all its threads, resident memory without mapped
// files; and the size of a folder. On other systems there are no statistics.

import { readdirSync, readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const MICROSECONDS_PER_TICK = 10_000;

/** Adds up the CPU time of a process, threads that come and go included. */
export class CpuRecorder {
  private readonly threads = new Map<string, number>();
  private total = 0;

  /** @param pid null: every reading is NaN */
  constructor(private readonly pid: number | null) {}

  /** CPU time since the first reading, in µs; NaN where it is not to be had. */
  read(): number {
    if (this.pid === null) return NaN;
    const folder = `/proc/${this.pid}/task`;
    let names: string[];
    try {
      names = readdirSync(folder);
    } catch {
      return NaN;
    }
    for (const thread of names) {
      const now = threadMicroseconds(`${folder}/${thread}`);
      if (Number.isNaN(now)) continue;
      this.total += now - (this.threads.get(thread) ?? 0);
      this.threads.set(thread, now);
    }
    return this.total;
  }
}

/** The scheduler's own figure where the kernel keeps it, else clock ticks. */
function threadMicroseconds(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]) / 1000;
  } catch {
    return ticks(folder);
  }
}

function ticks(folder: string): number {
  try {
    const stat = readFileSync(`${folder}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
  } catch {
    return NaN;
  }
}

/** Resident memory that is not a mapped file, in bytes; NaN where it is not to be had. */
export function anonymousMemory(pid: number | null): number {
  if (pid === null) return NaN;
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return kilobytes === null ? NaN : Number(kilobytes[1]) * 1024;
  } catch {
    return NaN;
  }
}

/** Bytes that the files below a folder take up on disk. */
export async function diskUse(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    try {
      bytes += (await lstat(join(entry.parentPath, entry.name))).blocks * 512;
    } catch {
      // Removed since the folder was read.
    }
  }
  return bytes;
}
