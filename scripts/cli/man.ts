// Man pages, made from what is said of the programs and settings.

import { HELP, optionMeaning, SERVER_OPTIONS } from './help';
import type { OptionSpec, ProgramSpec } from './program-spec';
import { PROGRAM_TABLE } from './table';

/** A setting, as the man page of the server shows it. */
export interface ShownSetting {
  readonly name: string;
  readonly byDefault: string;
  readonly documentation: string;
}

/** The man pages of all programs by file name, such as `facetd-backup.1`. */
export function manPages(
  version: string,
  settings: readonly ShownSetting[],
): ReadonlyMap<string, string> {
  const pages = PROGRAM_TABLE.map(
    (spec) => [`facetd-${spec.name}.1`, programPage(spec, version)] as const,
  );
  return new Map([['facetd.1', serverPage(version, settings)], ...pages]);
}

function programPage(spec: ProgramSpec, version: string): string {
  const { name, summary, usage, description, options, exitCodes } = spec;
  return [
    title(`facetd-${name}`, version),
    section('NAME', `facetd\\-${roff(name)} \\- ${roff(summary)}`),
    section(
      'SYNOPSIS',
      usage.map((form) => `.B facetd ${roff(name)}\n${roff(form)}`).join('\n.br\n'),
    ),
    section('DESCRIPTION', description.map(roff).join('\n.PP\n')),
    section('OPTIONS', optionList(options)),
    section(
      'EXIT STATUS',
      Object.entries(exitCodes)
        .map(([code, meaning]) => item(code, meaning))
        .join('\n'),
    ),
    section('SEE ALSO', '.BR facetd (1)'),
  ].join('\n');
}

function serverPage(version: string, settings: readonly ShownSetting[]): string {
  const commands = PROGRAM_TABLE.map(({ name, summary }) => item(`facetd ${name}`, summary));
  const entries = settings.map(({ name, byDefault, documentation }) =>
    item(name, `${documentation} Default: ${byDefault === '' ? 'none' : byDefault}.`),
  );
  const also = PROGRAM_TABLE.map(({ name }) => `.BR facetd\\-${roff(name)} (1)`).join(',\n');
  return [
    title('facetd', version),
    section('NAME', 'facetd \\- a persistent search server for one machine'),
    section('SYNOPSIS', '.B facetd\n[options]\n.br\n.B facetd\nCOMMAND [options]'),
    section(
      'DESCRIPTION',
      roff(
        'Serves the HTTP interface of Elasticsearch 0.90 to 1.7 on http://127.0.0.1:9200, with its data in ./data, unless told otherwise. Settings come from the settings file, then environment variables, then options; later ones win.',
      ),
    ),
    section('COMMANDS', commands.join('\n')),
    section('OPTIONS', optionList(SERVER_OPTIONS)),
    section('SETTINGS', entries.join('\n')),
    section('SEE ALSO', also),
  ].join('\n');
}

function title(name: string, version: string): string {
  return `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 "" "facetd ${version}" "facetd"`;
}

function section(name: string, text: string): string {
  return `.SH ${name}\n${text}`;
}

function optionList(options: Readonly<Record<string, OptionSpec>>): string {
  return Object.entries({ ...options, help: HELP })
    .map(([name, spec]) => {
      const value = spec.value === undefined ? '' : ` \\fI${roff(spec.value)}\\fR`;
      return `.TP\n\\fB\\-\\-${roff(name)}\\fR${value}\n${roff(optionMeaning(spec))}`;
    })
    .join('\n');
}

function item(term: string, text: string): string {
  return `.TP\n.B ${roff(term)}\n${roff(text)}`;
}

/** Text that roff takes literally, also at the beginning of a line. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
