// Alias actions as requests name them, and what they change.

import type { JsonValue } from '../json/index';
import type { AliasMetadata } from './state';

/** One entry of an `_aliases` actions array, with lists allowed where single-alias endpoints take them. */
export interface AliasAction {
  readonly kind: 'add' | 'remove' | 'remove_index';
  /** Index expression parts. */
  readonly indices: readonly string[];
  /** add: exactly one literal name. remove: names, patterns, `_all`. remove_index: empty. */
  readonly aliases: readonly string[];
  readonly filter: JsonValue | undefined;
  readonly indexRouting: string | undefined;
  readonly searchRouting: string | undefined;
  /** add, beyond the reference: whether writes through the alias go to this index. */
  readonly isWriteIndex?: boolean | undefined;
  /** remove, beyond the reference: true refuses the request when the alias is missing, false tolerates it. */
  readonly mustExist?: boolean | undefined;
}

/** The difference between two states of the aliases. */
export interface AliasChanges {
  /** By index, only those with changes. */
  readonly indices: ReadonlyMap<
    string,
    {
      readonly added: readonly AliasMetadata[];
      readonly changed: readonly AliasMetadata[];
      readonly removed: readonly string[];
    }
  >;
  readonly removedIndices: readonly string[];
}
