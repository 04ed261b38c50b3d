import type { EngineLogger } from '../../../engine/index';
import { loadConfig, type StartCommand } from '../../../server/config/config';
import { Reloader } from '../../../server/reload';

function start(...settings: string[]): StartCommand {
  const command = loadConfig({
    args: settings.flatMap((setting) => ['--set', setting]),
    environment: {},
    folder: '/nowhere',
  });
  if (command.kind !== 'start') throw new Error('not a start');
  return command;
}

function logger(): EngineLogger & { level: string; lines: string[] } {
  const lines: string[] = [];
  const say = (fields: object, message: string) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { level: 'info', lines, debug: say, info: say, warn: say, error: say };
}

test('takes over the log level, and says what only a restart takes over', async () => {
  const log = logger();
  let reloads = 0;
  const engine = { reloadConfigured: () => Promise.resolve(void reloads++) };
  let now = start();
  const reloader = new Reloader(engine, log, start(), () => now);
  now = start('logger.level=debug', 'http.port=1', 'node.memory=64mb');
  await reloader.reload();
  expect(log.level).toBe('debug');
  expect(reloads).toBe(1);
  expect(log.lines.join('\n')).toContain('{"settings":["http.port","node.memory"]}');
  now = start();
  await reloader.reload();
  expect(log.level).toBe('info');
});

test('a configuration that cannot be used changes nothing but is said; templates are read all the same', async () => {
  const log = logger();
  let reloads = 0;
  const engine = { reloadConfigured: () => Promise.resolve(void reloads++) };
  const reloader = new Reloader(engine, log, start(), () => start('logger.level=loud'));
  await reloader.reload();
  expect(log.level).toBe('info');
  expect(reloads).toBe(1);
  expect(log.lines.join('\n')).toContain('settings stay as they were');
});
