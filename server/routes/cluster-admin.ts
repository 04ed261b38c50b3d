// Cluster settings, pending tasks, reroute and shutdown, as a healthy cluster of one node answers them
// (reference server).

import {
  EngineError,
  illegalArgument,
  isJsonObject,
  type JsonObject,
  type JsonOutput,
} from '../../engine/index';
import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../api';
import { renderSettings } from '../render/settings';
import { renderClusterState } from './cluster-state';
import { jsonObjectBody, requiredObjectBody } from './json-body';

/** `GET /_cluster/settings`. */
export function getClusterSettings({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const isFlat = params.flag('flat_settings');
  const { persistent, transient } = engine.clusterSettings();
  return json({
    persistent: renderSettings(persistent, isFlat),
    transient: renderSettings(transient, isFlat),
  });
}

/** `PUT /_cluster/settings`: answers what of the request was taken. */
export async function putClusterSettings(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { persistent, transient } = await engine.updateClusterSettings(requiredObjectBody(body));
  const isFlat = params.flag('flat_settings');
  return json({
    acknowledged: true,
    persistent: renderSettings(persistent, isFlat),
    transient: renderSettings(transient, isFlat),
  });
}

/** `GET /_cluster/pending_tasks`: changes of the cluster state are made as they come. */
export function getPendingTasks(): ApiResponse {
  return json({ tasks: [] });
}

const COMMANDS = new Set(['move', 'cancel', 'allocate']);

/** `POST /_cluster/reroute`: there is no other node to move anything to. */
export function reroute(request: ApiRequest, context: RouteContext): ApiResponse {
  const body = jsonObjectBody(request.body, 'Failed to parse reroute commands');
  for (const command of commandsOf(body)) {
    const [name] = command.keys();
    if (name === undefined) continue;
    if (!COMMANDS.has(name)) {
      throw illegalArgument(`No allocation command factory registered for name [${name}]`);
    }
    throw illegalArgument(`[${name}] cannot be done: there is no other node`);
  }
  const { params } = request;
  const metrics = params.has('metric') ? params.list('metric') : STATE_WITHOUT_METADATA;
  const state = renderClusterState({ metrics, names: [], params }, context);
  return json({ acknowledged: true, state });
}

const STATE_WITHOUT_METADATA = ['version', 'master_node', 'nodes', 'blocks', 'routing_table'];

function commandsOf(body: JsonObject): JsonObject[] {
  const commands = body.get('commands');
  return Array.isArray(commands) ? commands.filter(isJsonObject) : [];
}

/** `POST /_shutdown` and its longer forms: only where the configuration allows it. */
export function shutdown(_request: ApiRequest, { engine, settings }: RouteContext): ApiResponse {
  if (!settings.allowShutdown) {
    throw new EngineError(
      'ElasticsearchIllegalStateException',
      'shutdown is disabled (node.allow_shutdown)',
      { status: 403 },
    );
  }
  // After the answer is on its way.
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), 200);
  const nodes = new Map<string, JsonOutput>([[engine.nodeId, { name: engine.nodeName }]]);
  return json({ cluster_name: engine.clusterName, nodes });
}
