// Creating, deleting, opening and closing indices.

import { eachShard } from './maintenance';
import { describeNewIndex } from './new-index';
import { changeState, removeFromState, type AdministrationHost } from './state-changes';
import type { Administration } from '../api/index';
import { EngineError, illegalArgument, indexMissing, validationFailed } from '../errors';
import type { JsonValue } from '../json/index';
import {
  addIndex,
  assertNoneBlocked,
  removeIndices,
  resolveIndices,
  resolveUnblocked,
  setIndexState,
  type IndexMetadata,
  type IndicesOptions,
} from '../metadata/index';

/** What {@link indexLifecycle} offers. */
export interface IndexLifecycle extends Pick<
  Administration,
  'createIndex' | 'deleteIndices' | 'openIndices' | 'closeIndices' | 'resolve'
> {
  /**
   * Creates an index for a write to a name that does not exist.
   *
   * @param types of the documents, which the index declares; one that cannot be prevents the creation
   */
  autoCreate(name: string, types: readonly string[]): Promise<void>;
}

/** The part of administration that is about which indices there are, open or closed. */
export function indexLifecycle(host: AdministrationHost): IndexLifecycle {
  const { gate, settings, cluster, indicesService } = host;
  return {
    async autoCreate(name, types) {
      if (!settings.autoCreateIndex) throw indexMissing(name);
      try {
        await changeState(host, (state) => {
          const mappings = new Map(types.map((type) => [type, new Map<string, JsonValue>()]));
          const body = new Map([['mappings', mappings]]);
          return addIndex(state, describeNewIndex(host, state, name, body));
        });
      } catch (error) {
        // Somebody else was faster: that is just as good.
        const exists =
          error instanceof EngineError && error.wireName === 'IndexAlreadyExistsException';
        if (!exists) throw error;
      }
    },

    async createIndex(name, body) {
      await gate.grow(() =>
        cluster.change((state) => addIndex(state, describeNewIndex(host, state, name, body))),
      );
    },

    async deleteIndices(names, options) {
      if (names.length === 0) throw validationFailed('index / indices is missing');
      checkDestructive(host, names);
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
      checkDestructive(host, names);
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

function checkDestructive({ settings }: AdministrationHost, names: readonly string[]): void {
  if (!settings.destructiveRequiresName) return;
  const explicit = names.every((name) => name !== '_all' && !name.includes('*'));
  if (names.length === 0 || !explicit) {
    throw illegalArgument('Wildcard expressions or all indices are not allowed');
  }
}
