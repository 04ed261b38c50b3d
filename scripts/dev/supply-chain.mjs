// Checks what the packages of the lock file are known by, and says what was checked and what was not.
//
//   npm run signatures                  ends with 1 when a check failed
//   npm run signatures -- --offline     without the registry
//   npm run signatures -- --required    also when signatures could not be checked
//
// `npm ci` refuses a package that is not what the lock file says; so what is checked here is that the lock file
// says it of every one, that nothing else runs on installing, and, where the registry gives signatures and npm
// can get the keys that they are made with, that the registry signed the packages that are installed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { offline: { type: 'boolean' }, required: { type: 'boolean' } },
});
const folder = join(import.meta.dirname, '..', '..');

/** Packages that a node runs and that may run a script when they are installed: the binding of LevelDB. */
const MAY_RUN_SCRIPTS = ['classic-level'];
/** Those whose scripts npm is told not to run: what msgpackr reads texts with, if it is there. */
const { allowScripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const runsNone = (name) => allowScripts[name] === false;
const LICENCES = /^(?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|\(EDL-1\.0 OR EPL-1\.0\))$/;

const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
const all = Object.entries(packages).filter(([path]) => path !== '');
/** What is for another platform alone, optional there, and the registry did not have when the lock file was made. */
const isElsewhere = ([, { optional, os, cpu, integrity }]) =>
  optional === true && (os ?? cpu) !== undefined && integrity === undefined;
const ours = all.filter((one) => one[1].dev !== true && !isElsewhere(one));
const nameOf = ([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
let isWrong = false;

function check(what, wrong) {
  console.log(wrong.length === 0 ? `checked: ${what}` : `WRONG: ${what}: not ${wrong.join(', ')}`);
  isWrong ||= wrong.length > 0;
}

const isPinned = ([, { version, integrity }]) => Boolean(version) && /^sha512-/.test(integrity);
const unpinned = all.filter((one) => !isPinned(one));
check(
  `${all.length - unpinned.length} packages are pinned by version and SHA-512, those among them that a node runs`,
  unpinned.filter((one) => !isElsewhere(one)).map(nameOf),
);
if (unpinned.length > 0) {
  console.log(
    `NOT CHECKED: ${unpinned.length} packages for other platforms, pinned by version alone`,
  );
}
check(
  'all come from a registry, none from Git, a folder or an address',
  all
    .filter(
      ([, { resolved, link }]) => link || (resolved && !/^https:\/\/registry\./.test(resolved)),
    )
    .map(nameOf),
);
check(
  `of the ${ours.length} that a node runs, ${MAY_RUN_SCRIPTS.join(', ')} alone runs a script on installing`,
  ours
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(nameOf)
    .filter((name) => !MAY_RUN_SCRIPTS.includes(name) && !runsNone(name)),
);
check(
  'the licences of those are permissive',
  ours.filter(([, { license }]) => !LICENCES.test(license ?? '')).map(nameOf),
);

/** What could not be done, by what npm says of it. */
function reasonOf(output) {
  if (/sigstore|tuf-repo/.test(output)) {
    return 'npm gets the keys of registries from sigstore.dev, which cannot be reached';
  }
  if (/no .*signatures|does ?n.t provide|No dependencies found/i.test(output)) {
    return 'the registry gives none';
  }
  return output.trim().split('\n').pop();
}

if (options.offline !== true) {
  const { status, stdout, stderr } = spawnSync('npm', ['audit', 'signatures', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const output = `${stdout}${stderr}`;
  if (status === 0) console.log(`checked: ${stdout.trim()}`);
  else if (/invalid|tampered/i.test(output)) {
    console.log(`WRONG: signatures\n${output}`);
    isWrong = true;
  } else {
    console.log(`NOT CHECKED: signatures of the registry: ${reasonOf(output)}`);
    isWrong ||= options.required === true;
  }
}
process.exit(isWrong ? 1 : 0);
