// What systemd is told about this process: ready, stopping, still alive (sd_notify, `Type=notify`).
//
// The protocol is a datagram to a unix socket, which Node cannot send, so `systemd-notify` sends it. One
// small shell is started at the beginning and calls it line by line: forking a process that has grown to
// gigabytes for every sign of life would stall it. The shell ends when its input does.

import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Logger } from './config/index';

/** One assignment of the protocol a line; the program's own errors go to the journal. */
const RELAY = 'while IFS= read -r line; do systemd-notify "$line"; done';

/** Tells the service manager what the process is at; does nothing when there is none. */
export class ServiceManager {
  private relay: ChildProcess | null = null;
  private watchdog: NodeJS.Timeout | null = null;
  private isSilent = false;
  private isStopping = false;

  /** @param environment `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` as systemd sets them */
  constructor(
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly logger: Logger,
  ) {
    // Early, while a fork is cheap.
    if (this.isPresent) this.relay = this.start();
  }

  /** Whether a service manager wants to be told. */
  get isPresent(): boolean {
    const { NOTIFY_SOCKET: socket = '' } = this.environment;
    return socket !== '';
  }

  /**
   * Start-up is over. From now on signs of life are sent at half the interval that the unit asks for, by the
   * event loop and therefore only while it turns, and only while `isAlive` says so in time.
   *
   * @param status one line for `systemctl status`
   */
  ready(status: string, isAlive: () => Promise<boolean>): void {
    this.status(status);
    this.send('READY=1');
    const interval = this.watchdogMs();
    if (interval === null) return;
    const beat = (): void =>
      void isAlive().then(
        (alive) => this.beat(alive),
        () => this.beat(false),
      );
    beat();
    this.watchdog = setInterval(beat, interval / 2);
    this.watchdog.unref();
  }

  /** One line for `systemctl status`. */
  status(text: string): void {
    this.send(`STATUS=${text.replace(/\s+/g, ' ')}`);
  }

  /** The process begins to end in order. */
  stopping(): void {
    this.isStopping = true;
    if (this.watchdog !== null) clearInterval(this.watchdog);
    this.watchdog = null;
    this.send('STOPPING=1');
  }

  private beat(isAlive: boolean): void {
    // The last question may be answered after the end has begun.
    if (this.isStopping) return;
    if (isAlive) this.send('WATCHDOG=1');
    else if (!this.isSilent) {
      this.logger.error(
        {},
        'a worker thread does not answer; the service manager is not told to wait',
      );
    }
    this.isSilent = !isAlive;
  }

  /** The interval within which a sign of life is expected, or null when none is. */
  private watchdogMs(): number | null {
    const { WATCHDOG_USEC: interval, WATCHDOG_PID: pid } = this.environment;
    if (!this.isPresent || interval === undefined) return null;
    if (pid !== undefined && pid !== String(process.pid)) return null;
    const milliseconds = Number(interval) / 1000;
    return milliseconds > 0 ? milliseconds : null;
  }

  private send(assignment: string): void {
    if (!this.isPresent) return;
    this.relay ??= this.start();
    this.relay.stdin?.write(`${assignment}\n`);
  }

  private start(): ChildProcess {
    const relay = spawn('/bin/sh', ['-c', RELAY], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: this.environment,
    });
    const gone = (error?: unknown): void => {
      if (this.relay !== relay) return;
      this.relay = null;
      this.logger.warn({ err: error }, 'the messenger to the service manager ended');
    };
    relay.on('error', gone);
    relay.on('exit', () => gone());
    relay.stdin.on('error', gone);
    // It must not keep the process alive.
    relay.unref();
    if (relay.stdin instanceof Socket) relay.stdin.unref();
    return relay;
  }
}
