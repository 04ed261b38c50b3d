// The frame of a thread that reads: takes its port from main, and serves what the program that runs on it
// serves.

import type { CacheStats } from './common/index';
import { ReaderEngine } from './reader-engine';
import { ReaderNode, type ReaderNodeOptions } from './reader-node';
import type { ReaderPort } from './readers/index';
import type { SlowLogger } from './shard/index';
import { serveMain, tellMain, threadOptions } from './threads/index';

/** What main passes to a thread. */
export interface ReaderThreadData extends ReaderNodeOptions {
  /** For the program that runs on it. */
  readonly data: object;
}

/** Notice that brings the port. */
export const ATTACH = 'attach';
/** Requests about what the thread keeps in memory for searches; those of programs have other names. */
export const CACHES = 'caches';
export const CACHE_STATS = 'cacheStatsByKind';

/** What a program does on a thread that reads. */
export interface ReaderProgram {
  /** Answers a request of whoever started the thread. */
  serve(kind: string, payload: unknown): Promise<unknown>;
  /** Gives back what would keep the thread from ending. */
  close(): Promise<void>;
}

/** What a program has of its thread. */
export interface ReaderFrame<T> {
  readonly engine: ReaderEngine;
  readonly data: T;
  readonly tellMain: typeof tellMain;
}

/**
 * Runs a program on this thread.
 * @param start is called once, before anything can be read
 */
export function runReaderThread<T extends object>(
  slowLogger: (data: T) => SlowLogger,
  start: (frame: ReaderFrame<T>) => ReaderProgram,
): void {
  const options = threadOptions<ReaderThreadData>();
  const data = options.data as T;
  const running = { node: null as ReaderNode | null, program: null as ReaderProgram | null };
  serveMain({
    serve: async (kind, payload) => {
      const { node, program } = running;
      switch (kind) {
        case CACHES:
          return node === null || node.gate.isClosed ? NO_CACHES : node.local.caches();
        case CACHE_STATS:
          return node === null || node.gate.isClosed
            ? { kinds: new Map(), limitBytes: options.cacheBytes }
            : node.local.cacheStatsByKind();
        default:
          return program!.serve(kind, payload);
      }
    },
    notice: (_kind, payload) => {
      const node = new ReaderNode(options, payload as ReaderPort, slowLogger(data));
      running.node = node;
      running.program = start({ engine: new ReaderEngine(node, options), data, tellMain });
    },
    close: async () => {
      await running.program?.close();
      await running.node?.close();
    },
  });
}

const NO_CACHES: CacheStats = { kinds: new Map(), bytes: new Map(), columns: new Map() };
