// The server: configuration, engine, HTTP, and an orderly end.

import './v8-flags';
import {
  FormatVersionError,
  StorageError,
  UnsafeFolderError,
  type SearchEngine,
} from '../engine/index';
import { openBackend } from './backends';
import { checkServedFolders, ListenError } from './http/index';
import {
  ConfigError,
  loadConfig,
  type ConfigSources,
  type StartCommand,
  helpText,
  createLogger,
  createSlowLogger,
  type Logger,
  facetdVersion,
} from './config/index';
import { Reloader } from './reload';
import { httpThreads, listen, type Service } from './service';
import { ServiceManager } from './service-manager';
import { LoopDelay, threadsOf } from './stats/index';

/** Exit code for a configuration that cannot be used (sysexits: EX_CONFIG). */
const EXIT_CONFIG = 78;
const EXIT_FAILURE = 1;

/** The usage of the program and its sub-commands, which are not the server's affair. */
export type Usage = () => string;

async function main(args: readonly string[], usage: Usage): Promise<void> {
  const sources = { args, environment: process.env, folder: process.cwd() };
  const command = loadConfig(sources);
  switch (command.kind) {
    case 'help':
      process.stdout.write(helpText(usage()));
      return;
    case 'version':
      process.stdout.write(`facetd ${facetdVersion()}\n`);
      return;
    case 'start':
      await start(command, sources);
  }
}

async function start(command: StartCommand, sources: ConfigSources): Promise<void> {
  const { settings } = command;
  // The data folder is nobody else's business.
  process.umask(0o077);
  const logger = createLogger(settings.logLevel);
  dieOnBugs(logger);
  const manager = new ServiceManager(process.env, logger);
  manager.status('recovering');
  checkServedFolders(settings);
  const slowLogger = createSlowLogger(settings.logLevel);
  const engine = await openBackend(settings.backend, {
    settings: { ...settings.node, readers: httpThreads(settings) },
    openSearch: settings.openSearch,
    logger,
    slowLogger,
  });
  if (settings.authentication && engine.access?.keys.list().length === 0) {
    await engine.close();
    throw new ConfigError(
      'http.authentication is on and there is no key, so nobody could use this node; make one first: ' +
        `facetd keys create admin --role admin --data ${settings.node.dataPath}`,
    );
  }
  const loopDelay = new LoopDelay();
  loopDelay.start();
  if (process.getuid?.() === 0) {
    logger.warn(
      {},
      'running as root, which nothing here needs; docs/operations.md has a service user',
    );
  }
  const scheme = settings.tls === null ? 'http' : 'https';
  let server: Service;
  try {
    server = await listen(engine, settings, logger, () => loopDelay.stats());
  } catch (error) {
    await engine.close();
    throw error;
  }
  const address = server.address();
  logger.info(
    { address, dataPath: settings.node.dataPath, version: facetdVersion() },
    `listening on ${scheme}://${address}`,
  );
  const reloader = new Reloader(engine, logger, command, () => loadConfig(sources));
  process.on('SIGHUP', () => {
    try {
      server.reloadCertificates();
    } catch (error) {
      logger.error({ err: error }, 'certificates stay as they were');
    }
    void reloader.reload().then(() => server.setLevel(logger.level));
  });
  manager.ready(`listening on ${scheme}://${address}`, () => threadsAnswer(engine));
  stopOnSignals(logger, async () => {
    manager.stopping();
    const finished = await server.drain(settings.shutdownGraceMs);
    if (!finished) logger.warn({}, 'requests were still running and have been cut off');
    await engine.close();
    loopDelay.stop();
  });
}

/** Whether all worker threads of a node work, or could be replaced by ones that do. */
async function threadsAnswer(engine: SearchEngine): Promise<boolean> {
  const { search, http, indexer } = await threadsOf(engine);
  return [...search, ...http, ...indexer].every(({ isAnswering }) => isAnswering);
}

/** First signal: finish what runs, then exit 0. Second: exit 1 at once, which loses no acknowledged write. */
function stopOnSignals(logger: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = (signal: string) => {
    if (isStopping) process.exit(EXIT_FAILURE);
    isStopping = true;
    logger.info({ signal }, 'stopping');
    stop().then(
      () => {
        logger.info({}, 'stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(EXIT_FAILURE);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** After an unexpected error nothing is known about the state in memory; what is on disk is safe. */
function dieOnBugs(logger: Logger): void {
  const die = (error: unknown) => {
    logger.error({ err: error }, 'unexpected error, exiting');
    process.exit(EXIT_FAILURE);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

/**
 * Runs the server until it is told to stop, or prints what the command line asks for. What goes wrong ends
 * the process with a message and an exit code.
 */
export function serve(args: readonly string[], usage: Usage): void {
  main(args, usage).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`facetd: ${message}\n`);
    // Configuration, data folder and system calls are the operator's affair; the rest is ours.
    const isExplained =
      error instanceof ConfigError ||
      error instanceof ListenError ||
      error instanceof StorageError ||
      (error instanceof Error && 'syscall' in error);
    if (!isExplained && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
    const isConfiguration =
      error instanceof ConfigError ||
      error instanceof FormatVersionError ||
      error instanceof UnsafeFolderError;
    process.exit(isConfiguration ? EXIT_CONFIG : EXIT_FAILURE);
  });
}
