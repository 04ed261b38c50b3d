// Completion of commands and options in bash and zsh, made from the table of programs.

import { SERVER_OPTIONS } from './help';
import type { OptionSpec, OptionSpecs } from './program-spec';
import { PROGRAM_TABLE } from './table';

/** One thing to complete: the server itself, or a sub-command. */
interface Completed {
  /** Empty: the server. */
  readonly name: string;
  readonly options: OptionSpecs;
  readonly words: readonly string[];
}

const SERVER: Completed = {
  name: '',
  options: SERVER_OPTIONS,
  words: PROGRAM_TABLE.map(({ name }) => name),
};

const ALL: readonly Completed[] = [
  SERVER,
  ...PROGRAM_TABLE.map(({ name, options, words = [] }) => ({ name, options, words })),
];

/** What a shell has to read. @param settings names of all settings, for --set */
export function completionScript(shell: 'bash' | 'zsh', settings: readonly string[]): string {
  const script = bashScript(settings);
  // zsh runs completions of bash, and shows what they offer.
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

function bashScript(settings: readonly string[]): string {
  const names = PROGRAM_TABLE.filter(({ isCommand }) => isCommand).map(
    ({ name }) => `facetd-${name}`,
  );
  return `# Completion of facetd; made by \`facetd completion\`.
_facetd() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command=""
  case "\${COMP_WORDS[0]##*/}" in
    facetd-*) command="\${COMP_WORDS[0]##*/facetd-}"; command="\${command#facetd-}" ;;
    *) [ "$COMP_CWORD" -gt 1 ] && command="\${COMP_WORDS[1]}" ;;
  esac
  COMPREPLY=()
  case "$command" in
${ALL.slice(1).map(branch).join('\n')}
    *)
${offers(SERVER)}
      ;;
  esac
}
_facetd_settings="${settings.map((name) => `${name}=`).join(' ')}"
complete -o nosort -F _facetd facetd ${names.join(' ')} 2>/dev/null || complete -F _facetd facetd ${names.join(' ')}`;
}

function branch(completed: Completed): string {
  return `    ${completed.name})\n${offers(completed)}\n      ;;`;
}

/** What is offered after the words so far: the value of the option before, or options and words. */
function offers({ options, words }: Completed): string {
  const ofKind = (test: (option: OptionSpec) => boolean): string =>
    Object.entries(options)
      .filter(([, option]) => test(option))
      .map(([name]) => `--${name}`)
      .join('|');
  const values = [
    [ofKind(({ completes }) => completes === 'file'), 'compgen -f -- "$word"'],
    [ofKind(({ completes }) => completes === 'folder'), 'compgen -d -- "$word"'],
    [
      ofKind(({ completes }) => completes === 'setting'),
      'compgen -W "$_facetd_settings" -- "$word"',
    ],
    [ofKind(({ type, completes }) => type === 'string' && completes === undefined), ':'],
  ].filter(([names]) => names !== '');
  const all = [...words, ...Object.keys(options).map((name) => `--${name}`), '--help'].join(' ');
  const any = `COMPREPLY=($(compgen -W "${all}" -- "$word"))`;
  if (values.length === 0) return `      ${any}`;
  return [
    '      case "$before" in',
    ...values.map(([names, command]) => `        ${names}) COMPREPLY=($(${command})) ;;`),
    `        *) ${any} ;;`,
    '      esac',
  ].join('\n');
}
