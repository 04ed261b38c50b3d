// SIGHUP: what can change in a running node is read again, and the log says what cannot.

import type { SearchEngine } from '../engine/index';
import type { Command, StartCommand, AdjustableLogger } from './config/index';

/** Settings that a running node takes over. */
const RELOADABLE: ReadonlySet<string> = new Set(['logger.level']);

/** Reads the configuration of a running node again. */
export class Reloader {
  /** What the node runs with. */
  private readonly running: Map<string, string>;

  /**
   * @param read reads the configuration from where it came from; throws ConfigError when it cannot be used
   */
  constructor(
    private readonly engine: Pick<SearchEngine, 'reloadConfigured'>,
    private readonly logger: AdjustableLogger,
    started: StartCommand,
    private readonly read: () => Command,
  ) {
    this.running = new Map(started.given);
  }

  /**
   * Takes over log level, templates, mappings and scripts; what cannot be used leaves all of its kind as it
   * was.
   */
  async reload(): Promise<void> {
    const { logger } = this;
    logger.info({}, 'reading log level, templates, mappings and scripts again');
    try {
      this.reloadSettings();
    } catch (error) {
      logger.error({ err: error }, 'settings stay as they were');
    }
    try {
      await this.engine.reloadConfigured();
    } catch (error) {
      logger.error({ err: error }, 'templates, mappings and scripts stay as they were');
    }
  }

  private reloadSettings(): void {
    const command = this.read();
    if (command.kind !== 'start') return;
    const { given, settings } = command;
    const names = new Set([...this.running.keys(), ...given.keys()]);
    const changed = [...names].filter((name) => this.running.get(name) !== given.get(name));
    const later = changed.filter((name) => !RELOADABLE.has(name)).sort();
    if (later.length > 0) {
      this.logger.warn({ settings: later }, 'changed settings that only a restart takes over');
    }
    if (this.logger.level === settings.logLevel) return;
    this.logger.info({ level: settings.logLevel }, 'log level changed');
    this.logger.level = settings.logLevel;
    this.take('logger.level', given.get('logger.level'));
  }

  private take(name: string, text: string | undefined): void {
    if (text === undefined) this.running.delete(name);
    else this.running.set(name, text);
  }
}
