const { availableParallelism } = require('node:os');

/** What all tests share. */
const common = {
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/environment.js',
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        // Beside the code, not in it: compiling a module that carries its map takes twice as long.
        sourceMaps: true,
      },
    ],
  },
  // Packages that ship ES modules only.
  transformIgnorePatterns: [
    '/node_modules/(?!(re2js|msgpackr|stemmer|character-entities-html4|jsts)/)',
  ],
};

/** Suites that run on a whole engine: once more with its jobs on worker threads, those of the last build. */
const ENGINE_SUITES = ['property/{engine-model,facet-exactness}'];
/** With `npm run reliability` these, too: what they have to do with threads the others cover as well. */
const MORE_ENGINE_SUITES = [
  'conformance/*',
  'property/{facet-types,merge-under-load,confined-keys}',
  'http/{search,scroll,suggest,bulk,documents}',
];

const isLong = ['1', '2'].includes(process.env.LONG);

/** Suites that take too long for `npm test`; `npm run reliability` has them. LONG=1 runs one by itself. */
const LONG_SUITES = [
  '/reliability/(scroll-disk|hostile-requests|small-disk|slow-clients|shared-repository|noisy-keys)\\.test\\.ts$',
];

function withWorkers(testWorkers, suites) {
  return {
    ...common,
    displayName: `workers ${testWorkers}`,
    testMatch: [...suites, ...(isLong ? MORE_ENGINE_SUITES : [])].map(
      (suite) => `<rootDir>/test/${suite}.test.ts`,
    ),
    globals: { testWorkers },
  };
}

/** @type {import('jest').Config} */
module.exports = {
  // For what never ends. How long a test takes says something about the machine.
  testTimeout: isLong ? 14_400_000 : 300_000,
  // Half of the time of a suite is waiting for the disk.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  reporters: ['default', '<rootDir>/test/support/skipped-reporter.js'],
  projects: [
    {
      ...common,
      displayName: 'all',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...(isLong ? [] : LONG_SUITES)],
    },
    // What one thread gets wrong three do as well, but for the order of what they answer.
    ...(isLong ? [withWorkers(1, ENGINE_SUITES)] : []),
    withWorkers(3, [...ENGINE_SUITES, 'property/merge-under-load']),
  ],
};
