// The HTTP application over an engine that is not there, for tests of what the server does by itself.

import type { IndexRequest, SearchEngine } from '../../engine/index';
import { createApp } from '../../server/http/app';
import type { Logger } from '../../server/config/logger';
import { fakeEngine } from './fake-engine';
import { testSettings } from './settings';

/** A line of the log. */
export interface LogLine {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** A logger that keeps its lines. */
export function recordingLogger(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: fields as Record<string, unknown>, message });
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    isLevelEnabled: () => true,
  };
}

/** The HTTP application over an engine that has only the given methods. */
export function fakeApp(
  engine: Partial<SearchEngine> = {},
  settings: Record<string, string> = {},
  log: LogLine[] = [],
) {
  return createApp(fakeEngine(engine), testSettings(settings), recordingLogger(log));
}

/** An engine that remembers the documents it was given. */
export function indexing(sources: Buffer[]): Partial<SearchEngine> {
  return {
    index: (wanted: IndexRequest) => {
      sources.push(wanted.source);
      const { index, type } = wanted;
      return Promise.resolve({ index, type, id: wanted.id ?? 'auto', version: 1, created: true });
    },
  };
}
