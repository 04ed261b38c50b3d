// `_bulk`: many writes in one request, each with its own outcome (reference server). What is wrong with the
// request as a whole is found before anything is carried out; bodies too long for that are carried out while
// they arrive (bulk-in-pieces.ts).

import { Slices } from '../../engine/index';
import { type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import { bulkDefaults, checkCount, checkNames } from './bulk-checks';
import { bulkInPieces } from './bulk-in-pieces';
import { BulkItems } from './bulk-items';
import { parseBulk, type ParsedAction } from './bulk-parser';
import { checkIneffective } from './document-params';

/** Actions between two looks at the clock. */
const ACTIONS_PER_LOOK = 64;

/** `POST|PUT [/{index}[/{type}]]/_bulk`. */
export async function bulk(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  const { params, rest } = request;
  const { engine, now } = context;
  const started = now();
  checkIneffective(params);
  if (rest !== undefined && rest !== null) return bulkInPieces(request, rest, context);
  const parsed = await readActions(request, context);
  await checkNames(parsed);
  const actions = parsed.map(({ action }) => action);
  const results = await engine.bulk(actions, params.flag('refresh'));
  const took = Math.max(0, Math.round(now() - started));
  const items = new BulkItems();
  await items.add(actions, results);
  return { kind: 'chunks', status: 200, chunks: items.answer(`"took":${took}`), isOutcome: true };
}

/** @throws EngineError 400 for more actions than a request may have, and what {@link parseBulk} throws */
async function readActions(
  { body, params }: ApiRequest,
  { settings }: RouteContext,
): Promise<ParsedAction[]> {
  const actions: ParsedAction[] = [];
  const slices = new Slices(ACTIONS_PER_LOOK);
  for (const action of parseBulk(body, bulkDefaults(params))) {
    if (slices.isOver()) await slices.next();
    if (action === null) continue;
    checkCount(actions.length + 1, settings);
    actions.push(action);
  }
  return actions;
}
