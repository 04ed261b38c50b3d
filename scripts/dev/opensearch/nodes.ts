// Nodes of OpenSearch as processes of this machine, to be killed at will. They end with the process that
// started them.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../common/client';

/** How nodes are started. */
export interface NodesOptions {
  /** The folder of the server (distribution.ts). */
  readonly home: string;
  /** Where data, configuration and logs go. */
  readonly folder: string;
  /** Ports for HTTP, one for each node; left out: free ones. */
  readonly ports?: readonly number[];
  readonly count: number;
  /** Java heap of each. */
  readonly heap: string;
}

interface OneNode {
  readonly name: string;
  readonly http: number;
  readonly transport: number;
  process: ChildProcess | null;
}

/** Kills the server when the process that started it is gone, or closes the pipe. */
const GUARD = '"$@" & pid=$!; cat > /dev/null; kill -9 $pid; wait $pid';

const PATIENCE_MS = 300_000;

/** A cluster. */
export class OpenSearchNodes {
  private constructor(
    private readonly options: NodesOptions,
    private readonly nodes: readonly OneNode[],
  ) {}

  /** Starts all nodes and waits until they see each other. @throws Error with what they say, if not */
  static async start(options: NodesOptions): Promise<OpenSearchNodes> {
    const nodes: OneNode[] = [];
    for (let n = 0; n < options.count; n++) {
      const http = options.ports?.[n] ?? (await freePort());
      nodes.push({ name: `node-${n + 1}`, http, transport: await freePort(), process: null });
    }
    const cluster = new OpenSearchNodes(options, nodes);
    for (let n = 0; n < nodes.length; n++) cluster.revive(n);
    await cluster.allThere();
    return cluster;
  }

  /** One for each node. */
  get urls(): readonly string[] {
    return this.nodes.map(({ http }) => `http://127.0.0.1:${http}`);
  }

  /** Starts a node that does not run, with the data that it had. */
  revive(n: number): void {
    const { home, heap } = this.options;
    const node = this.nodes[n]!;
    const place = join(this.options.folder, node.name);
    mkdirSync(join(place, 'config'), { recursive: true });
    mkdirSync(join(place, 'tmp'), { recursive: true });
    writeFileSync(join(place, 'config', 'opensearch.yml'), this.configuration(node, place));
    writeFileSync(join(place, 'config', 'log4j2.properties'), LOGGING);
    const log = openSync(join(place, 'out.log'), 'a');
    const java = [
      ...[`-Xms${heap}`, `-Xmx${heap}`, '-XX:+UseSerialGC', '-Xss1m'],
      ...['-Djava.awt.headless=true', `-Djava.io.tmpdir=${join(place, 'tmp')}`],
      ...['-Dlog4j2.disable.jmx=true', '-Dlog4j.shutdownHookEnabled=false'],
      ...['-Dopensearch.distribution.type=zip', `-Dopensearch.path.home=${home}`],
      `-Dopensearch.path.conf=${join(place, 'config')}`,
      // From Java 18 on the security manager, which the server asks for, has to be allowed.
      ...(javaVersion() >= 18 ? ['-Djava.security.manager=allow'] : []),
      // The server refuses to run as root, which it learns by a library; a container may have nobody else.
      ...(process.getuid?.() === 0 ? ['-Djna.nounpack=true', '-Djna.noclasspath=true'] : []),
      ...['-cp', join(home, 'lib', '*'), 'org.opensearch.bootstrap.OpenSearch'],
    ];
    node.process = spawn('sh', ['-c', GUARD, 'sh', 'java', ...java], {
      stdio: ['pipe', log, log],
    });
    node.process.stdin!.on('error', () => undefined);
  }

  /** Ends a node as a crash does. */
  async kill(n: number): Promise<void> {
    const node = this.nodes[n]!;
    const { process: child } = node;
    if (child === null) return;
    node.process = null;
    const ended = once(child, 'exit');
    child.stdin!.end();
    await ended;
  }

  /** Resolves when all nodes see one another and no shard waits for a copy that it could have. */
  async allThere(): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(200)) {
      const seen = await Promise.all(this.urls.map((url) => health(url)));
      const isWhole = seen.every(
        (each) =>
          each !== null &&
          each.number_of_nodes === this.nodes.length &&
          each.status !== 'red' &&
          each.initializing_shards + each.relocating_shards + each.delayed_unassigned_shards === 0,
      );
      if (isWhole) return;
      const ended = this.nodes.find(
        ({ process: child }) => child !== null && child.exitCode !== null,
      );
      if (ended !== undefined || Date.now() > end) {
        throw new Error(`OpenSearch is not ready: ${this.logOf(ended ?? this.nodes[0]!)}`);
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((_, n) => this.kill(n)));
  }

  private logOf({ name }: OneNode): string {
    return readFileSync(join(this.options.folder, name, 'out.log'), 'utf8').slice(-4000);
  }

  private configuration({ name, http, transport }: OneNode, place: string): string {
    const names = this.nodes.map((node) => node.name).join(', ');
    const seeds = this.nodes.map((node) => `127.0.0.1:${node.transport}`).join(', ');
    return [
      'cluster.name: facetd-tests',
      `node.name: ${name}`,
      'network.host: 127.0.0.1',
      `http.port: ${http}`,
      `transport.port: ${transport}`,
      `discovery.seed_hosts: [${seeds}]`,
      `cluster.initial_cluster_manager_nodes: [${names}]`,
      `path.data: ${join(place, 'data')}`,
      `path.logs: ${join(place, 'logs')}`,
      'cluster.routing.allocation.disk.threshold_enabled: false',
      '',
    ].join('\n');
  }
}

const LOGGING = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d %p %c{1} %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
`;

interface Health {
  readonly status: string;
  readonly number_of_nodes: number;
  readonly initializing_shards: number;
  readonly relocating_shards: number;
  readonly delayed_unassigned_shards: number;
}

async function health(url: string): Promise<Health | null> {
  try {
    const answer = await fetch(`${url}/_cluster/health`, { signal: AbortSignal.timeout(5000) });
    return answer.ok ? ((await answer.json()) as Health) : null;
  } catch {
    return null;
  }
}

function javaVersion(): number {
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
}
