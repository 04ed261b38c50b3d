// Administration: requests and results.

import type { JsonObject, JsonOutput } from '../json/index';
import type {
  BlockLevel,
  ClusterSettingsUpdate,
  IndicesOptions,
  TemplateParameters,
  AliasAction,
  AliasChanges,
} from '../metadata/index';
import type { VersionType } from './documents';
import type { ShardsHeader } from './search';
import type { IndexStats } from './statistics';

/** What a stored script is known by. */
export interface ScriptIdentity {
  readonly lang: string;
  readonly id: string;
}

/** The version of a stored script that a request counts on. */
export interface ScriptVersion {
  readonly version: number | undefined;
  readonly versionType: VersionType;
}

/** A stored script as it is shown. */
export interface ShownScript {
  readonly script: string;
  readonly version: number;
}

/** What a change of a stored script came to. */
export interface StoredScriptResult {
  /** True when there was one before. */
  readonly found: boolean;
  readonly version: number;
}

/**
 * Indices, mappings, settings, templates, warmers and aliases: each change is one atomic step of the
 * cluster state.
 */
export interface Administration {
  // indices
  createIndex(name: string, body: JsonObject): Promise<void>;
  deleteIndices(names: readonly string[], options: IndicesOptions): Promise<void>;
  /**
   * Names of concrete indices an expression stands for.
   *
   * @param level what is going to be done with them; a block that one of them has against it is 403
   */
  resolve(names: readonly string[], options: IndicesOptions, level?: BlockLevel): readonly string[];
  putMapping(
    names: readonly string[],
    type: string,
    body: JsonObject,
    options: IndicesOptions,
    ignoreConflicts: boolean,
  ): Promise<void>;
  /** Deletes types with their documents; type names may be patterns. */
  deleteMapping(
    names: readonly string[],
    types: readonly string[],
    options: IndicesOptions,
  ): Promise<void>;
  updateSettings(
    names: readonly string[],
    settings: JsonObject,
    options: IndicesOptions,
  ): Promise<void>;
  openIndices(names: readonly string[], options: IndicesOptions): Promise<void>;
  closeIndices(names: readonly string[], options: IndicesOptions): Promise<void>;

  // templates and warmers
  /** Adds or replaces an index template; with `create`, refuses to replace one. */
  putTemplate(
    name: string,
    body: JsonObject,
    create: boolean,
    parameters: TemplateParameters,
  ): Promise<void>;
  /** Removes the templates that a name or pattern matches. */
  deleteTemplates(name: string): Promise<void>;
  /** Stores a search with indices; it has to be one that can be run. */
  putWarmer(
    names: readonly string[],
    options: IndicesOptions,
    warmer: string,
    types: readonly string[],
    source: JsonObject,
  ): Promise<void>;
  /** Removes warmers by name or pattern. */
  deleteWarmers(
    names: readonly string[],
    options: IndicesOptions,
    warmers: readonly string[],
  ): Promise<void>;

  // cluster settings
  /** Persistent ones survive restarts, transient ones do not. */
  clusterSettings(): ClusterSettingsUpdate;
  /** Sets what is known of `{"persistent": {...}, "transient": {...}}`, and returns that. */
  updateClusterSettings(body: JsonObject): Promise<ClusterSettingsUpdate>;

  // aliases
  /** Applies the actions as one atomic change. */
  updateAliases(actions: readonly AliasAction[]): Promise<void>;
  /** What {@link updateAliases} would do now; nothing is changed. */
  previewAliases(actions: readonly AliasAction[]): AliasChanges;

  // analysis
  /** The tokens of `text` (reference server). `index` null: node-wide analyzers only. */
  analyze(request: AnalyzeRequest): JsonOutput;
}

/** What is done with the shards of indices as they are. Reports tell of each shard. */
export interface Maintenance {
  /** Makes all acknowledged writes of the indices searchable. */
  refresh(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader>;
  flush(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader>;
  /** Merges the segments of each shard towards `target`. */
  optimize(
    names: readonly string[],
    options: IndicesOptions,
    target: OptimizeTarget,
  ): Promise<ShardsHeader>;
  /** Forgets what is remembered of indices; it is worked out again when needed. */
  clearCaches(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader>;
  /** Statistics of indices that there are, in the order of their names as given. */
  stats(names: readonly string[]): Promise<readonly IndexStats[]>;
}

/** Stored scripts. All methods reject with an EngineError for an unknown language. */
export interface StoredScripts {
  /**
   * Stores a script that compiles.
   *
   * @param document the JSON that holds it as `script` or `template`
   * @param create refuse to replace one
   */
  put(
    identity: ScriptIdentity,
    document: Buffer,
    version: ScriptVersion,
    create: boolean,
  ): Promise<StoredScriptResult>;
  /** A stored script, or null. */
  get(identity: ScriptIdentity, version: ScriptVersion): Promise<ShownScript | null>;
  /** Deletes a stored script; of a missing one, too, a version is counted. */
  delete(identity: ScriptIdentity, version: ScriptVersion): Promise<StoredScriptResult>;
}

/** A text to take apart, and by what; undefined: not given. */
export interface AnalyzeRequest {
  readonly index: string | null;
  readonly text: string;
  readonly analyzer: string | undefined;
  readonly tokenizer: string | undefined;
  readonly tokenFilters: readonly string[];
  readonly charFilters: readonly string[];
  readonly field: string | undefined;
}

/** What `_optimize` is asked for. */
export interface OptimizeTarget {
  /** Segments to be left at most; null: only what is due anyway. */
  readonly maxSegments: number | null;
  /** Instead: rewrite segments with more than a few deleted documents. */
  readonly onlyExpungeDeletes: boolean;
}
