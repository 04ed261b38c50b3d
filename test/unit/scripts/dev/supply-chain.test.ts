import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..', '..');

test('packages of a node are pinned, permissive, and run no scripts but that of the binding', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['scripts/dev/supply-chain.mjs', '--offline'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(stdout).not.toContain('WRONG');
  expect(stdout.match(/^checked: /gm)).toHaveLength(4);
  expect(status).toBe(0);
});
