// The tests of reliability, slice by slice, and a report of what was run: numbers, seeds, times, and what this
// machine could not do.
//
//   npm run reliability                     every slice, each up to ten minutes on two idle cores
//   npm run reliability -- clients soak     some of them
//   npm run reliability -- --long           their long forms: hours
//   npm run reliability -- --seed 7         with other random numbers
//   npm run reliability -- --report DIR     where report.json and report.md go (.cache/reliability)

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

/** Test files by what they are about; those that no slice names are in the last one. */
const SLICES = {
  crash: 'kill power-cut refused-starts failing-bulk worker-threads',
  storage:
    'storage-failures storage-faults storage-damage disk-full disk-low small-disk scroll-disk leaks data-format reopening-searches',
  damage: 'damage random-damage bit-flips damaged-segments damaged-tables verify-repair',
  snapshots: 'snapshots damaged-snapshots shared-repository full-repository backup-drill',
  clients: 'concurrency alias-swap linearizable-documents reindex',
  hostile: 'hostile-bodies hostile-requests slow-clients',
  access: 'noisy-keys confined-keys confined-fields',
  memory: 'million-values',
  analysis: 'every-analyzer hostile-analysis analysis-life',
  soak: 'soak',
};
const OTHERS = 'others';
/** Suites once more with their jobs on worker threads (jest.config.js). */
const THREADS = 'threads';
const FOLDERS = ['test/reliability', 'test/property'];
const PROMISED_SECONDS = 600;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    report: { type: 'string', default: '.cache/reliability' },
  },
});

function filesOf(slice) {
  const all = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => [name.slice(0, -'.test.ts'.length), join(folder, name)]),
  );
  const named = new Set(Object.values(SLICES).flatMap((names) => names.split(' ')));
  const wanted = new Set((SLICES[slice] ?? '').split(' '));
  return all
    .filter(([name]) => (slice === OTHERS ? !named.has(name) : wanted.has(name)))
    .map(([, file]) => file);
}

/** Runs jest and waits for its end. */
function run(args, environment) {
  const program = ['node_modules/jest/bin/jest.js', ...args];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, program, { stdio: 'inherit', env });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

async function runSlice(name, folder) {
  const output = join(folder, `${name}.jest.json`);
  const figures = join(folder, `${name}.figures`);
  rmSync(figures, { force: true });
  const tests =
    name === THREADS
      ? ['--selectProjects', 'workers 1', 'workers 3']
      : ['--selectProjects', 'all', '--runTestsByPath', ...filesOf(name)];
  const began = performance.now();
  const code = await run([...tests, '--json', `--outputFile=${output}`], {
    LONG: values.long ? '2' : '1',
    FIGURES: figures,
    ...(values.seed === undefined ? {} : { TEST_SEED: values.seed }),
  });
  return summary(name, code, (performance.now() - began) / 1000, output, figures);
}

function summary(name, code, seconds, output, figures) {
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
  const count = { passed: [], failed: [], skipped: [] };
  for (const { name: file, assertionResults, status, message } of testResults) {
    const where = relative(process.cwd(), file);
    if (assertionResults.length === 0 && status === 'failed')
      count.failed.push(`${where}: ${message}`);
    for (const { status: outcome, fullName } of assertionResults) {
      const list = outcome === 'passed' || outcome === 'failed' ? count[outcome] : count.skipped;
      list.push(`${where}: ${fullName}`);
    }
  }
  return {
    name,
    // What was run may not be less than nothing.
    isPassed: code === 0 && count.passed.length > 0,
    seconds: Math.round(seconds),
    passed: count.passed.length,
    failed: count.failed,
    skipped: count.skipped,
    figures: linesOf(figures),
  };
}

function linesOf(file) {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // No test of this slice writes any.
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function markdown({ machine, form, began, slices }) {
  const rows = slices.map(
    ({ name, isPassed, seconds, passed, failed, skipped }) =>
      `| ${name} | ${isPassed ? 'passed' : 'FAILED'} | ${seconds} | ${passed} | ${failed.length} | ${skipped.length} |`,
  );
  const lines = [
    '# Reliability',
    '',
    `${began}, ${form}, node ${machine.node}, ${machine.system}, ${machine.processors} processors (${machine.processor}), ${machine.memoryMb} MB`,
    '',
    '| slice | outcome | seconds | tests passed | failed | skipped |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ];
  for (const { name, failed, skipped, figures } of slices) {
    if (failed.length + skipped.length + figures.length === 0) continue;
    lines.push('', `## ${name}`, '');
    for (const test of failed) lines.push(`- failed: ${test}`);
    for (const test of skipped) lines.push(`- skipped: ${test}`);
    for (const { subject, ...rest } of figures)
      lines.push(`- ${subject}: \`${JSON.stringify(rest)}\``);
  }
  return `${lines.join('\n')}\n`;
}

const known = [...Object.keys(SLICES), OTHERS, THREADS];
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no such slice: ${unknown.join()}; there are ${known.join(', ')}`);
  process.exit(64);
}
mkdirSync(values.report, { recursive: true });
const report = {
  began: new Date().toISOString(),
  form: `${values.long ? 'long form' : 'usual form'}, ${values.seed === undefined ? 'standard seeds' : `seed ${values.seed}`}`,
  machine: {
    node: process.versions.node,
    system: type(),
    processors: cpus().length,
    processor: cpus()[0]?.model ?? '',
    memoryMb: Math.round(totalmem() / 2 ** 20),
  },
  slices: [],
};
for (const name of positionals.length > 0 ? positionals : known) {
  const slice = await runSlice(name, values.report);
  report.slices.push(slice);
  // Also of what is interrupted there is a report.
  writeFileSync(join(values.report, 'report.json'), `${JSON.stringify(report, null, 1)}\n`);
  writeFileSync(join(values.report, 'report.md'), markdown(report));
  if (!values.long && slice.seconds > PROMISED_SECONDS) {
    console.error(
      `${name} took ${slice.seconds} s, more than the ${PROMISED_SECONDS} of the usual form`,
    );
  }
}
console.error(`\n${markdown(report)}\nwritten to ${join(values.report, 'report.md')}`);
process.exit(report.slices.every(({ isPassed }) => isPassed) ? 0 : 1);
