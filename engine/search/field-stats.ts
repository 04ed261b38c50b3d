// Field statistics: how many documents have a field, and its smallest and largest value, index by index
// (reference server).

import { Slices } from '../common/index';
import { EngineError } from '../errors';
import { Double, type JsonOutput } from '../json/index';
import { dateFormat, type IndexMapping, type MappedField, META_FIELD } from '../mapping/index';
import {
  type ClusterState,
  type IndexMetadata,
  assertNoneBlocked,
  resolveIndices,
} from '../metadata/index';
import type { FieldStatsRequest, FieldStatsResult, ShardFailure } from '../api/index';
import {
  addedFigures,
  type FieldFigures,
  type FiguresControl,
  type ShardFigures,
} from './field-figures';
import { broadcastFailure } from './plan/errors';

/** What field statistics need of the node. */
export interface FieldStatsHost {
  state(): ClusterState;
  mapping(index: IndexMetadata): IndexMapping;
  /**
   * What a shard has of fields.
   *
   * @throws EngineError when the shard cannot be searched; CorruptionError
   */
  figures(
    index: IndexMetadata,
    shard: number,
    fields: readonly MappedField[],
    control: FiguresControl,
  ): Promise<ShardFigures>;
}

/** A field with what is known of it so far. */
interface Gathered extends FieldFigures {
  readonly mapped: MappedField;
  readonly maxDoc: number;
}

type ByField = Map<string, Gathered>;

/** Answers requests for field statistics. */
export class FieldStats {
  constructor(private readonly host: FieldStatsHost) {}

  /**
   * @throws EngineError 404 and 403 for indices; ElasticsearchIllegalStateException (500) when a field has
   *         values of two kinds that are to be put together
   */
  async run(request: FieldStatsRequest): Promise<FieldStatsResult> {
    const state = this.host.state();
    const names = resolveIndices(state, request.indices, request.options);
    assertNoneBlocked(state, names, 'read');
    const slices = new Slices(1);
    const failures: ShardFailure[] = [];
    const byIndex = new Map<string, ByField>();
    let total = 0;
    for (const name of [...names].sort()) {
      const index = state.indices.get(name);
      if (index === undefined) continue;
      const mapping = this.host.mapping(index);
      for (let shard = 0; shard < index.shardIds.length; shard++) {
        total++;
        if (slices.isOver()) await slices.next();
        try {
          const found = await this.ofShard(index, shard, mapping, request, slices);
          const known = byIndex.get(name) ?? new Map<string, Gathered>();
          byIndex.set(name, known);
          for (const [field, figures] of found) addFigures(known, field, figures, name);
        } catch (error) {
          if (!(error instanceof EngineError) || error.wireName === MERGE_ERROR) throw error;
          failures.push(broadcastFailure(name, shard, error));
        }
      }
    }
    const shards = {
      total,
      successful: total - failures.length,
      failed: failures.length,
      failures,
    };
    const merged = request.perIndex || byIndex.size === 0 ? byIndex : mergeIndices(byIndex);
    const indices = new Map<string, JsonOutput>();
    for (const [name, fields] of merged) {
      indices.set(name, { fields: new Map([...fields].map(([field, it]) => [field, shown(it)])) });
    }
    return { shards, indices };
  }

  private async ofShard(
    index: IndexMetadata,
    shard: number,
    mapping: IndexMapping,
    { fields, signal }: FieldStatsRequest,
    slices: Slices,
  ): Promise<ByField> {
    const named = fields.flatMap((name) => {
      const mapped = fieldNamed(mapping, name);
      return mapped === null ? [] : [{ name, mapped }];
    });
    const wanted = named.map(({ mapped }) => mapped);
    const control = { slices, signal };
    const { maxDoc, fields: figures } = await this.host.figures(index, shard, wanted, control);
    const found: ByField = new Map();
    named.forEach(({ name, mapped }, i) => {
      const own = figures[i] ?? null;
      if (own !== null) found.set(name, { ...own, mapped, maxDoc });
    });
    return found;
  }
}

const MERGE_ERROR = 'ElasticsearchIllegalStateException';

/** Metadata fields that every index knows, also those that hold nothing. */
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(META_FIELD), '_id', '_source']);

/** By its full name; null: it has nothing to tell. @throws EngineError for a field that there is not */
function fieldNamed(mapping: IndexMapping, name: string): MappedField | null {
  const mapped = mapping.find(name, [])?.mapped;
  if (mapped !== undefined && (mapped.path === name || mapped.indexName === name)) {
    if (mapped.type !== 'object' && mapped.type !== 'nested') {
      return mapped.field?.indexed === true ? mapped : null;
    }
  } else if (KNOWN.has(name)) return null;
  throw new EngineError('IllegalArgumentException', `field [${name}] doesn't exist`, {
    status: 400,
  });
}

function addFigures(known: ByField, name: string, figures: Gathered, index: string): void {
  const before = known.get(name);
  if (before === undefined) {
    known.set(name, figures);
    return;
  }
  if (isText(before) !== isText(figures) || isDate(before) !== isDate(figures)) {
    throw new EngineError(
      MERGE_ERROR,
      `trying to merge the field stats of field [${name}] from index [${index}] but the field type is ` +
        "incompatible, try to set the 'level' option to 'indices'",
    );
  }
  const maxDoc = before.maxDoc + figures.maxDoc;
  known.set(name, { ...addedFigures(before, figures), mapped: before.mapped, maxDoc });
}

function isText({ min }: Gathered): boolean {
  return typeof min === 'string';
}

function isDate({ mapped }: Gathered): boolean {
  return mapped.format !== null;
}

function mergeIndices(byIndex: ReadonlyMap<string, ByField>): Map<string, ByField> {
  const all: ByField = new Map();
  for (const [index, fields] of byIndex) {
    for (const [field, figures] of fields) addFigures(all, field, figures, index);
  }
  return new Map([['_all', all]]);
}

function shown(field: Gathered): JsonOutput {
  const { maxDoc, docCount, sumDocFreq, sumTotalTermFreq, min, max } = field;
  return {
    max_doc: maxDoc,
    doc_count: docCount,
    density: Math.floor((docCount * 100) / maxDoc),
    sum_doc_freq: sumDocFreq,
    sum_total_term_freq: sumTotalTermFreq,
    min_value: shownValue(min, field),
    max_value: shownValue(max, field),
  };
}

function shownValue(value: FieldFigures['min'], { mapped }: Gathered): JsonOutput {
  if (typeof value === 'string') return value;
  if (mapped.format !== null) return dateFormat(mapped.format).print(Number(value));
  if (mapped.path === '_timestamp') return new Date(Number(value)).toISOString();
  if (mapped.type === 'ip') return address(Number(value));
  const { kind } = mapped.field!;
  if (typeof value === 'number' && (kind === 'float' || kind === 'double'))
    return new Double(value);
  return value;
}

function address(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}
