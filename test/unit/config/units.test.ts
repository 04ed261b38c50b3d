import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layout } from '../../../scripts/install-service/layout';
import { onlyWhere } from '../../support/only-where';

const ROOT = join(__dirname, '..', '..', '..');
const NAMES = ['facetd.service', 'facetd-backup.service', 'facetd-backup.timer'];

/** Directives of a unit as `Name=value` lines. */
function directives(name: string): string[] {
  const lines = readFileSync(join(ROOT, 'config', name), 'utf8').split('\n');
  return lines.filter((line) => /^[A-Z]\w+=/.test(line));
}

test('the unit confines the server', () => {
  expect(directives('facetd.service')).toEqual(
    expect.arrayContaining([
      'Type=notify',
      'NotifyAccess=all',
      'User=facetd',
      'StateDirectory=facetd',
      'StateDirectoryMode=0700',
      'UMask=0077',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'AmbientCapabilities=',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'PrivateDevices=yes',
      'ProtectKernelTunables=yes',
      'ProtectKernelModules=yes',
      'ProtectKernelLogs=yes',
      'ProtectControlGroups=yes',
      'ProtectClock=yes',
      'ProtectHostname=yes',
      'ProtectProc=invisible',
      'RestrictNamespaces=yes',
      'RestrictRealtime=yes',
      'RestrictSUIDSGID=yes',
      'LockPersonality=yes',
      'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
      'SystemCallFilter=@system-service',
      'SystemCallFilter=~@privileged',
      'SystemCallArchitectures=native',
      'IPAddressDeny=any',
      'IPAddressAllow=localhost',
      'TasksMax=256',
      'LimitNOFILE=65536',
      'OOMPolicy=stop',
      'Restart=on-failure',
      'RestartSec=2',
      'StartLimitBurst=5',
      'RestartPreventExitStatus=78',
      'KillSignal=SIGTERM',
      'TimeoutStopSec=45',
      'WatchdogSec=30',
    ]),
  );
  // The compiler of JavaScript needs it.
  expect(directives('facetd.service').join('\n')).not.toContain('MemoryDenyWriteExecute');
});

test('memory limits follow node.memory', () => {
  const program = { folder: ROOT, node: process.execPath };
  const dropIn = (megabytes: number) => {
    const items = layout(program, megabytes * 1024 * 1024);
    const found = items.find(({ path }) => path.endsWith('memory.conf'));
    return found?.kind === 'file' ? found.content : '';
  };
  expect(dropIn(1024)).toContain('FACETD_NODE_MEMORY=1024mb\n');
  // As the unit itself says for 1gb.
  expect(dropIn(1024)).toContain('MemoryMax=4096M\n');
  expect(directives('facetd.service')).toContain('MemoryMax=4G');
  expect(dropIn(2048)).toContain('MemoryMax=6144M\n');
});

const hasAnalyze = existsSync('/usr/bin/systemd-analyze');
onlyWhere(hasAnalyze, 'systemd-analyze')('systemd accepts the units, and finds them safe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facetd-units-'));
  try {
    const paths = NAMES.map((name) => join(folder, name));
    for (const [i, name] of NAMES.entries()) {
      const text = readFileSync(join(ROOT, 'config', name), 'utf8');
      const executable = text
        .replaceAll('/usr/bin/node', '/bin/true')
        .replaceAll('/usr/local/bin/facetd-backup', '/bin/true');
      writeFileSync(paths[i] ?? '', executable);
    }
    const run = (...args: string[]) => execFileSync('systemd-analyze', args, { stdio: 'pipe' });
    expect(run('verify', ...paths).toString()).toBe('');
    // 0 is safest, 10 worst; above the threshold it fails.
    run('security', '--offline=true', '--threshold=20', ...paths.slice(0, 2));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the image is built from what its context has, and does not run as root', () => {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n');
  const taken = new Set(
    readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1)),
  );
  for (const name of taken) expect(existsSync(join(ROOT, name))).toBe(true);
  const copied = lines.filter((line) => line.startsWith('COPY package'));
  expect(copied).toEqual(['COPY package.json package-lock.json ./']);
  for (const name of ['package.json', 'package-lock.json', 'LICENSE', 'config']) {
    expect(taken).toContain(name);
  }
  const at = (start: string) => lines.findLastIndex((line) => line.startsWith(start));
  expect(at('USER node')).toBeGreaterThan(at('FROM'));
  expect(at('USER node')).toBeLessThan(at('ENTRYPOINT'));
  expect(lines.filter((line) => line.startsWith('VOLUME'))).toEqual(['VOLUME /data']);
  expect(at('HEALTHCHECK')).toBeGreaterThan(0);
});
