// A real server in a process of its own, to be killed at will.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNode, type NodeChild } from './child';
import { PATIENCE_MS } from './until';

export { freePort } from '../../scripts/common/client';

/** The compiled program. */
export const MAIN = join(__dirname, '..', '..', 'dist', 'server', 'main.js');

/** An HTTP answer with its body parsed where it is JSON. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

export class ServerProcess {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  private constructor(
    private readonly child: NodeChild,
    readonly port: number,
    private readonly name: string,
    private readonly output: string[],
  ) {}

  /**
   * Starts a server over `dataPath` and waits until it answers.
   * @param flags of Node
   * @param environment in addition to that of the tests
   * @throws Error with the output when it ends.
   */
  static async start(
    dataPath: string,
    port: number,
    settings: readonly string[] = [],
    flags: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ServerProcess> {
    const server = ServerProcess.launch(dataPath, port, settings, flags, environment);
    await server.answers();
    return server;
  }

  /** As `start`, and waits for nothing. */
  static launch(
    dataPath: string,
    port: number,
    settings: readonly string[] = [],
    flags: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): ServerProcess {
    if (!existsSync(MAIN))
      throw new Error('run `npm run build` first: crash tests start the compiled server');
    const name = `test-${randomUUID()}`;
    const args = [
      ...['--port', String(port), '--data', dataPath, '--set', 'logger.level=warn'],
      ...['--set', `node.name=${name}`],
      ...settings.flatMap((setting) => ['--set', setting]),
    ];
    const child = startNode(MAIN, args, undefined, flags, environment);
    const output: string[] = [];
    child.stdout.on('data', (data: Buffer) => output.push(data.toString()));
    child.stderr.on('data', (data: Buffer) => output.push(data.toString()));
    return new ServerProcess(child, port, name, output);
  }

  /** Waits until it answers. @throws Error with the output when it ends. */
  async answers(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await this.isAnswering())) {
      if (performance.now() > deadline)
        throw new Error(`the server does not answer: ${this.log()}`);
      await sleep(15);
    }
  }

  /** Whether it answers already. @throws Error with the output when it ended. */
  async isAnswering(): Promise<boolean> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(`the server ended with ${exitCode ?? signalCode}: ${this.log()}`);
    }
    try {
      // A server of somebody else's tests may have taken the port before ours.
      const { status, body } = await this.send('GET', '/');
      return status === 200 && (body as { name?: string }).name === this.name;
    } catch {
      // Not listening yet.
      return false;
    }
  }

  /** The process. */
  get pid(): number {
    return this.child.pid!;
  }

  /** False once it has ended, however. */
  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * What a module that was loaded into the process (`--require`) answers to a message.
   * @throws Error when the process ends instead
   */
  ask(question: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { child } = this;
      const done = (settle: () => void) => {
        child.off('message', answered).off('exit', ended);
        settle();
      };
      const answered = (answer: unknown) => done(() => resolve(answer));
      const ended = () =>
        done(() => reject(new Error(`the server ended: ${this.log().slice(-500)}`)));
      child.once('message', answered).once('exit', ended);
      child.send(question, (error) => {
        if (error !== null) ended();
      });
    });
  }

  /** Sends a request; rejects when the connection breaks. */
  send(method: string, path: string, body?: string | object): Promise<HttpAnswer> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    // Node says the length of a body only for methods that usually have one; without it GET's would be stray.
    const headers = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { host: '127.0.0.1', port: this.port, method, path, headers, agent: this.agent },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
            const answer = Buffer.concat(parts).toString();
            const isJson = (response.headers['content-type'] ?? '').includes('json');
            resolve({
              status: response.statusCode ?? 0,
              body: isJson && answer !== '' ? (JSON.parse(answer) as unknown) : answer,
            });
          });
        },
      );
      request.on('error', reject);
      request.end(text);
    });
  }

  /** SIGKILL: no chance to say goodbye. */
  async kill(): Promise<void> {
    this.agent.destroy();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
  }

  /** SIGTERM; returns the exit code. */
  async stop(): Promise<number | null> {
    this.agent.destroy();
    if (this.child.exitCode !== null) return this.child.exitCode;
    this.child.kill('SIGTERM');
    const [code] = (await once(this.child, 'exit')) as [number | null];
    return code;
  }

  /** Everything the server printed so far. */
  log(): string {
    return this.output.join('');
  }
}
