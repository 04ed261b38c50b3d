#!/usr/bin/env node
// The program facetd: the server, or one of its sub-commands.

import { serve } from '../server/main';
import { commandProgram, runProgram, unknownCommand } from './cli/commands';
import { facetdUsage } from './cli/index';

const [word = '', ...rest] = process.argv.slice(2);
const program = commandProgram(word);
const mistake = unknownCommand(word);
if (mistake !== null) {
  process.stderr.write(`facetd: ${mistake}\n`);
  process.exitCode = 78;
} else if (program === null) {
  serve(process.argv.slice(2), facetdUsage);
} else {
  runProgram(program, rest).then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      process.stderr.write(
        `facetd ${word}: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      process.exitCode = 1;
    },
  );
}
