// Copying an index into another while it is written to, as a task: requests, progress and results. The
// request follows `_reindex` of later versions of the reference server where that has a word for it.

import type { EngineError } from '../errors';
import type { JsonObject, JsonValue } from '../json/index';

/** An index to be copied, and where to. */
export interface ReindexRequest {
  readonly source: {
    /** Names of indices or aliases, whose filters and routing select documents. */
    readonly indices: readonly string[];
    /** Empty: all. */
    readonly types: readonly string[];
    /** Undefined: every document. */
    readonly query: JsonValue | undefined;
  };
  readonly destination: {
    readonly index: string;
    /** The mapping type of all copies; undefined: each its own. */
    readonly type: string | undefined;
    /** Settings of the new index beside those of the source, as a create-index request has them. */
    readonly settings: JsonObject | undefined;
    /** Mappings of the new index, by type, instead of those of the source. */
    readonly mappings: JsonObject | undefined;
    /**
     * `internal`: copies are numbered by their index; `external`: they have the version of their source and
     * do not replace newer ones; undefined: they have it and replace whatever is there, in an index that the
     * request makes, else as `internal`.
     */
    readonly versionType: 'internal' | 'external' | undefined;
    /** Only documents that are not there yet. */
    readonly create: boolean;
  };
  /** The members of the request that make a script, as in an update request; undefined: none. */
  readonly script: JsonObject | undefined;
  /** Go on when a document in the destination is newer, or is there already. */
  readonly proceedsOnConflict: boolean;
  /** How many documents are copied; undefined: all, and what is written meanwhile. */
  readonly size: number | undefined;
  /** The alias that the destination takes from the source at the end. */
  readonly swapAlias: string | undefined;
  /** Documents per second at most; undefined: as fast as it goes. */
  readonly documentsPerSecond: number | undefined;
  /** Whether copies are visible when it ends; they are in any case when an alias is swapped. */
  readonly refresh: boolean;
}

/** How far copying is. */
export interface ReindexStatus {
  /** Documents there were to copy when it began. */
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  /** Documents that were deleted from the source, or stopped to match, since they were copied. */
  readonly deleted: number;
  /** Slices of the document log. */
  readonly batches: number;
  readonly versionConflicts: number;
  /** Documents that the script left out. */
  readonly noops: number;
  /** How often it went through what was written since the last time. */
  readonly rounds: number;
  /** Records of the document log that are not carried over yet. */
  readonly behind: number;
}

/** A document that could not be copied. */
export interface ReindexFailure {
  readonly index: string;
  readonly type: string;
  readonly id: string;
  readonly cause: EngineError;
}

/** What became of it. */
export interface ReindexResult extends ReindexStatus {
  readonly tookMs: number;
  readonly failures: readonly ReindexFailure[];
  readonly isCancelled: boolean;
  /** The alias that was moved; null where none was asked for, or documents failed. */
  readonly swapped: {
    readonly alias: string;
    readonly from: readonly string[];
    readonly to: string;
    /** How long writes to the source waited for it, in milliseconds. */
    readonly heldMs: number;
  } | null;
}

/** A task that runs, or has run. */
export interface TaskInfo {
  readonly id: number;
  readonly action: string;
  readonly description: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly runningMs: number;
  readonly isCancelled: boolean;
  readonly status: ReindexStatus;
  /** Null while it runs. */
  readonly outcome: { readonly result: ReindexResult } | { readonly error: EngineError } | null;
}

/** Copies indices. */
export interface Reindexing {
  /**
   * Checks a request, makes the destination and begins to copy.
   * @throws EngineError when it cannot begin
   */
  start(request: ReindexRequest): Promise<TaskInfo>;
  /** Tasks that run, oldest first. */
  running(): readonly TaskInfo[];
  /** @throws EngineError 404 for a task that is not known, or was long ago */
  task(id: number): TaskInfo;
  /** Resolves when it is over. @throws EngineError as {@link task} */
  settled(id: number): Promise<TaskInfo>;
  /** Has it end soon; resolves when it has. @throws EngineError as {@link task} */
  cancel(id: number): Promise<TaskInfo>;
}
