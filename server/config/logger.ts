// Structured logging: JSON lines, or readable lines on a terminal. Never bodies, never credentials.

import { pino } from 'pino';
import pretty from 'pino-pretty';
import type { EngineLogger, SlowLogger } from '../../engine/index';

/** What the server logs with; a logger without `isLevelEnabled` is asked to log everything. */
export interface Logger extends EngineLogger {
  isLevelEnabled?(level: string): boolean;
}

/** A logger whose least severe level can be changed. */
export interface AdjustableLogger extends Logger {
  level: string;
}

/** A logger that writes to standard output. */
export function createLogger(level: string): AdjustableLogger & SlowLogger {
  const options = { level, base: { pid: process.pid } };
  return process.stdout.isTTY ? pino(options, pretty({ colorize: true })) : pino(options);
}

/** A logger for slow logs: their thresholds alone decide what is logged, not the level of the node's log. */
export function createSlowLogger(level: string): SlowLogger {
  return createLogger(level === 'silent' ? level : 'trace');
}
