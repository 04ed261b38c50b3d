// The end of a run: what was left out and why, and how it went in one line.

const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

module.exports = class SkippedReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results;
    const lines = [];
    for (const { testFilePath, testResults, skipped: wholeFile } of results.testResults) {
      const file = relative(process.cwd(), testFilePath);
      if (wholeFile) lines.push(`skipped: ${file}`);
      for (const { status, fullName } of testResults) {
        if (['pending', 'todo', 'skipped', 'disabled'].includes(status)) {
          lines.push(`skipped: ${file}: ${fullName}`);
        }
      }
    }
    // A suite that could not even be loaded has no tests that failed.
    const broken = results.numRuntimeErrorTestSuites;
    const total =
      `node ${process.versions.node}: ${passed} passed, ${failed} failed, ${skipped} skipped` +
      (broken === 0 ? '' : `, ${broken} suites that do not load`);
    process.stderr.write(`\n${[...new Set(lines), total].join('\n')}\n`);
    const { TEST_TOTALS } = process.env;
    if (TEST_TOTALS !== undefined) appendFileSync(TEST_TOTALS, `${total}\n`);
  }
};
