// What all administration has in common: what it needs of the node, and how it changes the cluster state.

import type { RequestLimits } from '../common/index';
import type { Gate } from './gate';
import type { DeleteByQuery } from '../documents/index';
import type { NodeSettings } from './node-settings';
import {
  assertNotBlocked,
  replaceIndices,
  resolveIndices,
  type BlockLevel,
  type ClusterState,
  type ConfiguredDefaults,
  type IndexMetadata,
  type IndicesOptions,
  type StateChanges,
} from '../metadata/index';
import type { QueryParseContext } from '../query/index';
import type { ScriptLibrary } from '../script/index';
import type { WritableIndices } from '../shard/index';
import type { LogBatch } from '../../storage/index';

/** What administration needs of the node. */
export interface AdministrationHost {
  readonly gate: Gate;
  readonly settings: NodeSettings;
  readonly cluster: StateChanges;
  readonly indicesService: WritableIndices;
  readonly deleteByQuery: Pick<DeleteByQuery, 'deleteMatching'>;
  readonly now: () => number;
  readonly limits: RequestLimits;
  /** The scripts that alias filters may name. */
  readonly scripts: () => ScriptLibrary;
  /** The source of a document that an alias filter looks terms up in. */
  readonly getSource: QueryParseContext['getSource'];
  /** What the configuration folder defines. */
  readonly configured: () => ConfiguredDefaults;
  /** Is called when settings that a restart forgets have changed. */
  readonly settingsChanged?: () => void;
}

/** Passes the gate and changes the cluster state in one atomic step. @throws what the step throws */
export function changeState(
  { gate, cluster }: Pick<AdministrationHost, 'gate' | 'cluster'>,
  step: Parameters<StateChanges['change']>[0],
  also?: Parameters<StateChanges['change']>[1],
): Promise<ClusterState> {
  return gate.write(() => cluster.change(step, also));
}

/** Changes several indices in one atomic step. @throws EngineError when one has a block against `level` */
export async function changeIndices(
  host: AdministrationHost,
  names: readonly string[],
  options: IndicesOptions,
  level: BlockLevel,
  change: (metadata: IndexMetadata) => IndexMetadata,
): Promise<void> {
  await changeState(host, (state) =>
    replaceIndices(
      state,
      resolveIndices(state, names, options).map((name) => {
        const metadata = state.indices.get(name)!;
        assertNotBlocked(metadata, level);
        return change(metadata);
      }),
    ),
  );
}

/** Like {@link changeState}, for a step that may remove indices: their data is deleted afterwards. */
export async function removeFromState(
  host: AdministrationHost,
  step: (state: ClusterState) => ClusterState,
): Promise<void> {
  await changeState(host, step, (batch, before, after) =>
    stageRemovals(host.indicesService, batch, before, after),
  );
}

/** What has to be deleted of the indices that a change removes goes into the batch of the change. */
function stageRemovals(
  indicesService: WritableIndices,
  batch: LogBatch,
  before: ClusterState,
  after: ClusterState,
): void {
  for (const metadata of before.indices.values()) {
    if (!after.indices.has(metadata.name)) indicesService.stageRemoval(batch, metadata);
  }
}
