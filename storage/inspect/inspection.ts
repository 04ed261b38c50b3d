// What looking through a data folder finds.

import type { DatabaseName, KeyValueDatabase } from '../key-value-database';
import type { Stamp } from '../stamp';
import type { CommitPoint, ShardId, UidEntry } from '../types';
import type { LostKeys } from './table-file';

/** What was found in a data folder. */
export interface Inspection {
  /** Null when it is missing or damaged. */
  readonly stamp: Stamp | null;
  /** Of the stamp, else of the log. */
  nodeId: string;
  /** Damage, one sentence each. */
  readonly problems: string[];
  /** What is gone or can no longer be read, one sentence each; each is a problem as well. */
  readonly lost: string[];
  /** What no shard needs; start-up or a repair removes it. */
  readonly leftovers: string[];
  /** Keys of the document log that its damaged tables held. */
  readonly lostKeys: LostKeys[];
  /** Cluster metadata that is whole. */
  readonly metadata: Map<string, Buffer>;
  /** Cluster metadata is damaged: only a backup helps. */
  isMetadataDamaged: boolean;
  /** Commit points; null when damaged. */
  readonly commits: Map<ShardId, CommitPoint | null>;
  /** Shards whose segments have to be built again. */
  readonly damagedShards: Set<ShardId>;
  /** By the key in hex: uid entries that are missing or older than a record, as the newest record says. */
  readonly renewedUids: Map<string, UidEntry>;
  /** Batches are gone, and with them anything. */
  isLogIncomplete: boolean;
  /** Highest batch number found. */
  lastBatch: number;
  documents: number;
  values: number;
}

/** Told how far the reading is: bytes of files, then values. */
export type OnProgress = (phase: 'files' | DatabaseName, done: number, total: number) => void;

/** The databases of a folder, opened as copies. */
export type OpenedCopies = ReadonlyMap<DatabaseName, KeyValueDatabase>;
