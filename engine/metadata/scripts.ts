// Scripts by name: the index of stored ones, and those that the configuration holds.

/**
 * The index whose documents are the stored scripts and search templates (reference server): the type is the
 * language, the id the name.
 */
export const SCRIPTS_INDEX = '.scripts';

/** Sources of script files, by language and name. */
export type ScriptFiles = ReadonlyMap<ScriptLanguage, ReadonlyMap<string, string>>;

/** The languages that scripts may be written in; those in mustache are templates of searches. */
export type ScriptLanguage = 'groovy' | 'mvel' | 'expression' | 'mustache';
