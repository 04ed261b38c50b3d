// Writes through an alias that is moved while they are under way.
//
// An operation resolves its alias before it waits for its turn in the document log. If an `_aliases` action
// comes first there, the document would go to the index that the alias has left, acknowledged and invisible.
// So the writer compares, in its turn, the alias as it was resolved with the alias as it is, and the
// operation begins again where they differ. Writes through an alias are therefore in order with its changes,
// which the reference server does not promise.

import { EngineError } from '../errors';
import type { AliasMetadata, IndexMetadata } from '../metadata/index';

/** How often an operation begins again before it is given up: each time somebody has changed the alias. */
const ATTEMPTS = 100;

/** The alias of a write is not what it was when the write was planned; nothing was written. 503 at last. */
export class AliasMoved extends EngineError {
  constructor(alias: string) {
    super('ElasticsearchIllegalStateException', `the alias [${alias}] is being changed`, {
      status: 503,
    });
  }
}

/** @throws AliasMoved unless the index has the alias as it was resolved; null: it was not named by one */
export function assertAliasStays(index: IndexMetadata, alias: AliasMetadata | null): void {
  if (alias === null || index.aliases.get(alias.name) === alias) return;
  throw new AliasMoved(alias.name);
}

/** Runs an operation from its beginning until no alias moves meanwhile. @throws what it throws */
export async function afterAliasMoves<T>(operation: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof AliasMoved) || attempt === ATTEMPTS) throw error;
    }
  }
}
