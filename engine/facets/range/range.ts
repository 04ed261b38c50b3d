// The range facet: documents by ranges of a number, which may overlap (reference server).

import {
  type BucketStats,
  bucketColumn,
  foldSlots,
  type NumberReader,
  countRanges,
  type NumberRange,
  RangeBuckets,
  NumberSource,
  type NumberOrigin,
} from '../../counting/index';
import { appendAll } from '../../common/index';
import { EngineError } from '../../errors';
import {
  Double,
  type JsonNumber,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  lenientFloat,
} from '../../json/index';
import { DEFAULT_DATE_FORMAT, type MappedField } from '../../mapping/index';
import { canonicalText } from '../../query/index';
import type { ScriptName } from '../../script/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { FacetKind, FacetParseContext } from '../contract/facet';
import { fieldNumbers } from '../histogram/histogram';
import { sourceOf, type FoldedValues } from '../histogram/keyed-collector';
import { KEY_AND_VALUE, KEY_AND_VALUE_SCRIPTS, MemberTable, pieces } from '../contract/members';
import { facetFailure, findLeaf } from '../contract/number-field';
import { forgetful, readsOf, scriptNumbers } from '../contract/number-source';
import { sumStats, StatsCollector } from './stats-collector';
import type { FieldId } from '../../metadata/index';

/** What a range facet counts. Plain data. */
export interface RangeSpec {
  readonly key: NumberOrigin;
  readonly values: FoldedValues;
  readonly ranges: readonly ShownRange[];
}

/** A range, with its bounds as they were given where that was text. */
interface ShownRange extends NumberRange {
  readonly fromText: string | null;
  readonly toText: string | null;
}

export const RANGE_FACET: FacetKind<RangeSpec, BucketStats> = {
  type: 'range',
  names: ['range'],
  parse: parseRange,
  collector: (spec, { scoresOf }) => {
    const { key, values, ranges } = spec;
    const keys = new NumberSource(key, scoresOf);
    const folded = sourceOf(values, scoresOf);
    const columns = key.kind === 'field' ? new RangeColumns(key.field, ranges) : null;
    const collector = new StatsCollector(spec, ranges.length, (segment, docs) => {
      const reader = keys.open(segment);
      if (reader === null) return null;
      const numbers = folded === null ? reader : folded.open(segment);
      return (
        columns?.count(segment, numbers, docs) ??
        countRanges(ranges, reader, folded === null ? 'keys' : numbers, docs)
      );
    });
    return key.kind === 'script' ? forgetful(collector) : collector;
  },
  reads: ({ key, values }) => readsOf([key, values]),
  reduce: (specs, partials) => render(specs[0]!, partials),
};

/** Ranges that do not overlap, counted by columns that say which range each document is in. */
class RangeColumns {
  private readonly buckets: RangeBuckets | null;
  private readonly name: string;

  constructor(
    private readonly field: FieldId | null,
    private readonly ranges: readonly NumberRange[],
  ) {
    this.buckets = RangeBuckets.of(ranges);
    this.name = canonicalText(ranges.map(({ from, to }) => [from, to]));
  }

  /** Null: there is no column for it. */
  count(segment: SegmentReader, values: NumberReader | null, docs: Bitset): BucketStats | null {
    const { field, buckets, name, ranges } = this;
    if (field === null || buckets === null) return null;
    if (values !== null && values.offsets !== null) return null;
    const column = bucketColumn(segment, field, name, docs, () => buckets.bucketing());
    if (column === null || column.offsets !== null) return null;
    // A slot that no document has, for ranges that hold nothing.
    const none = column.keys.length + 1;
    const stats = foldSlots(column.slots, none + 1, values, docs);
    return stats.select(
      Uint32Array.from(ranges, (range) => (buckets.bucketOf(range) ?? none - 1) + 1),
    );
  }
}

interface GivenRange {
  from: string | number;
  to: string | number;
}

interface Members {
  field: string | null;
  valueField: string | null;
  ranges: GivenRange[];
  keyScript: ScriptName | null;
  valueScript: ScriptName | null;
}

const MEMBERS = new MemberTable<Members>(KEY_AND_VALUE, KEY_AND_VALUE_SCRIPTS);

function parseRange(name: string, body: JsonObject, context: FacetParseContext): RangeSpec {
  const members: Members = {
    field: null,
    valueField: null,
    ranges: [],
    keyScript: null,
    valueScript: null,
  };
  for (const [member, value] of body) {
    if (Array.isArray(value)) {
      if (member !== 'ranges') members.field = member;
      const given = pieces(value);
      context.meter.add('ranges', given.length);
      appendAll(members.ranges, given.map(parseGivenRange));
    } else if (value instanceof Map) {
      // compat: an object other than params ends what is read.
      if (member !== 'params') break;
    } else if (value !== null) MEMBERS.read(members, member, value);
  }
  const { field, valueField, ranges } = members;
  if (ranges.length === 0) throw facetFailure(name, 'no ranges defined for range facet');
  const { keyScript, valueScript } = members;
  if (keyScript !== null && valueScript !== null) {
    return {
      key: scriptNumbers(keyScript, body, context),
      values: scriptNumbers(valueScript, body, context),
      // compat: bounds given as text stay open.
      ranges: ranges.map((range) => resolveRange(range, null)),
    };
  }
  if (field === null) {
    throw facetFailure(
      name,
      'key field is required to be set for range facet, either using [field] or using [key_field]',
    );
  }
  const mapped = findLeaf(field, context);
  if (mapped === null) throw facetFailure(name, `No mapping found for key_field [${field}]`);
  const shown = ranges.map((range) => resolveRange(range, mapped));
  const key = fieldNumbers(name, field, 'key_field', context);
  const values: FoldedValues =
    valueField === null || valueField === field
      ? { kind: 'keys' }
      : fieldNumbers(name, valueField, 'value_field', context);
  return { key, values, ranges: shown };
}

function parseGivenRange(value: JsonValue): GivenRange {
  const range: GivenRange = { from: -Infinity, to: Infinity };
  if (!(value instanceof Map)) throw malformed();
  for (const [name, bound] of value) {
    for (const piece of pieces(bound)) {
      if (piece === null) continue;
      if (piece instanceof Map) throw malformed();
      if (name === 'from') range.from = boundOf(piece);
      else if (name === 'to') range.to = boundOf(piece);
    }
  }
  return range;
}

function boundOf(value: string | boolean | JsonNumber): string | number {
  return typeof value === 'string' ? value : (lenientFloat(value, null) ?? 0);
}

function malformed(): EngineError {
  return new EngineError('ElasticsearchParseException', 'a range must be an object of scalars');
}

/** @param mapped null: text is not read */
function resolveRange(range: GivenRange, mapped: MappedField | null): ShownRange {
  const { from, to } = range;
  return {
    from: typeof from !== 'string' ? from : mapped === null ? -Infinity : parseBound(from, mapped),
    to: typeof to !== 'string' ? to : mapped === null ? Infinity : parseBound(to, mapped),
    fromText: typeof from === 'string' ? from : null,
    toText: typeof to === 'string' ? to : null,
  };
}

/** A bound as the field's mapping reads it in documents; no date math. */
function parseBound(text: string, mapped: MappedField): number {
  const isDate = mapped.type === 'date' || mapped.path === '_timestamp';
  const bound = isDate ? parseDate(text, mapped) : mapped.termOf(text);
  if (typeof bound === 'string') {
    throw new EngineError(
      'ClassCastException',
      'class java.lang.String cannot be cast to class java.lang.Number',
      { status: 400 },
    );
  }
  return Number(bound);
}

/** Text by the format of the field, or milliseconds. */
function parseDate(text: string, mapped: MappedField): string | number | bigint {
  try {
    return mapped.termOf(text);
  } catch (error) {
    if (/^[+-]?\d+$/.test(text)) return Number(text);
    throw new EngineError(
      'MapperParsingException',
      `failed to parse date field [${text}], tried both date format [${mapped.format ?? DEFAULT_DATE_FORMAT}], and timestamp number with locale []`,
      { cause: error },
    );
  }
}

function render({ ranges }: RangeSpec, partials: readonly BucketStats[]): JsonOutput {
  const sums = sumStats(ranges.length, partials);
  const entries = ranges.map(({ from, to, fromText, toText }, r): JsonOutput => {
    const totalCount = sums.totalCounts[r]!;
    const total = sums.totals[r]!;
    return {
      from: Number.isFinite(from) ? new Double(from) : undefined,
      from_str: fromText ?? undefined,
      to: Number.isFinite(to) ? new Double(to) : undefined,
      to_str: toText ?? undefined,
      count: sums.counts[r]!,
      min: totalCount === 0 ? undefined : new Double(sums.mins[r]!),
      max: totalCount === 0 ? undefined : new Double(sums.maxs[r]!),
      total_count: totalCount,
      total: new Double(total),
      mean: new Double(totalCount === 0 ? 0 : total / totalCount),
    };
  });
  return { _type: 'range', ranges: entries };
}
