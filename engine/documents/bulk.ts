// Many writes in one request.
//
// All index actions are planned first: a broken one may refuse the whole request before anything is written.
// Writes are then gathered into groups, which go to the document writer index by index. An update reads the
// document that it changes, so a group ends before an update of a document that the group writes.

import { EngineError, validationFailed } from '../errors';
import { AliasMoved } from './alias-moved';
import { deleteResult, type DeleteDocument } from './delete-document';
import type { DocumentHost } from './document-host';
import type { DocumentTargets } from './document-targets';
import type { PlannedWrite, WriteResult } from './document-write';
import type { DocumentWrites } from './document-parts';
import { indexResult, type IndexDocument } from './index-document';
import { itemError } from './item-error';
import { addedBefore } from './parsed-chunk';
import { validateWrite } from './request-validation';
import { updateResult, type UpdateDocument } from './update-document';
import { isVersionConflict } from './versions';
import type { BulkAction, BulkItem, DeleteRequest, UpdateRequest } from '../api/index';
import { Slices, appendAll } from '../common/index';
import { refusesBulk } from '../mapping/index';
import { documentRouting, isAlias, singleIndex } from '../metadata/index';
import type { ScriptLibrary } from '../script/index';
import type { WritableIndex } from '../shard/index';

/** Actions that are only looked at, between two looks at the clock. */
const LOOKED_AT = 256;
/** The same of actions that are planned or finished. */
const PLANNED = 16;

/** Writes that are carried out before the next ones are planned, so that those done with take no memory. */
const WRITTEN_AT_ONCE = 16_384;

/** What the actions on an index that does not exist have in common. */
interface MissingIndex {
  readonly types: Set<string>;
  readonly slots: number[];
}

/** A bulk action on its way: its slot in the answer and how to turn the write's result into an item. */
interface PlannedAction extends PlannedWrite {
  readonly slot: number;
  readonly finish: (result: WriteResult) => BulkItem;
  /** How a refusal by the document writer is told. */
  readonly told: (refusal: EngineError) => EngineError;
  /** Runs instead when the write fails with a version conflict that may be retried. */
  readonly retry: (() => Promise<BulkItem>) | null;
}

/** The bulk operation, over those for single documents. */
export class Bulk {
  constructor(
    private readonly host: Pick<DocumentHost, 'cluster' | 'autoCreate' | 'scripts'>,
    private readonly targets: DocumentTargets,
    private readonly writer: DocumentWrites,
    private readonly operations: {
      readonly indexing: IndexDocument;
      readonly deletion: DeleteDocument;
      readonly updating: UpdateDocument;
    },
  ) {}

  /**
   * Runs actions in order; items of one document see each other.
   *
   * @throws EngineError before anything is executed, for what the reference refuses as a whole
   */
  async run(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]> {
    const readsDocuments = await checkActions(actions);
    const items = new Array<BulkItem>(actions.length);
    // compat: also when the request is refused afterwards.
    await this.createMissing(actions, items);
    await this.checkAliases(actions);
    const indexing = await this.planIndexing(actions, items);
    let group: PlannedAction[] = [];
    const touched = new Set<string>();
    const scripts = this.host.scripts();
    const flush = async () => {
      const moved = await this.runGroup(group, items);
      group = [];
      touched.clear();
      if (moved.length > 0) await this.runAgain(actions, moved, items);
    };
    // One update may run a script for tens of milliseconds.
    const slices = new Slices(readsDocuments ? 1 : PLANNED);
    for (const [slot, action] of actions.entries()) {
      if (slices.isOver()) await slices.next();
      if (items[slot] !== undefined) continue;
      try {
        if (readsDocuments) {
          const key = `${action.request.index}\u0000${action.request.type}\u0000${action.request.id}`;
          // An update reads the stored document: earlier writes to it must be in the log by then.
          if (action.kind === 'update' && touched.has(key)) await flush();
          touched.add(key);
        }
        if (group.length >= WRITTEN_AT_ONCE) await flush();
        if (action.kind === 'index') group.push(indexing[slot]!);
        else if (action.kind === 'delete') {
          appendAll(group, await this.planDelete(action.request, slot));
        } else {
          const planned = await this.planUpdate(action.request, slot, items, scripts);
          if (planned !== null) group.push(planned);
        }
      } catch (error) {
        items[slot] = errorItem(this.named(action, error), error);
      }
    }
    await flush();
    if (refresh) await this.refreshWritten(new Set(actions.map(({ request }) => request.index)));
    return items;
  }

  /**
   * Creates the indices that are named and do not exist. What prevents one, be it a type that no index can
   * have, is the outcome of all items about it.
   */
  private async createMissing(actions: readonly BulkAction[], items: BulkItem[]): Promise<void> {
    const missing = new Map<string, MissingIndex>();
    const slices = new Slices(LOOKED_AT);
    for (const [slot, { request }] of actions.entries()) {
      if (slices.isOver()) await slices.next();
      const { index, type } = request;
      let known = missing.get(index);
      if (known === undefined) {
        if (this.targets.isKnown(index)) continue;
        missing.set(index, (known = { types: new Set(), slots: [] }));
      }
      known.types.add(type);
      known.slots.push(slot);
    }
    if (missing.size === 0) return;
    const typesOf = new Map([...missing].map(([name, { types }]) => [name, types]));
    for (const [name, error] of await this.host.autoCreate(typesOf)) {
      for (const slot of missing.get(name)!.slots) {
        if (slices.isOver()) await slices.next();
        items[slot] = errorItem(actions[slot]!, error);
      }
    }
  }

  /** Problems with an alias fail the whole request before anything is executed. */
  private async checkAliases(actions: readonly BulkAction[]): Promise<void> {
    const state = this.host.cluster.state();
    const slices = new Slices(LOOKED_AT);
    for (const { request } of actions) {
      if (slices.isOver()) await slices.next();
      if (state.indices.has(request.index) || !isAlias(state, request.index)) continue;
      try {
        const { alias } = singleIndex(state, request.index, 'write');
        documentRouting(alias, request.routing, request.parent);
      } catch (error) {
        // That the index is closed concerns the item alone.
        const isClosed = error instanceof EngineError && error.wireName === 'IndexClosedException';
        if (!isClosed) throw error;
      }
    }
  }

  /**
   * Plans all index actions, by slot: what is wrong with their envelopes refuses the whole request. What
   * concerns one of them alone becomes its item.
   */
  private async planIndexing(
    actions: readonly BulkAction[],
    items: BulkItem[],
  ): Promise<(PlannedAction | undefined)[]> {
    const planned = new Array<PlannedAction | undefined>(actions.length);
    const slices = new Slices(PLANNED);
    for (const [slot, action] of actions.entries()) {
      if (slices.isOver()) await slices.next();
      if (action.kind !== 'index' || items[slot] !== undefined) continue;
      try {
        const { indexService, write } = this.operations.indexing.plan(action.request);
        const finish = (result: WriteResult): BulkItem => ({
          kind: 'index',
          result: indexResult(indexService.name, write, result),
          hasNewId: write.hasNewId === true,
        });
        planned[slot] = { slot, indexService, write, finish, told: writeFailure, retry: null };
      } catch (error) {
        if (refusesBulk(error)) throw error;
        items[slot] = errorItem(this.named(action, error), error);
      }
    }
    return planned;
  }

  /** compat: errors of actions on an alias name the index, unless an update lacks its routing. */
  private named(action: BulkAction, refusal: unknown): Pick<BulkAction, 'request'> {
    const { request } = action;
    const state = this.host.cluster.state();
    if (!isAlias(state, request.index)) return action;
    if (action.kind === 'update' && refusal instanceof EngineError) {
      if (refusal.wireName === 'RoutingMissingException') return action;
    }
    try {
      return {
        request: { ...request, index: singleIndex(state, request.index, 'write').index.name },
      };
    } catch (error) {
      // Closed: its own error is what the item says.
      if (!(error instanceof EngineError)) throw error;
      return action;
    }
  }

  private async planDelete(request: DeleteRequest, slot: number): Promise<PlannedAction[]> {
    const planned = await this.operations.deletion.plan(request);
    return planned.map(({ indexService, write }) => ({
      slot,
      indexService,
      write,
      finish: (result) => ({
        kind: 'delete',
        result: deleteResult(indexService.name, write, result),
      }),
      told: unchanged,
      retry: null,
    }));
  }

  /** @returns null when nothing is to be written; the item says so then */
  private async planUpdate(
    request: UpdateRequest,
    slot: number,
    items: BulkItem[],
    scripts: ScriptLibrary,
  ): Promise<PlannedAction | null> {
    const { updating } = this.operations;
    const { target, write, noop } = await updating.plan(request, scripts, true);
    if (write === null) {
      items[slot] = { kind: 'update', result: noop };
      return null;
    }
    return {
      slot,
      indexService: target.indexService,
      write,
      finish: (result) => ({
        kind: 'update',
        result: updateResult(request, target, write, result),
      }),
      told: unchanged,
      retry: request.retryOnConflict > 0 ? () => this.retryUpdate(request) : null,
    };
  }

  private async retryUpdate(request: UpdateRequest): Promise<BulkItem> {
    const retryOnConflict = request.retryOnConflict - 1;
    const again = { ...request, retryOnConflict, refresh: false };
    const result = await this.operations.updating.run(again, true);
    return { kind: 'update', result };
  }

  /** Runs actions from their beginning whose alias was moved before their turn. */
  private async runAgain(
    actions: readonly BulkAction[],
    moved: readonly number[],
    items: BulkItem[],
  ): Promise<void> {
    const slots = [...new Set(moved)].sort((a, b) => a - b);
    const again = slots.map((slot) => actions[slot]!);
    try {
      const results = await this.run(again, false);
      slots.forEach((slot, i) => (items[slot] = results[i]!));
    } catch (error) {
      // What would have refused the whole request comes too late for that.
      slots.forEach((slot, i) => (items[slot] = errorItem(again[i]!, error)));
    }
  }

  /** @returns the slots of actions whose alias was moved meanwhile; nothing of them is written */
  private async runGroup(group: readonly PlannedAction[], items: BulkItem[]): Promise<number[]> {
    const moved: number[] = [];
    const byIndex = new Map<WritableIndex, PlannedAction[]>();
    const slices = new Slices(PLANNED);
    for (const planned of group) {
      if (slices.isOver()) await slices.next();
      const list = byIndex.get(planned.indexService);
      if (list === undefined) byIndex.set(planned.indexService, [planned]);
      else list.push(planned);
    }
    const run = async (indexService: WritableIndex, list: readonly PlannedAction[]) => {
      const results = await this.writer
        .write(
          indexService,
          list.map(({ write }) => write),
        )
        .catch((error: unknown) => {
          if (!(error instanceof EngineError)) throw error;
          return list.map(() => error);
        });
      const finishing = new Slices(PLANNED);
      for (const [i, planned] of list.entries()) {
        if (finishing.isOver()) await finishing.next();
        const before = items[planned.slot];
        // Of a broadcast delete the shard that had the document answers.
        if (before?.kind === 'delete' && before.result.found) continue;
        const result = results[i]!;
        if (result instanceof AliasMoved) moved.push(planned.slot);
        else items[planned.slot] = await finishItem(planned, result);
      }
    };
    const running: Promise<void>[] = [];
    const starting = new Slices(1);
    for (const [indexService, list] of byIndex) {
      const written = run(indexService, list);
      // It may fail before all are under way; whoever awaits them below is told.
      written.catch(() => undefined);
      running.push(written);
      if (starting.isOver()) await starting.next();
    }
    await Promise.all(running);
    return moved;
  }

  /** Refreshes indices that were written to. Names that cannot be written to are left out. */
  async refreshWritten(names: ReadonlySet<string>): Promise<void> {
    const runtimes = new Set<WritableIndex>();
    for (const name of names) {
      try {
        runtimes.add(this.targets.open(name, 'write').indexService);
      } catch (error) {
        // The item has its own error already.
        if (!(error instanceof EngineError)) throw error;
      }
    }
    await Promise.all(
      [...runtimes].flatMap(({ shards }) =>
        // A damaged shard has refused its items already.
        shards.filter(({ failure }) => failure === null).map((shard) => shard.refresh()),
      ),
    );
  }
}

/**
 * Whether an update is among the actions.
 * @throws EngineError ActionRequestValidationException listing what is wrong with all of them
 */
async function checkActions(actions: readonly BulkAction[]): Promise<boolean> {
  const problems: string[] = [];
  let hasUpdates = false;
  const slices = new Slices(LOOKED_AT);
  for (const action of actions) {
    if (slices.isOver()) await slices.next();
    hasUpdates ||= action.kind === 'update';
    for (const problem of validateWrite(action)) problems.push(problem);
  }
  if (problems.length > 0) throw validationFailed(problems);
  return hasUpdates;
}

/** compat: index actions, and no updates, tell apart what was refused after it had added to the mapping. */
function writeFailure(refusal: EngineError): EngineError {
  if (!addedBefore(refusal)) return refusal;
  return new EngineError('WriteFailureException', '', { cause: refusal, status: refusal.status });
}

function unchanged(refusal: EngineError): EngineError {
  return refusal;
}

async function finishItem(
  { indexService, write, finish, told, retry }: PlannedAction,
  result: WriteResult | EngineError,
): Promise<BulkItem> {
  if (!(result instanceof EngineError)) return finish(result);
  let refusal = result;
  if (retry !== null && isVersionConflict(result)) {
    try {
      return await retry();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      refusal = error;
    }
  }
  return {
    kind: 'error',
    error: told(refusal),
    index: indexService.name,
    type: write.type,
    id: write.id,
    hasNewId: write.hasNewId === true,
  };
}

/** @throws `error` when it is no matter of the action */
function errorItem(action: Pick<BulkAction, 'request'>, error: unknown): BulkItem {
  const { index, type, id } = action.request;
  return { kind: 'error', error: itemError(error), index, type, id, hasNewId: id === undefined };
}
