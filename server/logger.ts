// Structured logging: JSON lines, or readable lines on a terminal. Never bodies, never credentials.

import { pino } from 'pino';
import pretty from 'pino-pretty';
import type { EngineLogger } from '../engine/index';

/** What the server logs with; a logger without `isLevelEnabled` is asked to log everything. */
export interface Logger extends EngineLogger {
  isLevelEnabled?(level: string): boolean;
}

/** A logger whose least severe level can be changed. */
export interface AdjustableLogger extends Logger {
  level: string;
}

/** A logger that writes to standard output. */
export function createLogger(level: string): AdjustableLogger {
  const options = { level, base: { pid: process.pid } };
  return process.stdout.isTTY ? pino(options, pretty({ colorize: true })) : pino(options);
}
