// `_cat` tables about disks, segments, recoveries, tasks and memory (reference server).

import { splitCommas } from '../../engine/index';
import { hostname } from 'node:os';
import type { IndexStats } from '../../engine/index';
import {
  type ApiRequest,
  type RouteContext,
  indicesOptions,
  SEARCH_OPTIONS,
} from '../request/index';
import { LUCENE_VERSION } from '../config/index';
import { type CatRow, bytesText } from '../render/index';
import { cachesOf, diskSpace, localShard, missingReplicas } from '../stats/index';
import { column, numeric, table } from './cat-columns';
import { hostOf, isThisNode } from './nodes';
import { percentRecovered, segmentName } from './stats';

async function statsOf(
  { params }: ApiRequest,
  { engine }: RouteContext,
): Promise<readonly IndexStats[]> {
  const options = indicesOptions(params, SEARCH_OPTIONS);
  return engine.maintenance.stats(
    engine.admin.resolve(params.list('index'), options, 'metadata_read'),
  );
}

/** `/_cat/allocation[/{nodes}]`: the disk, and the replicas that are nowhere. */
export const ALLOCATION = table({
  asksMaster: true,
  columns: [
    numeric('shards', 's', 'number of shards on node'),
    numeric('disk.used', 'du,diskUsed', 'disk used (total, not just ES)'),
    numeric('disk.avail', 'da,diskAvail', 'disk available'),
    numeric('disk.total', 'dt,diskTotal', 'total capacity of all volumes'),
    numeric('disk.percent', 'dp,diskPercent', 'percent disk used'),
    column('host', 'h', 'host of node'),
    column('ip', '', 'ip of node'),
    column('node', 'n', 'name of node'),
  ],
  rows: async (request, context): Promise<CatRow[]> => {
    const { engine, settings } = context;
    const stats = await statsOf(request, context);
    const shards = stats.reduce((sum, index) => sum + index.shards.length, 0);
    const unassigned = stats
      .flatMap(({ shards: all, replicas }) => all.map((shard) => missingReplicas(shard, replicas)))
      .reduce((sum, missing) => sum + missing, 0);
    const { total, available } = diskSpace(settings.node.dataPath);
    const used = total - available;
    const size = (bytes: number) => bytesText(bytes, request.params.get('bytes'));
    const row = [
      String(shards),
      size(used),
      size(available),
      size(total),
      String(Math.floor((100 * used) / total)),
      hostname(),
      hostOf(context.address()),
      engine.nodeName,
    ];
    const nodes = splitCommas(request.params.get('nodes') ?? '_all');
    const rows: CatRow[] = isThisNode(nodes, engine) ? [row] : [];
    const blank = Array.from({ length: 6 }, () => null);
    if (unassigned > 0) rows.push([String(unassigned), ...blank, 'UNASSIGNED']);
    return rows;
  },
});

/** `/_cat/segments[/{index}]`. */
export const SEGMENTS = table({
  asksMaster: true,
  columns: [
    column('index', 'i,idx', 'index name'),
    column('shard', 's,sh', 'shard name'),
    column('prirep', 'p,pr,primaryOrReplica', 'primary or replica'),
    column('ip', '', 'ip of node where it lives'),
    { ...column('id', '', 'unique id of node where it lives'), isHidden: true },
    column('segment', 'seg', 'segment name'),
    numeric('generation', 'g,gen', 'segment generation'),
    numeric('docs.count', 'dc,docsCount', 'number of docs in segment'),
    numeric('docs.deleted', 'dd,docsDeleted', 'number of deleted docs in segment'),
    numeric('size', 'si', 'segment size in bytes'),
    numeric('size.memory', 'sm,sizeMemory', 'segment memory in bytes'),
    column('committed', 'ic,isCommitted', 'is segment committed'),
    column('searchable', 'is,isSearchable', 'is segment searched'),
    column('version', 'v,ver', 'version'),
    column('compound', 'ico,isCompound', 'is segment compound'),
  ],
  rows: async (request, context): Promise<CatRow[]> => {
    const { engine } = context;
    const { bytes: memory } = await cachesOf(engine);
    return (await statsOf(request, context)).flatMap(({ name, shards }) =>
      shards.flatMap((stats, shard) =>
        localShard(stats).segments.map((segment) => [
          name,
          String(shard),
          'p',
          hostOf(context.address()),
          engine.nodeId,
          segmentName(segment.id),
          String(segment.id),
          String(segment.docCount - segment.deletedCount),
          String(segment.deletedCount),
          bytesText(segment.bytes, request.params.get('bytes')),
          String([...(memory.get(segment.id)?.values() ?? [])].reduce((sum, n) => sum + n, 0)),
          'true',
          'true',
          LUCENE_VERSION,
          'true',
        ]),
      ),
    );
  },
});

/** `/_cat/recovery[/{index}]`: how every shard came to be there, see `_recovery`. */
export const RECOVERY = table({
  columns: [
    column('index', 'i,idx', 'index name'),
    column('shard', 's,sh', 'shard name'),
    column('time', 't,ti', 'recovery time'),
    column('type', 'ty', 'recovery type'),
    column('stage', 'st', 'recovery stage'),
    column('source_host', 'shost', 'source host'),
    column('target_host', 'thost', 'target host'),
    column('repository', 'rep', 'repository'),
    column('snapshot', 'snap', 'snapshot'),
    column('files', 'f', 'number of files to recover'),
    column('files_percent', 'fp', 'percent of files recovered'),
    column('bytes', 'b', 'size to recover in bytes'),
    column('bytes_percent', 'bp', 'percent of bytes recovered'),
    column('total_files', 'tf', 'total number of files'),
    column('total_bytes', 'tb', 'total number of bytes'),
    column('translog', 'tr', 'translog operations recovered'),
    column('translog_percent', 'trp', 'percent of translog recovery'),
    column('total_translog', 'trt', 'current total translog operations'),
  ],
  rows: async (request, context): Promise<CatRow[]> =>
    (await statsOf(request, context)).flatMap(({ name, shards }) =>
      shards.map((stats, shard) => {
        const { opening } = localShard(stats);
        const { restored } = opening;
        const operations = String(opening.operations);
        const host = hostname();
        if (restored !== null) {
          const { repository, snapshot } = restored;
          const ms = String(Math.round(restored.writeMs) + Math.round(restored.startMs));
          const [files, bytes] = [String(restored.files), String(restored.bytes)];
          return [
            ...[name, String(shard), ms, 'snapshot', 'done', 'n/a', host, repository, snapshot],
            ...[files, percentRecovered(restored.files), bytes, percentRecovered(restored.bytes)],
            ...[files, bytes, '0', '100.0%', '0'],
          ];
        }
        const none = ['0', '0.0%', '0', '0.0%', '0', '0'];
        return [
          ...[name, String(shard), String(Math.round(opening.ms)), 'gateway', 'done', host, host],
          ...['n/a', 'n/a', ...none, operations, '100.0%', operations],
        ];
      }),
    ),
});

/** `/_cat/pending_tasks`: changes of the cluster state are made as they come. */
export const PENDING_TASKS = table({
  asksMaster: true,
  columns: [
    numeric('insertOrder', 'o', 'task insertion order'),
    numeric('timeInQueue', 't', 'how long task has been in queue'),
    column('priority', 'p', 'task priority'),
    column('source', 's', 'task source'),
  ],
  rows: () => [],
});

/** `/_cat/fielddata[/{fields}]`: columns in memory; they are not told apart by field. */
export const FIELDDATA = table({
  columns: [
    column('id', '', 'node id'),
    column('host', 'h', 'host name'),
    column('ip', '', 'ip address'),
    column('node', 'n', 'node name'),
    numeric('total', '', 'total field data usage'),
  ],
  rows: async ({ params }, context): Promise<CatRow[]> => {
    const { engine } = context;
    const { kinds } = await cachesOf(engine);
    const total = bytesText(kinds.get('column')?.bytes ?? 0, params.get('bytes'));
    return [[engine.nodeId, hostname(), hostOf(context.address()), engine.nodeName, total]];
  },
});
