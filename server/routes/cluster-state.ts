// `_cluster/state`: what browsers of an index (head, Kibana 3) read of it.

import {
  blocksOf,
  renderMappings,
  replicasOf,
  type IndexMetadata,
  type JsonOutput,
} from '../../engine/index';
import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  LENIENT_READ_OPTIONS,
  type Params,
} from '../request/index';
import { renderSettings } from '../render/index';
import { transportAddress } from './nodes';

/** `GET /_cluster/state[/{metric}[/{indices}]]`; unknown metrics and indices are simply not there. */
export function getClusterState({ params }: ApiRequest, context: RouteContext): ApiResponse {
  params.timeMs('master_timeout');
  const parts = renderClusterState(
    { metrics: params.list('metric'), names: params.list('indices'), params },
    context,
  );
  return json({ cluster_name: context.engine.clusterName, ...parts });
}

/** Which parts of the state are wanted; empty lists stand for all. */
interface StateRequest {
  readonly metrics: readonly string[];
  readonly names: readonly string[];
  readonly params: Params;
}

/** The parts of the cluster state. */
export function renderClusterState(
  { metrics, names, params }: StateRequest,
  context: RouteContext,
): Readonly<Record<string, JsonOutput | undefined>> {
  const { engine } = context;
  const wants = (metric: string) =>
    metrics.length === 0 || metrics.includes('_all') || metrics.includes(metric);
  const state = engine.state();
  const options = indicesOptions(params, LENIENT_READ_OPTIONS);
  const isAll = names.length === 0 || (names.length === 1 && names[0] === '_all');
  const all = [...state.indices.values()];
  const described = () =>
    isAll
      ? all
      : engine.admin.resolve(names, options).flatMap((name) => state.indices.get(name) ?? []);
  // compat: in routing sections a name is literal, patterns and aliases stand for nothing.
  const routed = all.filter(
    (index) => index.state === 'open' && (isAll || names.includes(index.name)),
  );
  const isFlat = params.flag('flat_settings');
  const node = {
    name: engine.nodeName,
    transport_address: transportAddress(context),
    attributes: {},
  };
  return {
    version: wants('version') ? state.version : undefined,
    master_node: wants('master_node') ? engine.nodeId : undefined,
    blocks: wants('blocks') ? blocks(all) : undefined,
    nodes: wants('nodes') ? new Map([[engine.nodeId, node]]) : undefined,
    metadata: wants('metadata')
      ? { templates: state.templates, indices: metadata(described(), isFlat) }
      : undefined,
    routing_table: wants('routing_table') ? routingTable(routed, engine.nodeId) : undefined,
    routing_nodes:
      wants('routing_table') || wants('routing_nodes')
        ? routingNodes(routed, engine.nodeId)
        : undefined,
    allocations: wants('routing_table') ? [] : undefined,
  };
}

/** What settings and closing forbid, of all indices whichever were asked for. */
function blocks(indices: readonly IndexMetadata[]): JsonOutput {
  const sections = new Map<string, JsonOutput>();
  for (const index of indices) {
    const own = blocksOf(index).map(({ id, description, levels }): [string, JsonOutput] => [
      String(id),
      { description, retryable: false, levels: [...levels] },
    ]);
    if (own.length > 0) sections.set(index.name, new Map(own));
  }
  return sections.size === 0 ? {} : { indices: sections };
}

function metadata(indices: readonly IndexMetadata[], isFlat: boolean): JsonOutput {
  return new Map(
    indices.map((index): [string, JsonOutput] => [
      index.name,
      {
        state: index.state,
        settings: renderSettings(index.settings, isFlat),
        mappings: renderMappings(index),
        aliases: [...index.aliases.keys()],
      },
    ]),
  );
}

/** Why replicas are nowhere, and since when: there was never a node for them. */
export function unassignedInfo(index: IndexMetadata): { reason: string; at: string } {
  const created = Number(index.settings.get('index.creation_date') ?? 0);
  return { reason: 'INDEX_CREATED', at: new Date(created).toISOString() };
}

/** The copies of one shard: a started primary here, and replicas that wait for another node. */
function copies(index: IndexMetadata, shard: number, nodeId: string): JsonOutput[] {
  const replicas = replicasOf(index);
  const unassigned = unassignedInfo(index);
  const copy = (primary: boolean): JsonOutput => ({
    state: primary ? 'STARTED' : 'UNASSIGNED',
    primary,
    node: primary ? nodeId : null,
    relocating_node: null,
    shard,
    index: index.name,
    unassigned_info: primary ? undefined : unassigned,
  });
  return [copy(true), ...Array.from({ length: replicas }, () => copy(false))];
}

function routingTable(indices: readonly IndexMetadata[], nodeId: string): JsonOutput {
  return {
    indices: new Map(
      indices.map((index): [string, JsonOutput] => [
        index.name,
        {
          shards: new Map(
            index.shardIds.map((_id, shard): [string, JsonOutput] => [
              String(shard),
              copies(index, shard, nodeId),
            ]),
          ),
        },
      ]),
    ),
  };
}

function routingNodes(indices: readonly IndexMetadata[], nodeId: string): JsonOutput {
  const all = indices.flatMap((index) =>
    index.shardIds.map((_id, shard) => copies(index, shard, nodeId)),
  );
  return {
    unassigned: all.flatMap((shard) => shard.slice(1)),
    nodes: new Map(all.length === 0 ? [] : [[nodeId, all.flatMap((shard) => shard.slice(0, 1))]]),
  };
}
