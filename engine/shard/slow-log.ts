// Slow logs: lines about searches and index operations that took longer than their index allows, per shard,
// as the reference server writes them. Thresholds are index settings and may change at any time; none is set
// by default, and then nothing is measured.

import { type FlatSettings, isTrueSetting } from '../metadata/index';
import { type JsonObject, parseJson, writeJson } from '../json/index';
import { tryTimeValue } from '../common/index';

/** Levels of slow lines, most severe first. */
const LEVELS = ['warn', 'info', 'debug', 'trace'] as const;
type SlowLevel = (typeof LEVELS)[number];

/** Where slow lines are written, whatever the level of the node's own log. */
export type SlowLogger = Readonly<Record<SlowLevel, (fields: object, message: string) => void>>;

/** A slow log that nobody reads. */
export const NO_SLOW_LOGGER: SlowLogger = { warn() {}, info() {}, debug() {}, trace() {} };

/** Characters of a source that are logged. */
const MAX_SOURCE = 2000;
/** Larger documents are logged as they came: parsing them again would make a slow write slower. Bytes. */
const MAX_REFORMATTED = 64 * 1024;

/** Milliseconds by level, in the order of LEVELS; Infinity: never. */
type Thresholds = readonly number[];

/** What an index allows; null where nothing is slow. */
interface SlowSettings {
  readonly query: Thresholds | null;
  readonly fetch: Thresholds | null;
  readonly index: Thresholds | null;
  /** Write sources without the white space they came with. */
  readonly reformatsSearches: boolean;
  readonly reformatsDocuments: boolean;
}

const known = new WeakMap<FlatSettings, SlowSettings>();

function slowSettings(settings: FlatSettings): SlowSettings {
  let result = known.get(settings);
  if (result === undefined) {
    result = {
      query: thresholds(settings, 'search', 'query'),
      fetch: thresholds(settings, 'search', 'fetch'),
      index: thresholds(settings, 'indexing', 'index'),
      reformatsSearches: isUnlessSaid(settings, 'index.search.slowlog.reformat'),
      reformatsDocuments: isUnlessSaid(settings, 'index.indexing.slowlog.reformat'),
    };
    known.set(settings, result);
  }
  return result;
}

function thresholds(settings: FlatSettings, kind: string, phase: string): Thresholds | null {
  const text = (name: string): string => {
    const value = settings.get(`index.${kind}.slowlog.${name}`);
    return typeof value === 'string' ? value : '';
  };
  const least = LEVELS.indexOf(text('level').toLowerCase() as SlowLevel);
  const all = LEVELS.map((level, i) => {
    const ms = tryTimeValue(text(`threshold.${phase}.${level}`)) ?? -1;
    // A level says which lines are not wanted: those that are less severe.
    return ms < 0 || (least >= 0 && i > least) ? Infinity : ms;
  });
  return all.every((ms) => ms === Infinity) ? null : all;
}

function isUnlessSaid(settings: FlatSettings, name: string): boolean {
  return settings.get(name) === undefined || isTrueSetting(settings.get(name));
}

function levelOf(limits: Thresholds | null, ms: number): SlowLevel | undefined {
  return limits === null ? undefined : LEVELS.find((_, i) => ms > limits[i]!);
}

/** Whether searches of an index are to be timed. */
export function timesSearches(settings: FlatSettings): boolean {
  const { query, fetch } = slowSettings(settings);
  return query !== null || fetch !== null;
}

/** Whether index operations of an index are to be timed. */
export function timesIndexing(settings: FlatSettings): boolean {
  return slowSettings(settings).index !== null;
}

/** One shard's part of a search. */
interface SlowShard {
  readonly index: string;
  readonly shard: number;
  readonly settings: FlatSettings;
  readonly queryMs: number;
  /** Null: it had no hits to show. */
  readonly fetchMs: number | null;
}

/** What slow lines say of a search. */
interface SlowSearch {
  readonly types: readonly string[];
  readonly searchType: string;
  readonly totalShards: number;
  /** The body as received, and parsed (empty when it could not be); null: none. */
  readonly bodyText: string | null;
  readonly body: JsonObject;
  /** What parameters of the URL amount to. */
  readonly extra: JsonObject | null;
}

/** Writes a line for each phase of each shard that took too long. */
export function logSlowSearch(
  logger: SlowLogger,
  search: SlowSearch,
  shards: readonly SlowShard[],
): void {
  for (const { index, shard, settings, queryMs, fetchMs } of shards) {
    const { query, fetch, reformatsSearches } = slowSettings(settings);
    const write = (phase: string, limits: Thresholds | null, ms: number): void => {
      const level = levelOf(limits, ms);
      if (level === undefined) return;
      const { types, searchType, totalShards, body, bodyText, extra } = search;
      const source = reformatsSearches && body.size > 0 ? writeJson(body) : (bodyText ?? '');
      const fields = {
        logger: `index.search.slowlog.${phase}`,
        ...place(index, shard, ms),
        types,
        stats: statsOf(body),
        search_type: searchType.toUpperCase(),
        total_shards: totalShards,
        source: shorten(source),
        extra_source: extra === null ? '' : shorten(writeJson(extra)),
      };
      logger[level](fields, `slow ${phase}`);
    };
    write('query', query, queryMs);
    if (fetchMs !== null) write('fetch', fetch, fetchMs);
  }
}

/** An index operation that may have been slow. */
interface SlowWrite {
  readonly index: string;
  readonly shard: number;
  readonly settings: FlatSettings;
  readonly type: string;
  readonly id: string;
  readonly routing: string | null;
  readonly source: Buffer;
  readonly ms: number;
}

/** Writes a line if an index operation took too long. */
export function logSlowWrite(logger: SlowLogger, write: SlowWrite): void {
  const { index: limits, reformatsDocuments } = slowSettings(write.settings);
  const level = levelOf(limits, write.ms);
  if (level === undefined) return;
  const { index, shard, type, id, routing, source, ms } = write;
  const fields = {
    logger: 'index.indexing.slowlog.index',
    ...place(index, shard, ms),
    type,
    id,
    routing: routing ?? '',
    source: shorten(documentText(source, reformatsDocuments)),
  };
  logger[level](fields, 'slow index operation');
}

function place(index: string, shard: number, ms: number) {
  return { index, shard, took: timeText(ms), took_millis: Math.floor(ms) };
}

function statsOf(body: JsonObject): readonly string[] {
  const stats = body.get('stats');
  return Array.isArray(stats) ? stats.filter((group) => typeof group === 'string') : [];
}

function documentText(source: Buffer, reformats: boolean): string {
  // A character takes 4 bytes at most.
  if (!reformats || source.length > MAX_REFORMATTED) {
    return source.subarray(0, 4 * (MAX_SOURCE + 1)).toString();
  }
  const text = source.toString();
  try {
    return writeJson(parseJson(text));
  } catch {
    return text;
  }
}

function shorten(text: string): string {
  return text.length > MAX_SOURCE ? `${text.slice(0, MAX_SOURCE)}…` : text;
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** A time as the reference writes it: one decimal, cut off, of the largest unit that there is one of. */
function timeText(ms: number): string {
  const [name, size] = UNITS.find(([, unit]) => ms >= unit) ?? ['micros', 0.001];
  return `${Math.floor((ms / size) * 10) / 10}${name}`;
}
