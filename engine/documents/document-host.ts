// What the document APIs need from the engine around them.

import type { ClusterStateService, IndexMetadata } from '../metadata/index';
import type { ScriptLibrary } from '../script/index';
import type { IndexService } from '../shard/index';
import type { LogReader, LogStore } from '../../storage/index';

/** Given by whoever puts the engine together; accessors where storage may be reopened. */
export interface DocumentHost {
  readonly cluster: ClusterStateService;
  readonly log: () => LogStore;
  /** Records of the log, through a cache of those shown lately. */
  readonly recordCache: Pick<LogReader, 'readRecord'>;
  readonly now: () => number;
  /** The scripts that the updates of a request may name. */
  readonly scripts: () => ScriptLibrary;
  /** The open index, or null when it is closed or gone. */
  indexService(metadata: IndexMetadata): IndexService | null;
  /**
   * Creates a missing index with default settings.
   *
   * @param types of the documents it is created for; with one that cannot be, no index is created
   * @throws EngineError also when automatic creation is off
   */
  autoCreate(name: string, types: readonly string[]): Promise<void>;
}
