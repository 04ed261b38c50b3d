/** What all tests share. */
const common = {
  roots: ['<rootDir>/test'],
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Packages that ship ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!(re2js|msgpackr|stemmer|character-entities-html4)/)'],
};

/** Suites that run on a whole engine: once more with its jobs on worker threads, those of the last build. */
const ENGINE_SUITES = [
  '<rootDir>/test/property/{engine-model,facet-exactness,facet-types,merge-under-load}.test.ts',
  '<rootDir>/test/http/{search,bulk,documents}.test.ts',
  '<rootDir>/test/conformance/*.test.ts',
];

function withWorkers(testWorkers) {
  return {
    ...common,
    displayName: `workers ${testWorkers}`,
    testMatch: ENGINE_SUITES,
    globals: { testWorkers },
  };
}

/** @type {import('jest').Config} */
module.exports = {
  testTimeout: 30_000,
  // Half of the time of a suite is waiting for the disk.
  maxWorkers: '100%',
  projects: [
    { ...common, displayName: 'all', testMatch: ['**/*.test.ts'] },
    withWorkers(1),
    withWorkers(3),
  ],
};
