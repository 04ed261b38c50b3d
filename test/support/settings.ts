// Node settings for tests: the defaults, changed by a few options.

import { loadConfig, type ServerSettings } from '../../server/config/config';

/** Settings of a node with `--set name=value` for each entry. */
export function testSettings(values: Readonly<Record<string, string>> = {}): ServerSettings {
  const args = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const command = loadConfig({ args, environment: {}, folder: __dirname });
  if (command.kind !== 'start') throw new Error('not a start command');
  return command.settings;
}
