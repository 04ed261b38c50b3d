// What the process and the machine say of themselves, measured when asked.

import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { cpus, freemem, loadavg, totalmem, uptime } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Anonymous resident memory in bytes: without mapped files, which the system may take back. */
export function residentAnonymousBytes(): number {
  try {
    const match = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (match !== null) return Number(match[1]) * 1024;
  } catch {
    // Not Linux.
  }
  return process.memoryUsage.rss();
}

/** Open file descriptors; -1 where the system does not tell. */
export function openFileDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return -1;
  }
}

/** Most file descriptors the process may have; -1 where the system does not tell. */
export function maxFileDescriptors(): number {
  try {
    const match = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return match === null ? -1 : Number(match[1]);
  } catch {
    return -1;
  }
}

/**
 * Memory that the process and its children may take, as the service manager or container says; null: no
 * limit.
 */
export function memoryLimit(): number | null {
  try {
    const [, group = '/'] = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
    const text = readFileSync(`/sys/fs/cgroup${group}/memory.max`, 'utf8').trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

/** Size of the file system that holds `path`. Bytes. */
export function diskSpace(path: string): { total: number; free: number; available: number } {
  const { blocks, bfree, bavail, bsize } = statfsSync(path);
  return { total: blocks * bsize, free: bfree * bsize, available: bavail * bsize };
}

let lastCpu = { at: performance.now(), used: process.cpuUsage() };
let lastPercent = 0;

/** Share of all processors used since the last time it was asked for, in percent. */
export function cpuPercent(): number {
  const now = performance.now();
  const elapsedUs = (now - lastCpu.at) * 1000;
  if (elapsedUs > 100_000) {
    const used = process.cpuUsage();
    const spent = used.user + used.system - lastCpu.used.user - lastCpu.used.system;
    lastPercent = Math.round((100 * spent) / elapsedUs / cpus().length);
    lastCpu = { at: now, used };
  }
  return lastPercent;
}

/** Memory of the main thread's heap and of the process. Bytes. */
export function heapUsage() {
  const { heapUsed, heapTotal, external, arrayBuffers, rss } = process.memoryUsage();
  const { heap_size_limit: heapMax } = getHeapStatistics();
  return { heapUsed, heapTotal, heapMax, external, arrayBuffers, rss };
}

/** Memory and load of the machine. */
export function machineStats() {
  const total = totalmem();
  const free = freemem();
  return {
    uptimeMs: Math.round(uptime() * 1000),
    load: loadavg(),
    total,
    free,
    usedPercent: Math.round((1 - free / total) * 100),
    processors: cpus().length,
  };
}
