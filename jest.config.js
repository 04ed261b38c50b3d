/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
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
  testTimeout: 30_000,
};
