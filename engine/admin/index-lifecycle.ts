// Creating, deleting, opening and closing indices.

import type { ChangedSettings } from './changed-settings';
import { eachShard } from './maintenance';
import { describeNewIndex, prepareAnalysis } from './new-index';
import { changeState, removeFromState, type AdministrationHost } from './state-changes';
import type { Administration } from '../api/index';
import { EngineError, illegalArgument, indexMissing, validationFailed } from '../errors';
import { Slices, yieldToEventLoop } from '../common/index';
import type { JsonValue } from '../json/index';
import {
  addIndex,
  assertNoneBlocked,
  removeIndices,
  resolveIndices,
  resolveUnblocked,
  assertRoomForIndex,
  isTrueSetting,
  NO_PARTS,
  setIndexState,
  validateIndexName,
  type ClusterState,
  type IndexMetadata,
  type IndicesOptions,
} from '../metadata/index';

/** What {@link indexLifecycle} offers. */
export interface IndexLifecycle extends Pick<
  Administration,
  'createIndex' | 'deleteIndices' | 'openIndices' | 'closeIndices' | 'resolve'
> {
  /** Whether indices may not be deleted by patterns. */
  requiresName(): boolean;
  /**
   * Creates indices for writes to names that do not exist, in changes of a few milliseconds each.
   *
   * @param missing types of the documents by name, which the index declares; one that cannot be prevents the
   *   creation
   * @returns what prevented a creation, by name
   */
  autoCreate(
    missing: ReadonlyMap<string, Iterable<string>>,
  ): Promise<ReadonlyMap<string, EngineError>>;
}

/** The part of administration that is about which indices there are, open or closed. */
export function indexLifecycle(
  host: AdministrationHost,
  settings: ChangedSettings,
): IndexLifecycle {
  const requiresName = (): boolean => {
    const changed = settings.clusterSetting('action.destructive_requires_name');
    return changed === undefined ? host.settings.destructiveRequiresName : isTrueSetting(changed);
  };
  const { gate, cluster, indicesService } = host;
  return {
    requiresName,
    async autoCreate(missing) {
      const refused = new Map<string, EngineError>();
      const waiting = [...missing];
      try {
        for (let done = 0; done < waiting.length;) {
          const from = done;
          await changeState(host, (state) => {
            const created = createSome(host, state, waiting, from, refused);
            ({ done } = created);
            return created.state;
          });
          if (done < waiting.length) await yieldToEventLoop();
        }
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        const { indices } = cluster.state();
        for (const name of missing.keys()) {
          if (!refused.has(name) && !indices.has(name)) refused.set(name, error);
        }
      }
      return refused;
    },

    async createIndex(name, body) {
      const prepared = await prepareAnalysis(host, name, body);
      const { indices } = await gate.grow(() =>
        cluster.change((state) =>
          addIndex(state, describeNewIndex(host, state, name, body, prepared)),
        ),
      );
      // From here on the index holds what was built.
      const created = indices.get(name);
      if (prepared !== null && created !== undefined) {
        indicesService.indexService(created)?.analysis(created);
      }
    },

    async deleteIndices(names, options) {
      if (names.length === 0) throw validationFailed('index / indices is missing');
      if (requiresName()) assertNamed(names);
      await removeFromState(host, (state) => {
        const concrete = resolveIndices(state, names, options);
        assertNoneBlocked(state, concrete, 'metadata_write');
        return removeIndices(state, concrete);
      });
    },

    async openIndices(names, options) {
      const state = cluster.state();
      const concrete = resolveSome(host, names, options);
      await gate.write(async () => {
        for (const name of concrete) await indicesService.open(state.indices.get(name)!);
        await setState(host, concrete, true);
      });
    },

    async closeIndices(names, options) {
      if (names.length === 0) throw validationFailed('index is missing');
      if (requiresName()) assertNamed(names);
      const concrete = resolveSome(host, names, options);
      await gate.write(async () => {
        // What is in the log by now is indexed while the index is open; the rest when it opens again.
        await eachShard(host, concrete, (shard) => shard.flush());
        for (const metadata of await setState(host, concrete, false)) {
          indicesService.releaseMemory(metadata);
        }
      });
    },

    resolve(names, options, level) {
      return resolveUnblocked(cluster.state(), names, options, level);
    },
  };
}

/**
 * Creates indices from those that wait, until a slice of time is over.
 *
 * @param from how many are done
 * @param refused receives what prevents an index
 * @returns with how many are done then
 */
function createSome(
  host: AdministrationHost,
  before: ClusterState,
  waiting: readonly (readonly [string, Iterable<string>])[],
  from: number,
  refused: Map<string, EngineError>,
): { readonly state: ClusterState; readonly done: number } {
  let state = before;
  const slices = new Slices(1);
  for (let done = from; done < waiting.length;) {
    const [name, types] = waiting[done++]!;
    try {
      state = autoCreated(host, state, name, types);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // Somebody else was faster: that is just as good.
      if (error.wireName !== 'IndexAlreadyExistsException') refused.set(name, error);
    }
    if (slices.isOver()) return { state, done };
  }
  return { state, done: waiting.length };
}

/** The state with an index for documents of some types. @throws EngineError when there cannot be one */
function autoCreated(
  host: AdministrationHost,
  state: ClusterState,
  name: string,
  types: Iterable<string>,
): ClusterState {
  const { autoCreateIndex, limits } = host.settings;
  if (!autoCreateIndex) throw indexMissing(name);
  // Most of what is refused is refused for these, and a request may name very many.
  validateIndexName(state, name);
  assertRoomForIndex(state, NO_PARTS, limits);
  const mappings = new Map<string, JsonValue>();
  for (const type of types) mappings.set(type, new Map<string, JsonValue>());
  return addIndex(state, describeNewIndex(host, state, name, new Map([['mappings', mappings]])));
}

/**
 * Indices to open or close. None at all is an error, also where the options allow an expression to mean none.
 */
function resolveSome(
  { cluster }: AdministrationHost,
  names: readonly string[],
  options: IndicesOptions,
): readonly string[] {
  const concrete = resolveUnblocked(cluster.state(), names, options, 'metadata_write');
  if (concrete.length === 0) throw illegalArgument('Index name is required');
  return concrete;
}

/** @returns the metadata of the indices afterwards. */
async function setState(
  host: AdministrationHost,
  names: readonly string[],
  open: boolean,
): Promise<readonly IndexMetadata[]> {
  const { indices } = await changeState(host, (state) =>
    names.reduce((next, name) => setIndexState(next, name, open), state),
  );
  return names.flatMap((name) => indices.get(name) ?? []);
}

/** @throws EngineError 400 for all indices, and for patterns */
function assertNamed(names: readonly string[]): void {
  if (names.every((name) => name !== '_all' && !name.includes('*'))) return;
  throw illegalArgument('Wildcard expressions or all indices are not allowed');
}
