// What surrounds each test file, outside of its sandbox.

const { TestEnvironment } = require('jest-environment-node');

// A worker whose jest was killed would go on with its test, and start one server after the other.
// (A listener for the end of the channel would keep workers alive that are told to end.)
if (process.send !== undefined) {
  setInterval(() => {
    if (!process.connected) process.exit(1);
  }, 500).unref();
}

module.exports = class Environment extends TestEnvironment {
  /** A random test that failed says with which seeds it can be repeated (test/support/random.ts notes them). */
  handleTestEvent(event) {
    if (event.name !== 'test_done' || event.test.errors.length === 0) return;
    const seeds = this.global.testSeeds ?? [];
    if (seeds.length === 0) return;
    event.test.errors.push(
      `random seeds of this file: ${seeds.join(', ')} (TEST_SEED=N repeats one)`,
    );
  }
};
