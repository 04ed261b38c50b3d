// Columns of `_cat` tables that show what `_stats` counts; hidden unless they are asked for (reference
// server).

import type { CacheStats, JsonOutput, ShardStats } from '../../engine/index';
import type { Params } from '../request/index';
import { type CatColumn, bytesText, timeText } from '../render/index';
import { renderSections } from '../stats/index';
import { numeric } from './cat-columns';

/** Tables with statistics; not every one has all. */
type Table = 'indices' | 'shards' | 'nodes';

interface Figure {
  readonly name: string;
  readonly aliases: string;
  readonly documentation: string;
  /** Section and member of `_stats`. */
  readonly source: string;
  readonly absentFrom: Table | undefined;
}

function figure(
  name: string,
  aliases: string,
  documentation: string,
  { source = name, absentFrom }: { source?: string; absentFrom?: Table } = {},
): Figure {
  return { name, aliases, documentation, source, absentFrom };
}

const FIGURES: readonly Figure[] = [
  figure('completion.size', 'cs,completionSize', 'size of completion'),
  ...cache('fielddata', 'fm,fielddataMemory', 'fe,fielddataEvictions', 'fielddata'),
  ...cache('filter_cache', 'fcm,filterCacheMemory', 'fce,filterCacheEvictions', 'filter cache'),
  ...cache(
    'query_cache',
    'qcm,queryCacheMemory',
    'qce,queryCacheEvictions',
    'query cache',
    'shards',
  ),
  figure('query_cache.hit_count', 'qchc,queryCacheHitCount', 'query cache hit count', {
    absentFrom: 'shards',
  }),
  figure('query_cache.miss_count', 'qcmc,queryCacheMissCount', 'query cache miss count', {
    absentFrom: 'shards',
  }),
  figure('flush.total', 'ft,flushTotal', 'number of flushes'),
  figure('flush.total_time', 'ftt,flushTotalTime', 'time spent in flush'),
  figure('get.current', 'gc,getCurrent', 'number of current get ops'),
  figure('get.time', 'gti,getTime', 'time spent in get'),
  figure('get.total', 'gto,getTotal', 'number of get ops'),
  figure('get.exists_time', 'geti,getExistsTime', 'time spent in successful gets'),
  figure('get.exists_total', 'geto,getExistsTotal', 'number of successful gets'),
  figure('get.missing_time', 'gmti,getMissingTime', 'time spent in failed gets'),
  figure('get.missing_total', 'gmto,getMissingTotal', 'number of failed gets'),
  figure('id_cache.memory_size', 'im,idCacheMemory', 'used id cache'),
  figure('indexing.delete_current', 'idc,indexingDeleteCurrent', 'number of current deletions'),
  figure('indexing.delete_time', 'idti,indexingDeleteTime', 'time spent in deletions'),
  figure('indexing.delete_total', 'idto,indexingDeleteTotal', 'number of delete ops'),
  figure('indexing.index_current', 'iic,indexingIndexCurrent', 'number of current indexing ops'),
  figure('indexing.index_time', 'iiti,indexingIndexTime', 'time spent in indexing'),
  figure('indexing.index_total', 'iito,indexingIndexTotal', 'number of indexing ops'),
  figure('merges.current', 'mc,mergesCurrent', 'number of current merges'),
  figure('merges.current_docs', 'mcd,mergesCurrentDocs', 'number of current merging docs'),
  figure('merges.current_size', 'mcs,mergesCurrentSize', 'size of current merges'),
  figure('merges.total', 'mt,mergesTotal', 'number of completed merge ops'),
  figure('merges.total_docs', 'mtd,mergesTotalDocs', 'docs merged'),
  figure('merges.total_size', 'mts,mergesTotalSize', 'size merged'),
  figure('merges.total_time', 'mtt,mergesTotalTime', 'time spent in merges'),
  figure('percolate.current', 'pc,percolateCurrent', 'number of current percolations'),
  figure('percolate.memory_size', 'pm,percolateMemory', 'memory used by percolations'),
  figure('percolate.queries', 'pq,percolateQueries', 'number of registered percolation queries'),
  figure('percolate.time', 'pti,percolateTime', 'time spent percolating'),
  figure('percolate.total', 'pto,percolateTotal', 'total percolations'),
  figure('refresh.total', 'rto,refreshTotal', 'total refreshes'),
  figure('refresh.time', 'rti,refreshTime', 'time spent in refreshes', {
    source: 'refresh.total_time',
  }),
  figure('search.fetch_current', 'sfc,searchFetchCurrent', 'current fetch phase ops'),
  figure('search.fetch_time', 'sfti,searchFetchTime', 'time spent in fetch phase'),
  figure('search.fetch_total', 'sfto,searchFetchTotal', 'total fetch ops'),
  figure('search.open_contexts', 'so,searchOpenContexts', 'open search contexts'),
  figure('search.query_current', 'sqc,searchQueryCurrent', 'current query phase ops'),
  figure('search.query_time', 'sqti,searchQueryTime', 'time spent in query phase'),
  figure('search.query_total', 'sqto,searchQueryTotal', 'total query phase ops'),
  figure('segments.count', 'sc,segmentsCount', 'number of segments'),
  figure('segments.memory', 'sm,segmentsMemory', 'memory used by segments'),
  figure(
    'segments.index_writer_memory',
    'siwm,segmentsIndexWriterMemory',
    'memory used by index writer',
  ),
  figure(
    'segments.index_writer_max_memory',
    'siwmx,segmentsIndexWriterMaxMemory',
    'maximum memory index writer may use before it must write buffered documents to a new segment',
  ),
  figure(
    'segments.version_map_memory',
    'svmm,segmentsVersionMapMemory',
    'memory used by version map',
  ),
  figure(
    'segments.fixed_bitset_memory',
    'sfbm,fixedBitsetMemory',
    'memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields',
    { source: 'segments.fixed_bit_set_memory' },
  ),
  figure('warmer.current', 'wc,warmerCurrent', 'current warmer ops', { absentFrom: 'nodes' }),
  figure('warmer.total', 'wto,warmerTotal', 'total warmer ops', { absentFrom: 'nodes' }),
  figure('warmer.total_time', 'wtt,warmerTotalTime', 'time spent in warmers', {
    absentFrom: 'nodes',
  }),
  figure('suggest.current', 'suc,suggestCurrent', 'number of current suggest ops', {
    absentFrom: 'shards',
  }),
  figure('suggest.time', 'suti,suggestTime', 'time spend in suggest', { absentFrom: 'shards' }),
  figure('suggest.total', 'suto,suggestTotal', 'number of suggest ops', { absentFrom: 'shards' }),
];

function cache(
  name: string,
  memory: string,
  evictions: string,
  words: string,
  absentFrom?: Table,
): Figure[] {
  const options = absentFrom === undefined ? {} : { absentFrom };
  const used = name === 'fielddata' ? 'fielddata cache' : words;
  return [
    figure(`${name}.memory_size`, memory, `used ${used}`, options),
    figure(`${name}.evictions`, evictions, `${words} evictions`, options),
  ];
}

function statsOf(table: Table): readonly Figure[] {
  return FIGURES.filter(({ absentFrom }) => absentFrom !== table);
}

/** The hidden columns of statistics of a table. */
export function statisticColumns(table: Table): CatColumn[] {
  return statsOf(table).map(({ name, aliases, documentation }) => ({
    ...numeric(name, aliases, documentation),
    isHidden: true,
  }));
}

/** The cells of {@link statisticColumns} for some shards, in the units that `bytes` and `time` ask for. */
export function statisticCells(
  table: Table,
  shards: readonly ShardStats[],
  caches: CacheStats,
  params: Params,
): string[] {
  const sections = renderSections(shards, [], caches) as ReadonlyMap<
    string,
    Readonly<Record<string, JsonOutput>>
  >;
  return statsOf(table).map(({ source }) => {
    const [section = '', member = ''] = source.split('.');
    const values = sections.get(section) ?? {};
    const size = values[`${member}_in_bytes`];
    if (size !== undefined) return bytesText(Number(size), params.get('bytes'));
    const time = values[`${member}_in_millis`];
    if (time !== undefined) return timeText(Number(time), params.get('time'));
    return String(Number(values[member] ?? 0));
  });
}

/** Memory of all kinds that `_stats` knows of shards, in bytes. */
export function memoryTotal(shards: readonly ShardStats[], caches: CacheStats): number {
  let total = 0;
  for (const section of renderSections(shards, MEMORY_SECTIONS, caches).values()) {
    for (const [name, value] of Object.entries(section as Readonly<Record<string, JsonOutput>>)) {
      if (MEMORY_MEMBERS.has(name)) total += Number(value);
    }
  }
  return total;
}

const MEMORY_SECTIONS = ['fielddata', 'filter_cache', 'id_cache', 'percolate', 'segments'];
const MEMORY_MEMBERS = new Set([
  'memory_size_in_bytes',
  'memory_in_bytes',
  'index_writer_memory_in_bytes',
  'version_map_memory_in_bytes',
]);
