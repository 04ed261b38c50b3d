import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT_LOGGER } from '../../../engine/index';
import { ServiceManager } from '../../../server/service-manager';
import { onlyWhere } from '../../support/only-where';
import { until } from '../../support/until';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facetd-notify-'));
});
// What a program that has just been started still writes may come meanwhile.
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** An environment in which a program of our own stands for systemd-notify and writes down what it is told. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${folder}/said'\n`);
  chmodSync(program, 0o700);
  return { PATH: `${folder}:/usr/bin:/bin`, NOTIFY_SOCKET: '/run/test', ...more };
}
function said(): string[] {
  const path = join(folder, 'said');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}
/** Waits until a number has not changed for half a second. @returns it */
async function settled(count: () => number): Promise<number> {
  for (;;) {
    const before = count();
    await sleep(500);
    if (count() === before) return before;
  }
}

test('says in order what the process is at', async () => {
  const manager = new ServiceManager(environment(), SILENT_LOGGER);
  manager.status('recovering');
  manager.ready('listening on\nport 1', () => Promise.resolve(true));
  manager.stopping();
  await until(() => said().length === 4);
  expect(said()).toEqual([
    'STATUS=recovering',
    'STATUS=listening on port 1',
    'READY=1',
    'STOPPING=1',
  ]);
});

test('sends signs of life at half the interval, only while threads answer and until the end', async () => {
  const manager = new ServiceManager(
    environment({ WATCHDOG_USEC: '60000', WATCHDOG_PID: String(process.pid) }),
    SILENT_LOGGER,
  );
  let isAlive = true;
  const beats = () => said().filter((line) => line === 'WATCHDOG=1').length;
  manager.ready('up', () => Promise.resolve(isAlive));
  await until(() => beats() >= 4);
  isAlive = false;
  // One may be on its way.
  const silentSince = await settled(beats);
  await sleep(200);
  expect(beats()).toBe(silentSince);
  isAlive = true;
  await until(() => beats() > silentSince);
  manager.stopping();
  await until(() => said().includes('STOPPING=1'));
  expect(said().at(-1)).toBe('STOPPING=1');
});

test('does nothing without a service manager, and no watchdog that is meant for another process', async () => {
  const none = new ServiceManager({ ...environment(), NOTIFY_SOCKET: '' }, SILENT_LOGGER);
  none.ready('up', () => Promise.resolve(true));
  none.stopping();
  const other = new ServiceManager(
    environment({ WATCHDOG_USEC: '1000', WATCHDOG_PID: '1' }),
    SILENT_LOGGER,
  );
  other.ready('up', () => Promise.resolve(true));
  await until(() => said().includes('READY=1'));
  await sleep(50);
  expect(said()).toEqual(['STATUS=up', 'READY=1']);
  other.stopping();
});

const RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
`;
const hasTools = ['python3', 'systemd-notify'].every((name) =>
  ['/usr/bin', '/usr/local/bin', '/bin'].some((path) => existsSync(join(path, name))),
);

onlyWhere(hasTools, 'python3 and systemd-notify')('reaches a real notify socket', async () => {
  const path = join(folder, 'notify');
  const receiver = spawn('python3', ['-c', RECEIVER, path]);
  let received = '';
  receiver.stdout.on('data', (data: Buffer) => (received += data.toString()));
  try {
    await until(() => received.includes('bound'));
    const { PATH = '' } = process.env;
    const manager = new ServiceManager({ PATH, NOTIFY_SOCKET: path }, SILENT_LOGGER);
    manager.ready('up and well', () => Promise.resolve(true));
    manager.stopping();
    await until(() => received.includes('STOPPING=1'));
    expect(received).toMatch(/STATUS=up and well[^]*READY=1[^]*STOPPING=1/);
  } finally {
    receiver.kill('SIGKILL');
    await once(receiver, 'close');
  }
});
