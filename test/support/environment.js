// What surrounds each test file, outside of its sandbox.

const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

// A worker whose jest was killed would go on with its test, and start one server after the other.
// (A listener for the end of the channel would keep workers alive that are told to end.)
if (process.send !== undefined) {
  setInterval(() => {
    if (!process.connected) process.exit(1);
  }, 500).unref();
}

module.exports = class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.testPath = context.testPath;
  }

  /** A report names the seeds of what passed, too (scripts/dev/reliability.mjs). */
  noteSeeds() {
    const { FIGURES } = process.env;
    const seeds = this.global.testSeeds ?? [];
    if (FIGURES === undefined || seeds.length === 0) return;
    const file = relative(process.cwd(), this.testPath);
    appendFileSync(FIGURES, `${JSON.stringify({ subject: 'seeds', file, seeds })}\n`);
  }

  /** A random test that failed says with which seeds it can be repeated (test/support/random.ts notes them). */
  handleTestEvent(event) {
    if (event.name === 'run_finish') this.noteSeeds();
    if (event.name !== 'test_done' || event.test.errors.length === 0) return;
    const seeds = this.global.testSeeds ?? [];
    if (seeds.length === 0) return;
    event.test.errors.push(
      `random seeds of this file: ${seeds.join(', ')} (TEST_SEED=N repeats one)`,
    );
  }
};
