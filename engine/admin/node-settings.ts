// What the engine needs to know about its node. The server layer builds it from configuration.

import type { RequestLimits } from '../common/index';
import type { SearchType } from '../api/index';
import type { ClusterLimits } from '../metadata/index';

/** What open scrolls of a node may take. */
export interface NodeScrollLimits {
  /** Scrolls open at a time. */
  readonly maxOpen: number;
  /** The longest keep-alive, in milliseconds. */
  readonly maxKeepAliveMs: number;
  /** How often it is looked for scrolls that nobody asks for any more, in milliseconds. */
  readonly reapMs: number;
}

/** Settings of a node of the embedded engine. */
export interface NodeSettings {
  /** Folder that holds both databases and the stamp. */
  readonly dataPath: string;
  /** Folder of index templates and default mappings; may be missing. */
  readonly configPath: string;
  /** Folders below which snapshot repositories may be. */
  readonly repositoryPaths: readonly string[];
  readonly clusterName: string;
  readonly nodeName: string;
  /** Defaults of new indices, flat with the prefix `index.` (`index.number_of_shards`, ...). */
  readonly indexDefaults: ReadonlyMap<string, string>;
  readonly defaultSearchType: SearchType;
  /** One budget for all caches and requests, in bytes. */
  readonly memoryBytes: number;
  /** Bytes that stored queries in memory may take; missing: a quarter of {@link memoryBytes}. */
  readonly storedQueryMemory?: number;
  /** Bytes of a document that is tried against stored queries; missing: 1 MB. */
  readonly percolatedDocumentSize?: number;
  /** Available bytes on the disk of the data folder below which writes are refused; 0: never. */
  readonly minFreeBytes: number;
  /** Search worker threads; 0 runs searches on the main thread. */
  readonly workers: number;
  /** Further threads that read; 0 where it is missing. They are started by whoever takes requests on them. */
  readonly readers?: number;
  /** Searches that may wait for a thread; -1: any number. The default where it is missing. */
  readonly searchQueue?: number;
  /** What clients may add to the cluster state and to mappings. */
  readonly limits: ClusterLimits;
  /** Whether a write to a missing index creates it. */
  readonly autoCreateIndex: boolean;
  /** Refuse to delete indices by pattern or `_all`. */
  readonly destructiveRequiresName: boolean;
  /** What requests may ask for; where one is missing the default holds. */
  readonly requestLimits?: Partial<RequestLimits>;
  /** What open scrolls may take; where one is missing the default holds. */
  readonly scrollLimits?: Partial<NodeScrollLimits>;
  /** Open although batch numbers show that acknowledged writes are gone. */
  readonly acceptDataLoss: boolean;
  /** Whether the checksums of all tables are checked first when the last process ended unexpectedly. */
  readonly checkAfterCrash?: boolean;
}
