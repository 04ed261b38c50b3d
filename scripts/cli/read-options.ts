// Reading a command line by what is said of the program.

import { parseArgs } from 'node:util';
import { nearest } from '../../engine/common/index';
import { EXIT, ExitError } from '../common/program';
import { helpText } from './help';
import type { OptionSpecs, OptionValues, ProgramSpec } from './program-spec';

/** A command line that cannot be used. `message` says what is wrong and where to look. */
export class CommandLineError extends ExitError {
  constructor(message: string) {
    super(EXIT.usage, message);
  }
}

/** What a command line says. */
export interface CommandLine<Options extends OptionSpecs> {
  readonly values: OptionValues<Options>;
  /** Words that belong to no option. */
  readonly words: readonly string[];
}

/**
 * Reads a command line, or prints the help when it asks for that.
 *
 * @returns null when help was asked for
 * @throws CommandLineError for an option that is not there or has no value, and for words where none belong
 */
export function readOptions<Options extends OptionSpecs>(
  spec: ProgramSpec<Options>,
  args: readonly string[] = process.argv.slice(2),
): CommandLine<Options> | null {
  const { name, options } = spec;
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([option, { type, multiple }]) => [
          option,
          { type, multiple: multiple === true },
        ]),
      ),
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values['help'] === true) {
    process.stdout.write(helpText(spec));
    return null;
  }
  const more = `facetd ${name} --help lists all`;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const found = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const shown = token.rawName;
    if (found === undefined) {
      const meant = nearest(token.name, Object.keys(options));
      const hint = meant === null ? '' : `did you mean --${meant}? `;
      throw new CommandLineError(`there is no option ${shown}; ${hint}${more}`);
    }
    if (found.type === 'boolean' && token.value !== undefined) {
      throw new CommandLineError(`option ${shown} takes no value; ${more}`);
    }
    const { value = '', inlineValue } = token;
    const isMissing = value === '' || (inlineValue !== true && value.startsWith('--'));
    if (found.type === 'string' && isMissing) {
      throw new CommandLineError(`option ${shown} needs a value, ${found.value ?? ''}; ${more}`);
    }
  }
  if (spec.words === undefined && positionals.length > 0) {
    throw new CommandLineError(`${positionals[0] ?? ''} belongs to no option; ${more}`);
  }
  const given = Object.entries(options).map(([option, { type, byDefault, multiple }]) => {
    const none = type === 'boolean' ? false : multiple === true ? [] : byDefault;
    return [option, values[option] ?? none] as const;
  });
  return {
    values: Object.fromEntries(given) as unknown as OptionValues<Options>,
    words: positionals,
  };
}
