// The command lines of all programs: what is said of each, and what is made of that.

export { facetdUsage, helpText, SERVER_OPTIONS } from './help';
export { completionScript } from './completion';
export { manPages } from './man';
export { CommandLineError, readOptions, type CommandLine } from './read-options';
export type { OptionSpec, OptionSpecs, OptionValues, ProgramSpec } from './program-spec';
export {
  BACKUP,
  COMPLETION,
  DEMO,
  IMPORT,
  INSTALL_SERVICE,
  KEYS,
  PROGRAM_TABLE,
  REINDEX,
  REPAIR,
  RESTORE,
  VERIFY,
} from './table';
