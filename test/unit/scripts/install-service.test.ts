import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../server/config/config';

const ROOT = join(__dirname, '..', '..', '..');
const PROGRAM = join(ROOT, 'dist', 'scripts', 'install-service', 'main.js');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'facetd-install-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function install(...options: string[]): string {
  return execFileSync(process.execPath, [PROGRAM, '--root', root, ...options]).toString();
}
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const mode = (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8);

test('puts units, folders, configuration and links in place', () => {
  const output = install('--memory', '512mb');
  expect(output).toContain('not run: useradd --system');
  expect(output).toContain('not run: systemctl enable --now facetd.service facetd-backup.timer');
  expect(mode('var/lib/facetd')).toBe('700');
  expect(mode('etc/facetd/facetd.json')).toBe('640');
  const unit = read('etc/systemd/system/facetd.service');
  expect(unit).toContain(
    `ExecStart=${process.execPath} --disable-proto=delete ${ROOT}/dist/server/main.js --config /etc/facetd/facetd.json\n`,
  );
  expect(unit).not.toContain('/opt/facetd');
  expect(read('etc/systemd/system/facetd.service.d/memory.conf')).toContain('NODE_MEMORY=512mb');
  expect(existsSync(join(root, 'etc/systemd/system/facetd-backup.timer'))).toBe(true);
  expect(readlinkSync(join(root, 'usr/local/bin/facetd'))).toBe(join(ROOT, 'dist/server/main.js'));
  const command = loadConfig({
    args: ['--config', join(root, 'etc/facetd/facetd.json')],
    environment: { FACETD_NODE_MEMORY: '512mb' },
    folder: '/',
  });
  expect(command).toMatchObject({
    settings: { node: { dataPath: '/var/lib/facetd/data', configPath: '/etc/facetd' } },
  });
});

test('changes nothing when run again, and never the configuration', () => {
  install('--memory', '512mb');
  writeFileSync(join(root, 'etc/facetd/facetd.json'), '{"http.port": 9999}');
  const again = install('--memory', '512mb');
  expect(again).toContain('kept: /etc/facetd/facetd.json');
  expect(again).not.toMatch(/^(created|changed):/m);
  expect(read('etc/facetd/facetd.json')).toBe('{"http.port": 9999}');
  expect(install('--memory', '1gb').match(/^changed: .*$/gm)).toEqual([
    'changed: /etc/systemd/system/facetd.service.d/memory.conf',
  ]);
});

test('a dry run only prints', () => {
  const output = install('--dry-run');
  expect(output).toContain('would create: /etc/systemd/system/facetd.service\n');
  expect(output).not.toMatch(/^(created|changed|run)/m);
  expect(existsSync(join(root, 'etc'))).toBe(false);
});

test('uninstalling keeps data, configuration and what the operator added', () => {
  install();
  mkdirSync(join(root, 'var/lib/facetd/data'));
  writeFileSync(join(root, 'etc/systemd/system/facetd.service.d/own.conf'), '');
  const output = install('--uninstall');
  expect(output).toContain('kept: /etc/systemd/system/facetd.service.d\n');
  for (const gone of ['etc/systemd/system/facetd.service', 'usr/local/bin/facetd']) {
    expect(existsSync(join(root, gone))).toBe(false);
  }
  for (const kept of ['var/lib/facetd/data', 'etc/facetd/facetd.json']) {
    expect(existsSync(join(root, kept))).toBe(true);
  }
  expect(install('--uninstall')).not.toContain('removed:');
});

test('says what is wrong with its options', () => {
  for (const options of [['--memory', 'much'], ['--memory'], ['--frobnicate']]) {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...options]);
    expect(status).toBe(2);
    expect(stderr.toString()).toMatch(/^install-service: /);
  }
});
