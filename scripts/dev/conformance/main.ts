// npm run conformance: runs all recorded cases and prints a table per area.
//
//   npm run conformance [-- --area facets] [--case NAME] [--failures] [--update]
//
// Starts a server of its own with the reference's defaults over a temporary folder. Ends with 1 when a case
// does not pass, or does not fail, as test/conformance/expected-failures.json says; --update rewrites that.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../../common/client';
import { Progress } from '../../common/progress';
import { packageFolder } from '../../common/package-folder';
import { readCases } from './cases';
import {
  expectedFailuresFile,
  nameOf,
  readExpectedFailures,
  unexpected,
  writeExpectedFailures,
} from './expected';
import { runCase } from './run';

/** Settings under which the answers were recorded. */
const REFERENCE_DEFAULTS = [
  'index.number_of_shards=5',
  'index.number_of_replicas=1',
  'search.default_search_type=query_then_fetch',
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      area: { type: 'string' },
      case: { type: 'string' },
      failures: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
    },
  });
  const folder = join(packageFolder(), 'test', 'conformance', 'cases');
  const cases = readCases(folder).filter(
    ({ area, name }) =>
      (values.area === undefined || area === values.area) &&
      (values.case === undefined || name === values.case),
  );
  const temporary = await mkdtemp(join(tmpdir(), 'facetd-conformance-'));
  const server = await startServer(join(temporary, 'data'), [
    ...REFERENCE_DEFAULTS,
    `path.repo=${join(temporary, 'repo')}`,
  ]);
  const areas = new Map<string, { passed: number; failed: number }>();
  const results = new Map<string, string | null>();
  try {
    const port = Number(new URL(server.client.url).port);
    const progress = new Progress('cases', cases.length);
    for (const [i, testCase] of cases.entries()) {
      const difference = await runCase(port, testCase);
      results.set(nameOf(testCase), difference);
      const area = areas.get(testCase.area) ?? { passed: 0, failed: 0 };
      areas.set(testCase.area, area);
      if (difference === null) area.passed++;
      else area.failed++;
      progress.update(i + 1);
    }
  } finally {
    await server.stop();
    await rm(temporary, { recursive: true, force: true });
  }
  if (values.failures) {
    for (const [name, difference] of results) {
      if (difference !== null) console.log(`${name}  ${difference.replaceAll('\n', '\\n')}`);
    }
  }
  console.log(`\n${'area'.padEnd(12)} passed  failed`);
  let passed = 0;
  for (const [name, area] of [...areas].sort(([a], [b]) => (a < b ? -1 : 1))) {
    passed += area.passed;
    console.log(
      `${name.padEnd(12)} ${String(area.passed).padStart(6)}  ${String(area.failed).padStart(6)}`,
    );
  }
  console.log(
    `${'all'.padEnd(12)} ${String(passed).padStart(6)}  ${String(cases.length - passed).padStart(6)}`,
  );
  const file = expectedFailuresFile(folder);
  if (values.update) {
    writeExpectedFailures(file, results);
    return;
  }
  const expected = readExpectedFailures(file);
  const changed = [...results].flatMap(
    ([name, difference]) => unexpected(expected, name, difference) ?? [],
  );
  if (changed.length === 0) return;
  console.log(`\nnot as expected-failures.json says:\n${changed.join('\n')}`);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
