// The outcome of each action of a bulk request, as its answer says it. A hot path: items are written at once
// where documents were indexed or updated, as in most requests they all are.

import {
  EngineError,
  Slices,
  writeJson,
  type BulkAction,
  type BulkItem,
  type JsonOutput,
} from '../../engine/index';
import { itemError, itemStatus } from '../render/index';
import { ACTIONS_PER_LOOK } from './bulk-checks';

/** Characters of the answer that become bytes at once: the heap does not hold all of long errors. */
const CHUNK_LENGTH = 256 * 1024;

/** The list of items of an answer while it grows. */
export class BulkItems {
  private readonly chunks: Buffer[] = [];
  private text = '';
  private hasErrors = false;
  private written = 0;
  private size = 0;

  /** Items so far. */
  get count(): number {
    return this.written;
  }

  /** Bytes of what is held as bytes so far. */
  get bytes(): number {
    return this.size;
  }

  /** Adds the outcomes of actions. */
  async add(actions: readonly BulkAction[], results: readonly BulkItem[]): Promise<void> {
    let place = '';
    let placeIndex = '';
    let placeType = '';
    let { text } = this;
    const slices = new Slices(ACTIONS_PER_LOOK);
    for (let i = 0; i < actions.length; i++) {
      if (slices.isOver()) await slices.next();
      if (text.length > CHUNK_LENGTH) {
        this.push(text);
        text = '';
      }
      const action = actions[i]!;
      const item = results[i];
      if (item === undefined) throw new Error('a bulk action without a result');
      if (this.written++ > 0) text += ',';
      if (item.kind === 'error' || item.kind === 'delete') {
        this.hasErrors ||= item.kind === 'error';
        text += writeJson(renderItem(action, item));
        continue;
      }
      const { index, type, id, version, created } = item.result;
      const name = itemName(action, item.kind === 'index' && item.hasNewId);
      if (index !== placeIndex || type !== placeType) {
        placeIndex = index;
        placeType = type;
        place = `{"_index":${writeJson(index)},"_type":${writeJson(type)}`;
      }
      text += `{"${name}":${place},"_id":${writeJson(id)},"_version":${writeJson(version)},"status":${created ? 201 : 200}}}`;
    }
    this.text = text;
  }

  /** The whole answer: an object with the members that `beginning` has, such as `"took":1`, and the items. */
  answer(beginning: string): Buffer[] {
    const head = `{${beginning},"errors":${this.hasErrors},"items":[`;
    const { chunks, text } = this;
    if (chunks.length === 0) return [Buffer.from(`${head}${text}]}`)];
    return [Buffer.from(head), ...chunks, Buffer.from(`${text}]}`)];
  }

  private push(text: string): void {
    const chunk = Buffer.from(text);
    this.size += chunk.length;
    this.chunks.push(chunk);
  }
}

function renderItem(
  action: BulkAction,
  item: Extract<BulkItem, { kind: 'error' | 'delete' }>,
): JsonOutput {
  const name = itemName(action, item.kind === 'error' && item.hasNewId);
  if (item.kind === 'error') {
    return {
      [action.kind === 'index' && isBeforeCreate(item.error) ? 'index' : name]: {
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

/** compat: what fails before it has an id is no create yet. */
const BEFORE_CREATE: ReadonlySet<string> = new Set([
  'RoutingMissingException',
  'IndexClosedException',
  'InvalidIndexNameException',
]);

function isBeforeCreate(error: Error): boolean {
  return error instanceof EngineError && BEFORE_CREATE.has(error.wireName);
}

/** Indexing under an id that was made for it, and any `op_type: create`, is reported as `create`. */
function itemName(action: BulkAction, hasNewId: boolean): 'index' | 'create' | 'update' | 'delete' {
  if (action.kind !== 'index') return action.kind;
  return action.request.create || hasNewId ? 'create' : 'index';
}
