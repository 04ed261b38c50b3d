// Writes THIRD_PARTY.md: what a node runs besides its own code, by the lock file, with licences.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..');
const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));

/** The licence by the lock file, or by the package where it is installed. */
function licenceOf(path, { license }) {
  if (license !== undefined) return license;
  try {
    return JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')).license ?? 'none';
  } catch {
    return 'not installed here';
  }
}

function versionOf(name) {
  return packages[`node_modules/${name}`].version;
}

const lines = Object.entries(packages)
  .filter(([path, { dev }]) => path !== '' && dev !== true)
  .map(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const notes = [
      ...(entry.optional === true ? ['optional'] : []),
      ...(entry.hasInstallScript === true ? ['install script'] : []),
    ];
    return `| ${name} | ${entry.version} | ${licenceOf(path, entry)} | ${notes.join(', ')} |`;
  });
const page = [
  '# Third-party packages',
  '',
  'Made by `npm run third-party` from `package-lock.json`, which pins every one by version and checksum. What only building and testing need is left out. `npm run sbom` prints the same as CycloneDX.',
  '',
  '| package | version | licence | |',
  '| --- | --- | --- | --- |',
  ...[...new Set(lines)].sort(),
  '',
  `\`facetd demo\` loads two files of data out of vega-datasets ${versionOf('vega-datasets')} (BSD-3-Clause), which the build copies. Lists and algorithms of others that are in our own files are named, with their licences, in [docs/analysis.md](docs/analysis.md#where-algorithms-and-lists-come-from).`,
  '',
];
writeFileSync(join(folder, 'THIRD_PARTY.md'), page.join('\n'));
