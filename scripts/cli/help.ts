// The text of --help, alike for all programs.

import type { OptionSpec, ProgramSpec } from './program-spec';
import { PROGRAM_TABLE } from './table';

/** Columns of a terminal. */
const WIDTH = 100;
/** Where the text of an option begins. */
const INDENT = 24;

/** What `--help` prints. */
export function helpText({
  name,
  summary,
  usage,
  description,
  options,
  exitCodes,
}: ProgramSpec): string {
  const parts = [
    `facetd ${name}: ${summary}\n`,
    usage.map((line, i) => `${i === 0 ? 'usage:' : '      '} facetd ${name} ${line}\n`).join(''),
    ...description.map((paragraph) => wrap(paragraph, 0)),
    `options:\n${Object.entries({ ...options, help: HELP })
      .map(([option, spec]) => optionHelp(option, spec))
      .join('')}`,
    `exit codes:\n${Object.entries(exitCodes)
      .map(([code, meaning]) => wrap(`${code.padStart(3)}  ${meaning}`, 7, 2))
      .join('')}`,
  ];
  return parts.join('\n');
}

/** Options of the server itself. */
export const SERVER_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  host: { type: 'string', value: 'ADDRESS', help: 'same as --set network.host=ADDRESS' },
  port: { type: 'string', value: 'PORT', help: 'same as --set http.port=PORT' },
  data: {
    type: 'string',
    value: 'FOLDER',
    completes: 'folder',
    help: 'same as --set path.data=FOLDER',
  },
  config: {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'same as --set path.config=FILE',
  },
  set: {
    type: 'string',
    value: 'NAME=VALUE',
    completes: 'setting',
    help: 'any setting, or an index.* default of new indices',
  },
  'insecure-bind': { type: 'boolean', help: 'same as --set network.insecure_bind=true' },
  version: { type: 'boolean', help: 'print the version' },
};

/** How `facetd` is used, with its sub-commands; what `facetd --help` begins with. */
export function facetdUsage(): string {
  const commands = PROGRAM_TABLE.map(({ name, summary }) =>
    wrap(`  ${name.padEnd(17)}${summary}`, 19, 0),
  );
  const options = Object.entries({ ...SERVER_OPTIONS, help: HELP });
  return `facetd: a persistent search server for one machine

usage: facetd [options]              serves http://127.0.0.1:9200 with its data in ./data
       facetd COMMAND [options]      facetd COMMAND --help says more

commands:
${commands.join('')}
options:
${options.map(([name, spec]) => optionHelp(name, spec)).join('')}
Settings come from the settings file, then environment variables, then options; later ones win.
`;
}

/** The option of every program. */
export const HELP: OptionSpec = { type: 'boolean', help: 'print this' };

/** `--keep N`. */
export function optionName(name: string, { value }: OptionSpec): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}

/** What an option is for, and its default. */
export function optionMeaning({ help, byDefault }: OptionSpec): string {
  return byDefault === undefined ? help : `${help} (default: ${byDefault})`;
}

function optionHelp(name: string, spec: OptionSpec): string {
  const left = `  ${optionName(name, spec)}`;
  const text = wrap(optionMeaning(spec), INDENT, INDENT);
  // A long name has a line of its own.
  return left.length + 2 > INDENT ? `${left}\n${text}` : left + text.slice(left.length);
}

/** A paragraph as lines; `indent` is of all lines but the first, which has `first`. */
export function wrap(text: string, indent: number, first = indent): string {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  let isEmpty = true;
  for (const word of text.split(/ (?! )/)) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = ' '.repeat(indent);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return `${[...lines, line].join('\n')}\n`;
}
