// Snapshots: make, read, restore, delete, verify (reference server).

import {
  json,
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  type Params,
} from '../request/index';
import { snapshotInfo, snapshotStatus } from '../render/index';
import { acknowledge } from './acknowledged';
import { parseCreateBody, parseRestoreBody } from './snapshot-bodies';

function target(params: Params): { readonly repository: string; readonly snapshot: string } {
  params.timeMs('master_timeout');
  return { repository: params.get('repository') ?? '', snapshot: params.get('snapshot') ?? '' };
}

/** `PUT|POST /_snapshot/{repository}/{snapshot}`; with `wait_for_completion` the answer is the snapshot. */
export async function createSnapshot(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const request = { ...target(params), ...parseCreateBody(body) };
  const { completed } = await engine.snapshots.create(request);
  if (!params.flag('wait_for_completion')) return json({ accepted: true });
  return json({ snapshot: snapshotInfo(await completed, engine.nodeId) });
}

/** `GET /_snapshot/{repository}/{snapshot}`: names, or `_all`. */
export async function getSnapshots(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { repository } = target(params);
  const snapshots = await engine.snapshots.get(repository, params.list('snapshot'));
  return json({ snapshots: snapshots.map((snapshot) => snapshotInfo(snapshot, engine.nodeId)) });
}

/** `GET /_snapshot[/{repository}[/{snapshot}]]/_status`; without names what is being made. */
export async function getSnapshotStatus(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const repository = params.get('repository');
  const names = params.list('snapshot');
  const snapshots =
    repository === undefined || names.length === 0
      ? engine.snapshots.runningIn(repository ?? null)
      : await engine.snapshots.status(repository, names);
  return json({ snapshots: snapshots.map(snapshotStatus) });
}

/** `DELETE /_snapshot/{repository}/{snapshot}`. */
export async function deleteSnapshot(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { repository, snapshot } = target(params);
  return acknowledge(params, engine, () => engine.snapshots.delete(repository, snapshot));
}

/**
 * `POST /_snapshot/{repository}/{snapshot}/_restore`; with `wait_for_completion` the answer says what is
 * back.
 */
export async function restoreSnapshot(
  { params, body }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const request = { ...target(params), ...parseRestoreBody(body) };
  const { completed } = await engine.snapshots.restore(request);
  if (!params.flag('wait_for_completion')) return json({ accepted: true });
  const { snapshot, indices, shards } = await completed;
  return json({
    snapshot: { snapshot, indices, shards: { total: shards, failed: 0, successful: shards } },
  });
}

/**
 * `GET /_snapshot/{repository}/{snapshot}/_restore`, beyond the reference: restores and verifications under
 * way.
 */
export function getRestores({ params }: ApiRequest, { engine }: RouteContext): ApiResponse {
  const { repository, snapshot } = target(params);
  return json({
    restores: engine.snapshots
      .restoring(repository, snapshot)
      .map(({ stage, bytes, processedBytes }) => ({
        stage,
        total_size_in_bytes: bytes,
        processed_size_in_bytes: processedBytes,
      })),
  });
}

/** `POST /_snapshot/{repository}/{snapshot}/_verify`, beyond the reference: reads every file back. */
export async function verifySnapshot(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const { repository, snapshot } = target(params);
  const { files, bytes, documents } = await engine.snapshots.verify(repository, snapshot);
  return json({ snapshot, valid: true, files, size_in_bytes: bytes, documents });
}
