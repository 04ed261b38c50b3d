// The command lines of all programs: what is said of them agrees with what there is, and reads alike.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BACKUP,
  CommandLineError,
  completionScript,
  facetdUsage,
  helpText,
  KEYS,
  manPages,
  PROGRAM_TABLE,
  readOptions,
  SERVER_OPTIONS,
  VERIFY,
} from '../../../scripts/cli/index';
import { unknownCommand } from '../../../scripts/cli/commands';
import { loadConfig } from '../../../server/config/config';
import { onlyWhere } from '../../support/only-where';

const ROOT = join(__dirname, '..', '..', '..');

test('the package and the build have the programs of the table', () => {
  const { bin, man } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
    man: string[];
  };
  const pages = [...manPages('1', []).keys()];
  expect(man.toSorted()).toEqual(pages.map((name) => `./dist/man/${name}`).toSorted());
  const commands = PROGRAM_TABLE.filter(({ isCommand }) => isCommand);
  expect(bin).toEqual({
    facetd: 'dist/server/main.js',
    ...Object.fromEntries(commands.map(({ name, file }) => [`facetd-${name}`, `dist/${file}.js`])),
  });
  const built = readFileSync(join(ROOT, 'scripts/dev/programs.mjs'), 'utf8');
  for (const { file } of PROGRAM_TABLE) expect(built).toContain(`'${file}': '`);
});

test.each(PROGRAM_TABLE.map((spec) => [spec.name, spec] as const))(
  'the help of %s reads like the others',
  (name, spec) => {
    const text = helpText(spec);
    expect(text.startsWith(`facetd ${name}: ${spec.summary}\n\nusage: facetd ${name} `)).toBe(true);
    expect(text).toMatch(/\n\noptions:\n( {2,}.*\n)*\nexit codes:\n( {2,}.*\n)+$/);
    expect(spec.summary).not.toMatch(/^[A-Z]|\.$/);
    for (const option of Object.keys(spec.options)) expect(text).toContain(`\n  --${option}`);
    for (const [, { help, type, value }] of Object.entries(spec.options)) {
      expect(help).not.toMatch(/^[A-Z]|\.$/);
      expect(type === 'string').toBe(value !== undefined);
    }
    expect(facetdUsage()).toContain(`\n  ${name} `);
  },
);

test('options are read as they are described', () => {
  const line = readOptions(BACKUP, ['--keep', '3', '--verify', '--url=http://x']);
  expect(line?.values).toMatchObject({
    keep: '3',
    verify: true,
    json: false,
    url: 'http://x',
    repository: 'backup',
    indices: undefined,
  });
  expect(readOptions(KEYS, ['list', '--data', 'd'])?.words).toEqual(['list']);
});

test.each<[readonly string[], string]>([
  [
    ['--kepe', '3'],
    'there is no option --kepe; did you mean --keep? facetd backup --help lists all',
  ],
  [['-k'], 'there is no option -k; facetd backup --help lists all'],
  [['--keep'], 'option --keep needs a value, N; facetd backup --help lists all'],
  [['--keep', '--verify'], 'option --keep needs a value, N; facetd backup --help lists all'],
  [['--keep='], 'option --keep needs a value, N; facetd backup --help lists all'],
  [['--verify=yes'], 'option --verify takes no value; facetd backup --help lists all'],
  [['--constructor'], 'there is no option --constructor; facetd backup --help lists all'],
  [['now'], 'now belongs to no option; facetd backup --help lists all'],
])('%j is a mistake', (args, message) => {
  expect(() => readOptions(BACKUP, args)).toThrow(new CommandLineError(message));
});

test('the server reads the options that are described', () => {
  const values: Record<string, string> = { port: '1', set: 'http.port=1', config: '/dev/null' };
  for (const [option, { type }] of Object.entries(SERVER_OPTIONS)) {
    const args = [`--${option}`, ...(type === 'string' ? [values[option] ?? 'localhost'] : [])];
    const read = () => loadConfig({ args, environment: {}, folder: '/nowhere' });
    if (option === 'config') expect(read).toThrow(/settings file \/dev\/null is not JSON/);
    else expect(read).not.toThrow();
  }
});

test('help is printed, and nothing is read', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(readOptions(VERIFY, ['--nonsense', '--help'])).toBeNull();
    expect(write).toHaveBeenCalledWith(helpText(VERIFY));
  } finally {
    write.mockRestore();
  }
});

test('a word that is no command gets the nearest one', () => {
  expect(unknownCommand('bakcup')).toMatch(/did you mean facetd backup\?/);
  expect(unknownCommand('xyz')).toBe('there is no command xyz; facetd --help lists all');
  for (const fine of ['', '--port', 'verify']) expect(unknownCommand(fine)).toBeNull();
});

/** What bash offers after words; the last one is being written. */
function offered(...words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _facetd; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript('bash', ['http.port', 'http.compression', 'path.data'])}\n${ask}\n`;
  const output = execFileSync('bash', ['--norc', '-s'], { input: script, cwd: ROOT });
  return output.toString().split('\n').filter(Boolean);
}

const hasGroff = spawnSync('groff', ['--version']).status === 0;
onlyWhere(hasGroff, 'groff')('man pages are read without a complaint, and say all', () => {
  const setting = {
    name: 'http.port',
    byDefault: '9200',
    documentation: "'.TH' and \\n stay text.",
  };
  const texts = [...manPages('1.2.3', [setting]).values()];
  const { stdout, stderr } = spawnSync('groff', ['-ww', '-man', '-Tutf8', '-P-cbou'], {
    input: texts.join('\n'),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('facetd 1.2.3');
  expect(stdout).toContain("'.TH' and \\n stay text. Default: 9200.");
  expect(stdout).toContain('delete all but the N newest backups');
  for (const { name } of PROGRAM_TABLE) expect(stdout).toContain(name);
});

const hasBash = spawnSync('bash', ['--version']).status === 0;
onlyWhere(hasBash, 'bash')('bash completes commands, options and values', () => {
  expect(offered('facetd', 're')).toEqual(['restore', 'reindex', 'repair']);
  expect(offered('facetd', 'backup', '--keep')).toEqual(['--keep', '--keep-days']);
  expect(offered('facetd', 'backup', '--keep', '')).toEqual([]);
  expect(offered('/usr/bin/facetd-backup', '--ver')).toEqual(['--verify']);
  expect(offered('facetd-restore', '--for')).toEqual(['--force']);
  expect(offered('facetd', 'keys', 'cr')).toEqual(['create']);
  expect(offered('facetd', '--set', 'http.')).toEqual(['http.port=', 'http.compression=']);
  expect(offered('facetd', 'verify', '--data', 'scr')).toEqual(['scripts']);
});
