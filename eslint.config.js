const js = require('@eslint/js');
const tseslint = require('typescript-eslint');

/** Layers import one way: server -> engine -> storage, each through the other's index.ts only. */
function layer(files, forbidden) {
  return {
    files,
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: forbidden.map(([group, message]) => ({ group, message })) },
      ],
    },
  };
}

module.exports = tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', 'data/', '**/*.js', '**/*.mjs'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "CallExpression[callee.name='eval']", message: 'No code from text.' },
        { selector: "NewExpression[callee.name='Function']", message: 'No code from text.' },
      ],
    },
  },
  layer(
    ['storage/**/*.ts'],
    [[['**/engine/**', '**/server/**'], 'storage imports nothing of ours']],
  ),
  layer(
    ['engine/**/*.ts'],
    [
      [['**/server/**'], 'engine does not know HTTP'],
      [
        ['**/storage/*', '!**/storage/index', '!**/storage/index.js'],
        'engine imports storage/index only',
      ],
    ],
  ),
  layer(
    ['server/**/*.ts'],
    [
      [['**/storage/**'], 'server talks to the engine only'],
      [
        ['**/engine/**', '!**/engine/index', '!**/engine/index.js'],
        'server imports engine/index only',
      ],
    ],
  ),
);
