// What surrounds each test file, outside of its sandbox.

const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
const vm = require('node:vm');

// Each file compiles all modules that it loads anew, for a realm of its own, which takes longer than running
// most of them. What the compiler made of a module is kept by this process, for the files after the first.
const compiled = new Map();
const compileFunction = vm.compileFunction;
vm.compileFunction = (code, params, options) => {
  const { filename } = options;
  const known = compiled.get(filename);
  if (known?.code === code) {
    return compileFunction(code, params, { ...options, cachedData: known.cachedData });
  }
  const made = compileFunction(code, params, { ...options, produceCachedData: true });
  compiled.set(filename, { code, cachedData: made.cachedData });
  return made;
};

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
