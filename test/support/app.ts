// The HTTP application over a real engine in a temporary folder, for supertest.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { openEngine, type Engine } from '../../engine/index';
import { createApp } from '../../server/http/app';
import type { ServerSettings } from '../../server/config/config';
import { createLogger } from '../../server/config/logger';
import { testSettings } from './settings';
import { TEST_THREADS, TEST_WORKERS } from './workers';

export interface TestApp {
  readonly handler: Express;
  readonly engine: Engine;
  /** Closes the engine and opens another over the same data. */
  restart(): Promise<TestApp>;
  /** Closes the engine and removes its data. */
  close(): Promise<void>;
}

/** An application with settings given as `--set name=value` would. */
export async function createTestApp(
  values: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'facetd-app-'));
  const settings = testSettings({
    'path.data': join(folder, 'data'),
    'path.repo': join(folder, 'repo'),
    'node.workers': String(TEST_WORKERS),
    ...values,
  });
  return open(folder, settings);
}

async function open(folder: string, settings: ServerSettings): Promise<TestApp> {
  const engine = await openEngine({ settings: settings.node, threads: TEST_THREADS });
  return {
    handler: createApp(engine, settings, createLogger('silent')),
    engine,
    async restart() {
      await engine.close();
      return open(folder, settings);
    },
    async close() {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
