// Cluster settings, pending tasks, reroute and shutdown, as a healthy cluster of one node answers them
// (reference server).

import {
  EngineError,
  illegalArgument,
  isJsonObject,
  type JsonObject,
  type JsonOutput,
  type SearchEngine,
} from '../../engine/index';
import { json, type ApiRequest, type ApiResponse, type RouteContext } from '../request/index';
import { renderSettings } from '../render/index';
import { renderClusterState } from './cluster-state';
import { checkTimeouts } from './acknowledged';
import { jsonObjectBody, requiredObjectBody } from './json-body';
import { isThisNode } from './nodes';

/** `GET /_cluster/settings`. */
export function getClusterSettings({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const isFlat = params.flag('flat_settings');
  const { persistent, transient } = engine.admin.clusterSettings();
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
  checkTimeouts(params);
  const { persistent, transient } = await engine.admin.updateClusterSettings(
    requiredObjectBody(body),
  );
  const isFlat = params.flag('flat_settings');
  return json({
    acknowledged: true,
    persistent: renderSettings(persistent, isFlat),
    transient: renderSettings(transient, isFlat),
  });
}

/** `GET /_cluster/pending_tasks`: changes of the cluster state are made as they come. */
export function getPendingTasks({ params }: ApiRequest): ApiResponse {
  params.timeMs('master_timeout');
  return json({ tasks: [] });
}

/** Allocation commands with their parameters, in the order in which missing ones are reported. */
const COMMANDS = new Map([
  ['move', ['index', 'shard', 'from_node', 'to_node']],
  ['cancel', ['index', 'shard', 'node']],
  ['allocate', ['index', 'shard', 'node']],
]);

/** `POST /_cluster/reroute`: there is no other node to move anything to. */
export function reroute(request: ApiRequest, context: RouteContext): ApiResponse {
  const { params } = request;
  checkTimeouts(params);
  for (const command of commandsOf(request.body)) checkCommand(command, context.engine);
  const metrics = params.has('metric') ? params.list('metric') : STATE_WITHOUT_METADATA;
  const state = renderClusterState({ metrics, names: [], params }, context);
  const explanations = params.flag('explain') ? [] : undefined;
  return json({ acknowledged: true, state, explanations });
}

const STATE_WITHOUT_METADATA = ['version', 'master_node', 'nodes', 'blocks', 'routing_table'];

/** @throws EngineError 400 for members that a reroute request does not have */
function commandsOf(body: Buffer): JsonObject[] {
  let commands: JsonObject[] = [];
  for (const [name, value] of jsonObjectBody(body, 'Failed to parse reroute commands')) {
    if (name === 'commands' && Array.isArray(value)) commands = value.filter(isJsonObject);
    else if (name !== 'dry_run' && !(name === 'commands' && isJsonObject(value))) {
      throw new EngineError(
        'ElasticsearchParseException',
        `failed to parse reroute request, got value with wrong field name [${name}]`,
      );
    }
  }
  return commands;
}

/** @throws EngineError 400 always: even a well-formed command has nothing to act on */
function checkCommand(command: JsonObject, engine: SearchEngine): never {
  const name = command.keys().next().value ?? 'null';
  const parameters = command.get(name);
  const required = COMMANDS.get(name);
  if (required === undefined) {
    throw illegalArgument(`No allocation command factory registered for name [${name}]`);
  }
  for (const parameter of required) {
    if (isJsonObject(parameters) && parameters.has(parameter)) continue;
    throw new EngineError(
      'ElasticsearchParseException',
      `[${name}] command missing the ${parameter} parameter`,
    );
  }
  for (const parameter of required.slice(2)) {
    const value = isJsonObject(parameters) ? parameters.get(parameter) : undefined;
    const node = typeof value === 'string' ? value : '';
    if (!isThisNode([node], engine)) {
      throw illegalArgument(`failed to resolve [${node} ], no matching nodes`);
    }
  }
  throw illegalArgument(`[${name}] cannot be done: there is no other node`);
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
