// Cluster state: one immutable value. Every change makes a new one; readers hold whichever they took and
// never see half of a change.

import type { JsonObject } from '../json/index';
import type { FieldId, FieldKind } from './field';
import type { AccessKeys } from './access-key';
import type { FieldLists } from './field-lists';

/** An alias entry of one index (reference server). */
export interface AliasMetadata {
  readonly name: string;
  /** Parsed again at each search, so that `now` is current; null: no filter. */
  readonly filter: JsonObject | null;
  readonly indexRouting: string | null;
  /** May hold several values separated by commas; kept verbatim. */
  readonly searchRouting: string | null;
  /** Beyond the reference: the write target among several indices; null when not given. */
  readonly isWriteIndex: boolean | null;
}

/** A physical field of an index: (name, kind) has one id for the life of the index. */
export interface FieldIdentity {
  readonly id: FieldId;
  readonly name: string;
  readonly kind: FieldKind;
}

export interface IndexMetadata {
  /** Never reused. */
  readonly id: number;
  readonly name: string;
  readonly uuid: string;
  readonly state: 'open' | 'close';
  /** Flat, with the prefix `index.`; every value a string or a list of strings. */
  readonly settings: ReadonlyMap<string, string | readonly string[]>;
  /** Canonical mapping of each type, in the order in which types were added. */
  readonly mappings: ReadonlyMap<string, JsonObject>;
  readonly aliases: ReadonlyMap<string, AliasMetadata>;
  /** `{"types": [...], "source": {...}}` by name. */
  readonly warmers: ReadonlyMap<string, JsonObject>;
  /** Storage ids of the shards, by shard number. Never reused. */
  readonly shardIds: readonly number[];
  /** All physical fields ever mapped, by `name\u0000kind`. */
  readonly fields: ReadonlyMap<string, FieldIdentity>;
  /** Grows with every change of this index's metadata. */
  readonly version: number;
  /** Set where a key sees some documents only. Whoever goes from here to documents minds it. */
  readonly view?: IndexView;
}

/** What a key sees of an index. */
export interface IndexView {
  /** Documents that match one of these; null: all. */
  readonly filters: readonly JsonObject[] | null;
  /** Null: all fields are seen. */
  readonly fields: FieldView | null;
}

/** What a key sees of the fields of an index. Its mappings, and filters of aliases, are left out as well. */
export interface FieldView {
  readonly lists: FieldLists;
  /** The index as it is. What documents are confined to may go by fields that are not seen. */
  readonly whole: IndexMetadata;
  /** Names of fields that are copied to out of fields that are not seen. */
  readonly copiedTo: ReadonlySet<string>;
}

export interface ClusterState {
  /** Grows with every change. */
  readonly version: number;
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  /** Index templates as `parseTemplate` returns them. */
  readonly templates: ReadonlyMap<string, JsonObject>;
  readonly persistentSettings: ReadonlyMap<string, string>;
  readonly repositories: ReadonlyMap<string, JsonObject>;
  /** Who may use the node, where it asks. */
  readonly keys: AccessKeys;
  /** When keys were last used, in epoch milliseconds, some minutes ago. */
  readonly keyUses: ReadonlyMap<string, number>;
  /** Next unused ids. Segment ids are handed out by the engine from their own counter. */
  readonly nextIndexId: number;
  readonly nextShardId: number;
  /** Set where this is not the state itself but the part of it that a key may see. */
  readonly restriction?: StateRestriction;
}

/** How a state that shows a part only answers for the rest. */
export interface StateRestriction {
  /** Whether an index or alias of this name would be shown if there were one. */
  covers(name: string): boolean;
}

/** How index expressions are resolved (reference server). */
export interface IndicesOptions {
  readonly ignoreUnavailable: boolean;
  readonly allowNoIndices: boolean;
  readonly expandOpen: boolean;
  readonly expandClosed: boolean;
  readonly forbidClosed: boolean;
}
