// `_bulk`: many writes in one request, each with its own outcome (reference server). What is wrong with the
// request as a whole is found before anything is carried out; bodies too long for that are carried out while
// they arrive, and those of very many actions in pieces as well (bulk-in-pieces.ts).

import { Slices, validationFailed } from '../../engine/index';
import { type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import {
  ACTION_BYTES,
  ACTIONS_PER_LOOK,
  addProblems,
  bulkDefaults,
  checkCount,
  checkNames,
} from './bulk-checks';
import { bulkInPieces } from './bulk-in-pieces';
import { BulkItems } from './bulk-items';
import { parseBulk, type ParsedAction } from './bulk-parser';
import { checkIneffective } from './document-params';

/** An action takes a hundred times its length where that is a few bytes: more are not held at once. */
const HELD_ACTIONS = 32_768;

/** `POST|PUT [/{index}[/{type}]]/_bulk`. */
export async function bulk(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  const { params, rest } = request;
  const { engine, now } = context;
  const started = now();
  checkIneffective(params);
  if (rest !== undefined && rest !== null) return bulkInPieces(request, rest, context);
  const parsed = await readActions(request, context);
  if (parsed === null) return bulkInPieces(request, NOTHING_MORE, context);
  await checkNames(parsed);
  const actions = parsed.map(({ action }) => action);
  const results = await engine.bulk(actions, params.flag('refresh'));
  const took = Math.max(0, Math.round(now() - started));
  const items = new BulkItems();
  await items.add(actions, results);
  return { kind: 'chunks', status: 200, chunks: items.answer(`"took":${took}`), isOutcome: true };
}

const NOTHING_MORE = { next: () => Promise.resolve(null) };

/**
 * @returns null when there are too many to be held; they are checked, then
 * @throws EngineError 400 for more actions than a request may have, and what {@link parseBulk} throws
 */
async function readActions(
  { body, params, memory }: ApiRequest,
  { settings }: RouteContext,
): Promise<ParsedAction[] | null> {
  let actions: ParsedAction[] | null = [];
  let count = 0;
  const problems: string[] = [];
  const slices = new Slices(ACTIONS_PER_LOOK);
  for (const action of parseBulk(body, bulkDefaults(params))) {
    if (slices.isOver()) await slices.next();
    if (action === null) continue;
    checkCount(++count, settings);
    if (actions === null) {
      addProblems(problems, action);
      continue;
    }
    actions.push(action);
    if (actions.length % ACTIONS_PER_LOOK === 0) memory?.grow(ACTIONS_PER_LOOK * ACTION_BYTES);
    if (actions.length < HELD_ACTIONS) continue;
    for (const held of actions) addProblems(problems, held);
    memory?.shrink(HELD_ACTIONS * ACTION_BYTES);
    actions = null;
  }
  if (problems.length > 0) throw validationFailed(problems);
  return actions;
}
