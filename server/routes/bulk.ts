// `_bulk`: many writes in one request, each with its own outcome (reference server).

import {
  EngineError,
  illegalArgument,
  validateWrite,
  Slices,
  validationFailed,
  writeJson,
  type BulkAction,
  type BulkItem,
  type JsonOutput,
} from '../../engine/index';
import { type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import { itemError, itemStatus } from '../render/index';
import { parseBulk, type BulkDefaults, type ParsedAction } from './bulk-parser';
import { checkIneffective } from './document-params';

/** Actions between two looks at the clock. */
const ACTIONS_PER_LOOK = 64;

/** `POST|PUT [/{index}[/{type}]]/_bulk`. */
export async function bulk(
  request: ApiRequest,
  { engine, now, settings }: RouteContext,
): Promise<ApiResponse> {
  const { params } = request;
  const started = now();
  checkIneffective(params);
  const parsed = await readActions(
    request.body,
    {
      index: params.get('index'),
      type: params.get('type'),
      routing: params.get('routing'),
    },
    settings.maxBulkActions,
  );
  await checkNames(parsed);
  const actions = parsed.map(({ action }) => action);
  const results = await engine.bulk(actions, params.flag('refresh'));
  const took = Math.max(0, Math.round(now() - started));
  const errors = results.some((item) => item.kind === 'error');
  const chunks = await answer(`{"took":${took},"errors":${errors},"items":[`, actions, results);
  return { kind: 'chunks', status: 200, chunks };
}

/** @throws EngineError 400 with all problems of all actions when an action lacks a name */
async function checkNames(parsed: readonly ParsedAction[]): Promise<void> {
  if (parsed.length === 0) throw validationFailed('no requests added');
  if (parsed.every(({ missing }) => missing.length === 0)) return;
  const problems: string[] = [];
  const slices = new Slices(ACTIONS_PER_LOOK);
  for (const { action, missing } of parsed) {
    if (slices.isOver()) await slices.next();
    for (const problem of missing) problems.push(problem);
    for (const problem of validateWrite(action)) problems.push(problem);
  }
  throw validationFailed(problems);
}

/** @throws EngineError 400 for more actions than a request may have, and what {@link parseBulk} throws */
async function readActions(
  body: Buffer,
  defaults: BulkDefaults,
  maxActions: number,
): Promise<ParsedAction[]> {
  const actions: ParsedAction[] = [];
  const slices = new Slices(ACTIONS_PER_LOOK);
  for (const action of parseBulk(body, defaults)) {
    if (slices.isOver()) await slices.next();
    if (action === null) continue;
    if (actions.length === maxActions) {
      throw illegalArgument(
        `limit of [${maxActions}] actions in a bulk request has been exceeded (http.max_bulk_actions)`,
      );
    }
    actions.push(action);
  }
  return actions;
}

/** Characters of the answer that become bytes at once: the heap does not hold all of long errors. */
const CHUNK_LENGTH = 256 * 1024;

/**
 * The answer behind its `beginning`: items are written at once where documents were indexed or updated, as in
 * most requests they all are.
 */
async function answer(
  beginning: string,
  actions: readonly BulkAction[],
  results: readonly BulkItem[],
): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let text = beginning;
  let place = '';
  let placeIndex = '';
  let placeType = '';
  const slices = new Slices(ACTIONS_PER_LOOK);
  for (let i = 0; i < actions.length; i++) {
    if (slices.isOver()) await slices.next();
    if (text.length > CHUNK_LENGTH) {
      chunks.push(Buffer.from(text));
      text = '';
    }
    const action = actions[i]!;
    const item = results[i];
    if (item === undefined) throw new Error('a bulk action without a result');
    if (i > 0) text += ',';
    if (item.kind === 'error' || item.kind === 'delete') {
      text += writeJson(renderItem(action, item));
      continue;
    }
    const { index, type, id, version, created } = item.result;
    if (index !== placeIndex || type !== placeType) {
      placeIndex = index;
      placeType = type;
      place = `{"_index":${writeJson(index)},"_type":${writeJson(type)}`;
    }
    text += `{"${itemName(action)}":${place},"_id":${writeJson(id)},"_version":${writeJson(version)},"status":${created ? 201 : 200}}}`;
  }
  chunks.push(Buffer.from(`${text}]}`));
  return chunks;
}

function renderItem(
  action: BulkAction,
  item: Extract<BulkItem, { kind: 'error' | 'delete' }>,
): JsonOutput {
  const name = itemName(action);
  if (item.kind === 'error') {
    return {
      [isRoutingMissing(item.error) && action.kind === 'index' ? 'index' : name]: {
        _index: item.index,
        _type: item.type,
        _id: item.id ?? null,
        status: itemStatus(item.error),
        error: itemError(item.error),
      },
    };
  }
  const { index, type, id, version, found } = item.result;
  return {
    [name]: {
      _index: index,
      _type: type,
      _id: id,
      _version: version,
      status: found ? 200 : 404,
      found,
    },
  };
}

/** compat: what fails for want of routing is no create yet. */
function isRoutingMissing(error: Error): boolean {
  return error instanceof EngineError && error.wireName === 'RoutingMissingException';
}

/** Indexing without an id, and any `op_type: create`, is reported as `create`. */
function itemName(action: BulkAction): 'index' | 'create' | 'update' | 'delete' {
  if (action.kind !== 'index') return action.kind;
  return action.request.create || action.request.id === undefined ? 'create' : 'index';
}
