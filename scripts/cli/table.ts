// All programs of the package: what each is called, what it does, and its options. --help, completions in
// shells and man pages come from here; a test compares package.json and scripts/dev/programs.mjs with it.

import { defineProgram, type OptionSpec, type ProgramSpec } from './program-spec';

const URL_OPTION = {
  type: 'string',
  value: 'URL',
  byDefault: 'http://127.0.0.1:9200',
  help: 'the running server, such as http://127.0.0.1:9200 or, with a key, https://ID:SECRET@host:9200',
} as const satisfies OptionSpec;
const REPOSITORY = {
  type: 'string',
  value: 'NAME',
  byDefault: 'backup',
  help: 'the repository on the server',
} as const satisfies OptionSpec;
const JSON_OPTION = {
  type: 'boolean',
  help: 'print the outcome, also an error, as one line of JSON',
} as const satisfies OptionSpec;
const DATA = {
  type: 'string',
  value: 'FOLDER',
  completes: 'folder',
  help: 'the data folder (setting path.data); no server may use it meanwhile',
} as const satisfies OptionSpec;

const ASKS_EXIT = { 0: 'done', 1: 'failed or refused; the message says why' };
const USAGE_EXIT = { 78: 'options that cannot be used' };
const FOLDER_EXIT = {
  2: 'could not run',
  64: 'options that cannot be used',
  78: 'the folder has a format that this release does not read',
};

export const BACKUP = defineProgram({
  name: 'backup',
  file: 'scripts/backup',
  isCommand: true,
  summary: 'takes a snapshot of a running server, and deletes old ones',
  usage: ['[--url URL] [--keep N] [--keep-days N] [--verify] [--json]'],
  description: [
    'The server writes the snapshot into a repository, a folder below one of those that its setting path.repo names. The repository is set up on first use. Backups are named by the time, in UTC; only those are ever deleted.',
  ],
  options: {
    url: URL_OPTION,
    repository: REPOSITORY,
    location: {
      type: 'string',
      value: 'FOLDER',
      byDefault: 'backup',
      help: 'where the repository is made on first use, below path.repo of the server',
    },
    indices: { type: 'string', value: 'LIST', help: 'names and patterns with commas; all indices' },
    keep: { type: 'string', value: 'N', help: 'delete all but the N newest backups' },
    'keep-days': {
      type: 'string',
      value: 'N',
      help: 'delete backups older than N days; with --keep what either keeps is kept',
    },
    verify: {
      type: 'boolean',
      help: 'read every file of the new backup back and compare checksums',
    },
    json: JSON_OPTION,
  },
  exitCodes: {
    ...ASKS_EXIT,
    2: 'the backup is incomplete, or a file of it is damaged',
    78: 'options that cannot be used, or a server without path.repo',
  },
});

export const RESTORE = defineProgram({
  name: 'restore',
  file: 'scripts/restore',
  isCommand: true,
  summary: 'brings indices back from a backup, into a running server or a data folder',
  usage: [
    '--list [--url URL]',
    '[--snapshot NAME] [--indices LIST] [--rename P=R] [--force] [--url URL]',
    '--into FOLDER --location FOLDER [--snapshot NAME]',
  ],
  description: [
    'Every file of the backup is verified before anything is changed, and an index appears when it is complete, or not at all.',
  ],
  options: {
    list: { type: 'boolean', help: 'list the backups of the repository' },
    snapshot: { type: 'string', value: 'NAME', help: 'the backup; the newest complete one' },
    indices: { type: 'string', value: 'LIST', help: 'indices of the backup, with commas; all' },
    rename: {
      type: 'string',
      value: 'P=R',
      help: "rename indices: a regular expression and what replaces it, such as '(.+)=restored-$1'",
    },
    force: {
      type: 'boolean',
      help: 'replace indices that exist, and restore into a data folder that is not empty',
    },
    url: URL_OPTION,
    into: {
      type: 'string',
      value: 'FOLDER',
      completes: 'folder',
      help: 'restore into a data folder that no server has open, instead',
    },
    repository: REPOSITORY,
    location: {
      type: 'string',
      value: 'FOLDER',
      completes: 'folder',
      help: 'folder of the repository, where the server does not know it; --into needs it',
    },
    json: JSON_OPTION,
  },
  exitCodes: { ...ASKS_EXIT, 2: 'the backup is damaged', ...USAGE_EXIT },
});

export const REINDEX = defineProgram({
  name: 'reindex',
  file: 'scripts/reindex',
  isCommand: true,
  summary: 'copies an index while it is written to, and moves an alias to the copy',
  usage: ['--source INDEX --dest INDEX [--swap ALIAS] [options]'],
  description: ['Interrupted (Ctrl-C), it has the server stop copying.'],
  options: {
    source: { type: 'string', value: 'INDEX', help: 'index or alias to copy; several with commas' },
    dest: {
      type: 'string',
      value: 'INDEX',
      help: 'where to; made like the source if it does not exist',
    },
    swap: {
      type: 'string',
      value: 'ALIAS',
      help: 'move this alias to the copy at the end: no write is lost',
    },
    settings: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'settings of the new index beside those of the source, in JSON',
    },
    mappings: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'mappings of the new index by type, instead of those of the source, in JSON',
    },
    query: { type: 'string', value: 'JSON', help: 'only documents that match' },
    script: {
      type: 'string',
      value: 'TEXT',
      help: 'a script that changes each document (ctx._source), or leaves it out (ctx.op = "none")',
    },
    size: { type: 'string', value: 'N', help: 'only so many documents' },
    rate: { type: 'string', value: 'N', help: 'documents per second at most' },
    proceed: {
      type: 'boolean',
      help: 'leave out documents that are there already, or are newer there',
    },
    url: URL_OPTION,
    json: JSON_OPTION,
  },
  exitCodes: {
    ...ASKS_EXIT,
    2: 'documents could not be copied, or it was cancelled',
    ...USAGE_EXIT,
  },
});

export const IMPORT = defineProgram({
  name: 'import',
  file: 'scripts/import',
  isCommand: true,
  summary: 'moves everything from a running server of 0.90 to 1.7, or from and to files',
  usage: [
    '--from URL [--to URL] [--indices PATTERN] [options]',
    '--from URL --to FOLDER [--indices PATTERN] [options]',
    '--from FILE|FOLDER [--to URL] [--index NAME] [--type NAME] [options]',
    '--from URL|PATH --into FOLDER [options]',
  ],
  description: [
    'Copies settings, mappings, aliases, templates, warmers, stored scripts, percolator queries and documents with their versions, and compares both sides at the end. Killed at any moment, it goes on from its state file when it is run again.',
    'Keys: http://user:password@host, or the pair in FACETD_SOURCE_KEY for the old server and in FACETD_CLIENT_KEY for the target, where other users of the machine do not see it.',
  ],
  options: {
    from: {
      type: 'string',
      value: 'URL|PATH',
      completes: 'file',
      help: 'the old server; or a dump as elasticdump makes it, a file or a folder; or a CSV or JSON file',
    },
    to: {
      type: 'string',
      value: 'URL|FOLDER',
      byDefault: 'http://127.0.0.1:9200',
      completes: 'folder',
      help: 'the server to write to, or a folder for a dump',
    },
    into: {
      type: 'string',
      value: 'FOLDER',
      completes: 'folder',
      help: 'write into a data folder that no server has open, instead',
    },
    indices: {
      type: 'string',
      value: 'PATTERN',
      byDefault: '*',
      help: 'names of indices with *, separated by commas; -name leaves out',
    },
    index: { type: 'string', value: 'NAME', help: 'of a file: the index of all its documents' },
    type: { type: 'string', value: 'NAME', help: 'of a file: the type of all its documents' },
    'id-field': {
      type: 'string',
      value: 'NAME',
      help: 'of a CSV or JSON file: the field with the ids; otherwise documents are numbered',
    },
    delimiter: {
      type: 'string',
      value: 'TEXT',
      help: 'of a CSV file: what stands between values; a comma, or a tab in .tsv',
    },
    'dry-run': {
      type: 'boolean',
      help: 'show the mappings that are guessed of a CSV or JSON file, and change nothing',
    },
    state: {
      type: 'string',
      value: 'FILE',
      byDefault: 'facetd-import.json',
      completes: 'file',
      help: 'what is done, for going on after an end',
    },
    parallel: {
      type: 'string',
      value: 'N',
      byDefault: '4',
      help: 'shards that are read at a time',
    },
    verify: {
      type: 'string',
      value: 'LEVEL',
      byDefault: 'facets',
      help: 'none, counts, checksums (over ids and versions), or facets (of keyword fields, too)',
    },
    merge: {
      type: 'boolean',
      help: 'write into indices that exist already, with their settings and mappings',
    },
    mirror: { type: 'boolean', help: 'delete from the target what the source does not have' },
    retries: {
      type: 'string',
      value: 'N',
      byDefault: '8',
      help: 'how often a request is sent again when a server is busy or away',
    },
    'from-header': {
      type: 'string',
      value: 'TEXT',
      multiple: true,
      help: 'sent with each request to the old server, such as "Authorization: Bearer X"',
    },
    'to-header': { type: 'string', value: 'TEXT', multiple: true, help: 'the same for the target' },
    'from-ca': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: "certificates (PEM) of authorities to trust instead of the system's",
    },
    'to-ca': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'the same for the target',
    },
    report: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'write the report there as JSON as well',
    },
    quiet: { type: 'boolean', help: 'show no progress' },
    json: JSON_OPTION,
  },
  exitCodes: { ...ASKS_EXIT, 2: 'something differs; the report says what', ...USAGE_EXIT },
});

export const VERIFY = defineProgram({
  name: 'verify',
  file: 'scripts/check/verify',
  isCommand: true,
  summary: 'looks through a data folder that no server uses, and changes nothing',
  usage: ['--data FOLDER'],
  description: [
    'Checks all checksums (files, records, blocks), that everything referred to is there, and that no acknowledged batch is missing.',
  ],
  options: { data: DATA },
  exitCodes: { 0: 'whole', 1: 'damaged', ...FOLDER_EXIT },
});

export const REPAIR = defineProgram({
  name: 'repair',
  file: 'scripts/check/repair',
  isCommand: true,
  summary: 'keeps what is whole of a damaged data folder',
  usage: ['--data FOLDER --yes'],
  description: [
    'Copies all that is whole into new databases, builds the segments of damaged shards again from the document log, and says what is lost. The old databases are moved aside, into FOLDER/damaged-*, for you to delete. Twice as much free space as the folder takes is needed. Run it as the user of the service.',
  ],
  options: {
    data: DATA,
    yes: { type: 'boolean', help: 'do it; nothing is changed without it' },
  },
  exitCodes: { 0: 'nothing is lost', 1: 'something is lost', ...FOLDER_EXIT },
});

export const KEYS = defineProgram({
  name: 'keys',
  file: 'scripts/keys',
  isCommand: false,
  summary: 'makes, lists, replaces and revokes keys',
  usage: [
    'create ID [--role NAME | --role-file FILE | --read NAMES | --write NAMES] --data FOLDER | --url URL',
    'list | revoke ID | rotate ID --data FOLDER | --url URL',
  ],
  description: [
    'In the data folder of a node that does not run, as the user of the service, or by a running node. Prints one line of JSON. A secret is in it when it is made, and never again.',
  ],
  words: ['create', 'list', 'revoke', 'rotate'],
  options: {
    data: { ...DATA, help: `${DATA.help}; --url asks a running one` },
    url: {
      type: 'string',
      value: 'URL',
      help: 'the running server, http://ID:SECRET@host:9200, or the pair in FACETD_CLIENT_KEY',
    },
    role: {
      type: 'string',
      value: 'NAME',
      help: 'admin (everything), monitor (figures), backup (snapshots and figures)',
    },
    'role-file': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'any other role, as docs/security.md has them',
    },
    read: {
      type: 'string',
      value: 'NAMES',
      help: 'read these indices and aliases; names with *, separated by commas',
    },
    write: { type: 'string', value: 'NAMES', help: 'read and write them, and create them' },
    'expires-in': {
      type: 'string',
      value: 'TIME',
      help: 'such as 30d; without it the key does not expire',
    },
    'secret-file': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'takes the secret from a file, which only its owner may read, instead of making one',
    },
  },
  exitCodes: { ...ASKS_EXIT, ...USAGE_EXIT },
});

export const DEMO = defineProgram({
  name: 'demo',
  file: 'scripts/demo',
  isCommand: false,
  summary: 'loads 3,200 movies, shows a search, facets and an alias swap, and where to look around',
  usage: ['[--url URL]'],
  description: [
    'Starts a server of its own over a temporary folder, which on a terminal stays until Ctrl-C. With --url a running server is used: its indices movies-1, movies-2 and airports are replaced.',
  ],
  options: { url: { type: 'string', value: 'URL', help: 'a running server to use instead' } },
  exitCodes: { ...ASKS_EXIT, ...USAGE_EXIT },
});

export const INSTALL_SERVICE = defineProgram({
  name: 'install-service',
  file: 'scripts/install-service/main',
  isCommand: false,
  summary: 'sets up a systemd service',
  usage: ['[--memory SIZE] [--no-start] [--dry-run] [--root DIR]', '--uninstall [--dry-run]'],
  description: [
    'User, folders, configuration, units, and the timer of the daily backup. It may be run again at any time: what is there is compared and only changed where it differs. An existing configuration is never touched.',
  ],
  options: {
    memory: {
      type: 'string',
      value: 'SIZE',
      help: 'node.memory of the service, such as 512mb or 2gb; the limits of the unit follow it (default: a quarter of the machine, at most 2gb)',
    },
    'no-start': { type: 'boolean', help: 'install and enable, but start nothing' },
    uninstall: {
      type: 'boolean',
      help: 'remove units and links; data, configuration and user stay',
    },
    'dry-run': { type: 'boolean', help: 'only print what would be done' },
    root: {
      type: 'string',
      value: 'DIR',
      byDefault: '/',
      completes: 'folder',
      help: 'install below DIR and run no commands',
    },
  },
  exitCodes: { 0: 'done', 1: 'failed', 2: 'options that cannot be used' },
});

export const COMPLETION = defineProgram({
  name: 'completion',
  file: 'scripts/completion',
  isCommand: false,
  summary: 'prints what a shell needs to complete commands and options',
  usage: ['bash | zsh'],
  description: ['bash: source <(facetd completion bash).  zsh: source <(facetd completion zsh).'],
  words: ['bash', 'zsh'],
  options: {},
  exitCodes: { 0: 'done', ...USAGE_EXIT },
});

/** All of them, in the order of the help. */
export const PROGRAM_TABLE: readonly ProgramSpec[] = [
  BACKUP,
  RESTORE,
  REINDEX,
  IMPORT,
  VERIFY,
  REPAIR,
  KEYS,
  DEMO,
  INSTALL_SERVICE,
  COMPLETION,
];
