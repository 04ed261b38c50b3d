// A server under measurement: its connections, its process, and, if we started it, its life.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type RunningServer } from '../../common/client';
import { compiledProgram } from '../../common/package-folder';
import { Connection, type BenchAnswer } from './connection';
import { CpuRecorder, diskUse } from './process-stats';
import type { LoopDelay } from './probe';
import type { BenchRequest } from './workload';

const PROBE = compiledProgram('scripts/dev/bench/probe');

/** A server that requests are sent to. */
export class Target {
  readonly cpu: CpuRecorder;
  private readonly connections: Connection[] = [];

  constructor(
    readonly label: string,
    readonly url: string,
    readonly pid: number | null,
    private readonly dataFolder: string | null,
  ) {
    this.cpu = new CpuRecorder(pid);
  }

  /** `count` connections, opened when needed: servers close those that rest for long. */
  async connect(count: number): Promise<readonly Connection[]> {
    const { connections } = this;
    for (let i = 0; i < count; i++) {
      if (connections[i]?.isOpen !== true) connections[i] = await Connection.open(this.url);
    }
    return connections.slice(0, count);
  }

  /** Sends one request on the first connection. */
  async send(request: BenchRequest): Promise<BenchAnswer> {
    const [first] = await this.connect(1);
    return first!.send(request);
  }

  /** Bytes on disk; NaN when it is not known where. */
  async disk(): Promise<number> {
    return this.dataFolder === null ? NaN : diskUse(this.dataFolder);
  }

  close(): void {
    for (const connection of this.connections) connection.close();
    this.connections.length = 0;
  }
}

/** A server of our own over a temporary folder, with a probe in its process. */
export class OwnServer {
  private constructor(
    private readonly folder: string,
    private readonly settings: readonly string[],
    private running: RunningServer,
  ) {}

  static async start(settings: readonly string[]): Promise<OwnServer> {
    const folder = await mkdtemp(join(tmpdir(), 'facetd-bench-'));
    return new OwnServer(folder, settings, await launch(folder, settings));
  }

  /** The running process as a target. */
  target(): Target {
    const { client, process } = this.running;
    return new Target('facetd', client.url, process.pid ?? null, this.folder);
  }

  /** Delays of the main thread since the last call. */
  loopDelay(): Promise<LoopDelay> {
    const { process } = this.running;
    return new Promise((resolve) => {
      process.once('message', (delay) => resolve(delay as LoopDelay));
      process.send('loop delay');
    });
  }

  /** Stops the process and starts it again over the same data. @returns ms from start to the first answer */
  async restart(firstRequest: BenchRequest): Promise<number> {
    await this.running.stop();
    const started = performance.now();
    this.running = await launch(this.folder, this.settings);
    const target = this.target();
    try {
      const { status } = await target.send(firstRequest);
      if (status !== 200) throw new Error(`first request after the restart: ${status}`);
      return performance.now() - started;
    } finally {
      target.close();
    }
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function launch(folder: string, settings: readonly string[]): Promise<RunningServer> {
  return startServer(join(folder, 'data'), settings, ['--require', PROBE]);
}
