#!/usr/bin/env node
// facetd completion: prints what a shell needs to complete the commands and options of facetd.

import { SETTINGS } from '../server/config/settings-table';
import { COMPLETION, completionScript, readOptions } from './cli/index';
import { EXIT, ExitError, HELP_SHOWN, runProgram } from './common/program';

void runProgram(() => {
  const line = readOptions(COMPLETION);
  if (line === null) return Promise.resolve(HELP_SHOWN);
  const [shell] = line.words;
  if (shell !== 'bash' && shell !== 'zsh') {
    throw new ExitError(
      EXIT.usage,
      'for which shell? facetd completion bash, facetd completion zsh',
    );
  }
  const text = completionScript(
    shell,
    SETTINGS.map(({ name }) => name),
  );
  return Promise.resolve({ code: EXIT.done, summary: null, text });
});
