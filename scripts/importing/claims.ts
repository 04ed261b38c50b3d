// Which indices of the target are this import's to make.

import { EXIT, ExitError } from '../common/program';
import { HttpError } from './connection';
import type { IndexDefinition } from './definition';
import type { ImportState } from './state';
import type { Target } from './target';

/**
 * Looks for indices that the target has already; nothing is changed.
 *
 * @throws ExitError when there are some that no run before this one has made, unless they may be written to
 */
export async function refuseTaken(
  names: readonly string[],
  target: Target,
  state: ImportState,
  isMerge: boolean,
): Promise<void> {
  const taken: string[] = [];
  for (const name of names) {
    const known = state.index(name);
    if (known.isOwn || !(await target.has(name))) continue;
    known.isCreated = true;
    taken.push(name);
  }
  if (taken.length === 0 || isMerge) return;
  const more = taken.length > 10 ? ', …' : '';
  throw new ExitError(
    EXIT.failed,
    `the target has ${taken.slice(0, 10).join(', ')}${more} already; --merge writes into what is there, ` +
      'with its settings and mappings as they are',
  );
}

/** Makes an index unless it is there. Returns why the target refuses it, or null. */
export async function createIndex(
  definition: IndexDefinition,
  target: Target,
  state: ImportState,
): Promise<string | null> {
  const known = state.index(definition.name);
  if (known.isCreated) return null;
  // Said first: an index that is made by a run that ends here is ours for the next one.
  known.isOwn = true;
  state.save();
  try {
    await target.create(definition);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    known.isOwn = false;
    state.save();
    return (
      `the target refuses it: ${error.reason}; ` +
      'make an index of that name there and run again with --merge'
    );
  }
  known.isCreated = true;
  state.save();
  return null;
}
