// What a bulk request has to be, whether it is carried out as a whole or in pieces.

import {
  appendAll,
  illegalArgument,
  Slices,
  validateWrite,
  validationFailed,
} from '../../engine/index';
import type { Params, RouteContext } from '../request/index';
import type { BulkDefaults, ParsedAction } from './bulk-parser';

/** Actions between two looks at the clock. */
export const ACTIONS_PER_LOOK = 64;

/** Memory that an action takes while it is carried out, beside its document. */
export const ACTION_BYTES = 1024;

/** What the URL gives to actions that do not say. */
export function bulkDefaults(params: Params): BulkDefaults {
  return {
    index: params.get('index'),
    type: params.get('type'),
    routing: params.get('routing'),
  };
}

/** @throws EngineError 400 for more actions than a request may have */
export function checkCount(count: number, { maxBulkActions }: RouteContext['settings']): void {
  if (count <= maxBulkActions) return;
  throw illegalArgument(
    `limit of [${maxBulkActions}] actions in a bulk request has been exceeded (http.max_bulk_actions)`,
  );
}

/** @throws EngineError 400 with all problems of all actions when an action lacks a name, or there is none */
export async function checkNames(parsed: readonly ParsedAction[]): Promise<void> {
  if (parsed.length === 0) throw validationFailed('no requests added');
  if (parsed.every(({ missing }) => missing.length === 0)) return;
  const problems: string[] = [];
  const slices = new Slices(ACTIONS_PER_LOOK);
  for (const action of parsed) {
    if (slices.isOver()) await slices.next();
    addProblems(problems, action);
  }
  throw validationFailed(problems);
}

/** Adds what an action lacks and what is wrong with it. */
export function addProblems(problems: string[], { action, missing }: ParsedAction): void {
  appendAll(problems, missing);
  appendAll(problems, validateWrite(action));
}
