const { importX } = require('eslint-plugin-import-x');
const tseslint = require('typescript-eslint');
const { roomRules } = require('./scripts/dev/rooms');

// What oxlint does not have; all other rules are in .oxlintrc.json.

const NO_CODE_FROM_TEXT = [
  { selector: "CallExpression[callee.name='eval']", message: 'No code from text.' },
  { selector: "NewExpression[callee.name='Function']", message: 'No code from text.' },
];

module.exports = tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', 'data/', '**/*.js', '**/*.mjs'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser: tseslint.parser },
    // They are for rules of the other list.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: {
      // oxfmt breaks code at 100 columns and leaves comments as they are.
      'max-len': [
        'error',
        {
          code: 110,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
        },
      ],
      'no-restricted-syntax': ['error', ...NO_CODE_FROM_TEXT],
    },
  },
  // The stack holds about 100,000 arguments, and what clients send may have more elements.
  {
    files: ['{engine,server,storage}/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...NO_CODE_FROM_TEXT,
        ...[
          'CallExpression > SpreadElement',
          'NewExpression > SpreadElement',
          "CallExpression[callee.property.name='apply'][arguments.length=2]",
          "CallExpression[callee.object.name='Reflect'][callee.property.name='apply']",
        ].map((selector) => ({
          selector,
          message: 'No list as arguments: engine/common/lists.ts has what stands in for it.',
        })),
      ],
    },
  },
  // Layers and rooms import one way.
  ...roomRules(importX),
);
