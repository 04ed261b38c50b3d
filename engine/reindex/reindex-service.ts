// Reindexing as the routes see it: requests are checked, destinations made, copies run as tasks.

import { newDestination } from './destination';
import { NAMED, ReindexRun, type ReindexHost } from './reindex-run';
import { Tasks } from './tasks';
import type { Administration, Reindexing, ReindexRequest, TaskInfo } from '../api/index';
import { EngineError, illegalArgument } from '../errors';
import { assertNoneBlocked, resolveIndices, type IndexMetadata } from '../metadata/index';
import { translateStorageError } from '../shard/index';

/** Copies that run at a time at most: each keeps the committer and the indexer busy. */
const MAX_RUNNING = 4;

/** What the service needs of the node besides. */
interface ServiceHost extends ReindexHost {
  readonly admin: Pick<Administration, 'createIndex' | 'deleteIndices' | 'previewAliases'>;
  /** The same as {@link ReindexHost.moveAlias}, tried on the current state. @throws EngineError */
  previewMove(alias: string, from: readonly string[], to: string): void;
}

/** Copies indices as tasks. */
export class ReindexService implements Reindexing {
  private readonly tasks: Tasks;

  constructor(private readonly host: ServiceHost) {
    this.tasks = new Tasks(MAX_RUNNING, asEngineError, () => host.now());
  }

  async start(request: ReindexRequest): Promise<TaskInfo> {
    const { host } = this;
    this.tasks.assertRoom();
    const { source, destination, swapAlias } = request;
    if (swapAlias !== undefined && request.size !== undefined) {
      throw illegalArgument('[size] would leave documents behind, and [swap_alias] must not');
    }
    const names = resolveIndices(host.state(), source.indices, NAMED);
    assertNoneBlocked(host.state(), names, 'read');
    const sources = names.map((name) => host.state().indices.get(name)!);
    const isNew = await this.makeDestination(sources, request);
    try {
      if (swapAlias !== undefined) host.previewMove(swapAlias, names, destination.index);
      // Says what is wrong with the query before anything is copied.
      const run = new ReindexRun(host, request, sources, isNew);
      await run.check();
      return this.tasks.start({
        action: 'indices:data/write/reindex',
        description: `reindex from [${names.join(', ')}] to [${destination.index}]`,
        status: () => run.status(),
        run: (signal) => run.run(signal),
      });
    } catch (error) {
      if (isNew) await host.admin.deleteIndices([destination.index], NAMED);
      throw error;
    }
  }

  running(): readonly TaskInfo[] {
    return this.tasks.running();
  }

  task(id: number): TaskInfo {
    return this.tasks.get(id);
  }

  settled(id: number): Promise<TaskInfo> {
    return this.tasks.settled(id);
  }

  cancel(id: number): Promise<TaskInfo> {
    return this.tasks.cancel(id);
  }

  /** Ends all copies; to be called before the node stops. */
  close(): Promise<void> {
    return this.tasks.close();
  }

  /** @returns whether the index was made, and belongs to this request alone */
  private async makeDestination(
    sources: readonly IndexMetadata[],
    request: ReindexRequest,
  ): Promise<boolean> {
    const { host } = this;
    const { index } = request.destination;
    const body = newDestination(host.state(), sources, request);
    if (body !== null) {
      await host.admin.createIndex(index, body);
      return true;
    }
    assertNoneBlocked(host.state(), [index], 'write');
    return false;
  }
}

function asEngineError(error: unknown): EngineError {
  const known = translateStorageError(error);
  if (known instanceof EngineError) return known;
  return new EngineError(
    'ElasticsearchException',
    known instanceof Error ? known.message : String(known),
  );
}
