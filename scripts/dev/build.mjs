// Makes dist/: one file per program, with all of our own code that it runs.
//
//   node scripts/dev/build.mjs [--if-changed]
//
// Calls between modules are direct in such a file: compiled one by one, each would look the other up in its
// `exports`. And a program starts with reading one file instead of hundreds. Types are not checked here; that is
// what `npm run typecheck` is for.
//
// The explorer, which runs in browsers, becomes static files in dist/server/explorer/.
//
// With --if-changed nothing is done when dist/ was made from the sources as they are; neither is it when there
// is nothing to build with, as in an installation without development dependencies.

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COPIED_FILES, EXPLORER, PROGRAMS } from './programs.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const DIST = join(ROOT, 'dist');
/** What dist/ was made from. */
const STAMP = join(DIST, 'build.json');
/** What decides besides the sources how dist/ looks. */
const RULES = [
  'scripts/dev/build.mjs',
  'scripts/dev/programs.mjs',
  'tsconfig.json',
  'package.json',
];

/**
 * What every program begins with, before anything is loaded that an older Node does not have: one line for the
 * operator instead of a stack. In words that any Node understands.
 */
const REFUSE_OLD_NODE = [
  '"use strict"; (function () { var v = process.versions.node.split(".").map(Number);',
  'if (v[0] < 20 || (v[0] === 20 && v[1] < 19) || v[0] === 21 || (v[0] === 22 && v[1] < 12)) {',
  'console.error("facetd: Node " + process.versions.node + " is too old: 24, 22.12 or 20.19 is needed, or a",',
  '"later one of these; https://nodejs.org has them. This one is " + process.execPath);',
  'process.exit(78); } })();',
].join(' ');

function fingerprint(files) {
  const hash = createHash('sha1');
  for (const file of files) {
    const path = join(ROOT, file);
    hash.update(`${file}\n`).update(existsSync(path) ? readFileSync(path) : 'missing');
  }
  return hash.digest('hex');
}

/** Whether dist/ was made from the files as they are now. */
function isCurrent() {
  let stamp;
  try {
    stamp = JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return false;
  }
  return (
    Object.keys(PROGRAMS).every((program) => existsSync(join(DIST, `${program}.js`))) &&
    existsSync(join(DIST, `${EXPLORER.out}.js`)) &&
    fingerprint(stamp.inputs) === stamp.fingerprint
  );
}

/** A module that runs something when it is the main one would do so in every program that contains it. */
function checkMainModules(outputs) {
  for (const [output, { entryPoint, inputs }] of Object.entries(outputs)) {
    for (const input of Object.keys(inputs)) {
      if (input === entryPoint || !readFileSync(join(ROOT, input), 'utf8').includes('require.main'))
        continue;
      throw new Error(`${input} asks for require.main but is only a part of ${output}`);
    }
  }
}

/** Bundles the page for browsers. */
async function buildExplorer(bundle) {
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: [{ in: EXPLORER.source, out: EXPLORER.out }],
    outdir: DIST,
    bundle: true,
    platform: 'browser',
    // Browsers of the last three years.
    target: ['chrome115', 'firefox115', 'safari16.4'],
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/** Copies what goes into dist/ as it is. @returns sources and outputs, as a metafile has them */
function copyFiles() {
  const metafile = { inputs: {}, outputs: {} };
  for (const [source, out] of Object.entries(COPIED_FILES)) {
    mkdirSync(dirname(join(DIST, out)), { recursive: true });
    copyFileSync(join(ROOT, source), join(DIST, out));
    metafile.outputs[join('dist', out)] = {};
    metafile.inputs[source] = {};
  }
  return metafile;
}

/** What an earlier build left is not to be found by anybody. */
function removeOthers(outputs) {
  for (const name of readdirSync(DIST, { recursive: true })) {
    const path = join(DIST, name);
    if (statSync(path).isFile() && !(join('dist', name) in outputs)) rmSync(path);
  }
}

async function build() {
  const { build: bundle } = await import('esbuild');
  const { metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(PROGRAMS).map(([out, source]) => ({ in: source, out })),
    outdir: DIST,
    bundle: true,
    packages: 'external',
    platform: 'node',
    // The oldest version that package.json allows.
    target: 'node20.19',
    banner: { js: REFUSE_OLD_NODE },
    format: 'cjs',
    // Puts numbers where constants are named, also those of other modules. Names stay.
    minifySyntax: true,
    sourcemap: 'linked',
    // Stack traces need lines; the text is in the sources.
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  checkMainModules(metafile.outputs);
  const explorer = await buildExplorer(bundle);
  const copied = copyFiles();
  removeOthers({ ...metafile.outputs, ...explorer.outputs, ...copied.outputs });
  const sources = Object.keys({ ...metafile.inputs, ...explorer.inputs, ...copied.inputs });
  const inputs = [...RULES, ...sources].sort();
  writeFileSync(STAMP, JSON.stringify({ fingerprint: fingerprint(inputs), inputs }));
}

const isBuildable = existsSync(join(ROOT, 'node_modules', 'esbuild'));
if (process.argv.includes('--if-changed') && (isCurrent() || (!isBuildable && existsSync(DIST)))) {
  process.exit(0);
}
if (!isBuildable) {
  process.stderr.write('esbuild, a development dependency, is missing: run npm ci first\n');
  process.exit(1);
}
const began = performance.now();
await build();
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(`built ${Object.keys(PROGRAMS).length} programs in dist/ (${seconds} s)\n`);
