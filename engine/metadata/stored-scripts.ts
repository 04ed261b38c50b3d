// Scripts by name, as cluster state and configuration hold them.

/** A script that requests name by its id. */
export interface StoredScript {
  /** Null: deleted. */
  readonly script: string | null;
  readonly version: number;
  /** Epoch milliseconds of the deletion, after which the version is remembered for a while; else null. */
  readonly deletedAt: number | null;
}

/** Stored scripts by {@link storedKey}. */
export type StoredScripts = ReadonlyMap<string, StoredScript>;

/** Sources of script files, by language and name. */
export type ScriptFiles = ReadonlyMap<ScriptLanguage, ReadonlyMap<string, string>>;

/** The languages that scripts may be written in; those in mustache are templates of searches. */
export type ScriptLanguage = 'groovy' | 'mvel' | 'expression' | 'mustache';
