// Ranges of numbers as buckets: what range, date_range, ip_range and geo_distance have in common (reference
// server). A document counts once in a range, however many of its values lie within.

import {
  type DocBuckets,
  endOf,
  loadWindow,
  type NumberReader,
  type ScoresOf,
  startOf,
  WindowWriter,
} from '../../counting/index';
import { EngineError } from '../../errors';
import {
  formatDouble,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  writeJson,
} from '../../json/index';
import type { FieldId } from '../../metadata/index';
import { ElementFailure, tokenName } from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import type { AggregationKind, AggregationSpec, Aggregator } from '../contract/aggregation';
import type { DocCounts } from '../contract/merging';
import { bindSubs, type SubAggregators } from '../contract/sub-aggregators';
import { formatValue, type ValueFormat } from '../contract/value-format';
import { unknownMember } from '../contract/values';
import { RangeColumns } from './column-ranges';
import { fixedBucket, mergeFixed } from './fixed-buckets';
import { BucketCounts } from './single-bucket';

/** `from` inclusive, `to` exclusive; infinite where open. */
export interface BucketRange {
  /** Null: it is made of the bounds. */
  readonly key: string | null;
  readonly from: number;
  readonly to: number;
}

/** Ranges with how they are shown. Plain data. */
export interface RangesSpec extends AggregationSpec {
  /** In the order in which they are shown: by `from`, then by `to`. */
  readonly ranges: readonly BucketRange[];
  readonly keyed: boolean;
  readonly format: ValueFormat;
  /** Bounds are shown as texts as well. */
  readonly showsTexts: boolean;
}

/**
 * Puts ranges into the order in which they are shown.
 *
 * @throws EngineError where there are none
 */
export function inOrder(ranges: readonly BucketRange[]): BucketRange[] {
  if (ranges.length === 0)
    throw new EngineError('ArrayIndexOutOfBoundsException', 'Index 0 out of bounds for length 0');
  return [...ranges].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A range as a request has it. A text stands above a number. */
export interface AskedRange {
  readonly key: string | null;
  readonly from: number;
  readonly to: number;
  /** Null: not given. */
  readonly fromText: string | null;
  readonly toText: string | null;
  readonly mask: string | null;
}

/**
 * Reads a range. compat: what is no number, text or null is passed over.
 *
 * @param from where it begins unless it says so
 * @param knowsAll members without a meaning are refused
 * @throws ElementFailure for what is no object
 */
export function askedRange(
  name: string,
  body: JsonValue,
  from: number,
  knowsAll = false,
): AskedRange {
  if (!isJsonObject(body)) throw new ElementFailure(`Unexpected range of aggregation [${name}]`);
  const range: { -readonly [M in keyof AskedRange]: AskedRange[M] } = {
    key: null,
    from,
    to: Infinity,
    fromText: null,
    toText: null,
    mask: null,
  };
  for (const [member, value] of body) {
    if (typeof value === 'string') {
      if (member === 'from') range.fromText = value;
      else if (member === 'to') range.toText = value;
      else if (member === 'key') range.key = value;
      else if (member === 'mask') range.mask = value;
      else if (knowsAll) throw unknownMember(name, 'ranges', value);
    } else if (value instanceof JsonNumber) {
      if (member === 'from') range.from = value.value;
      else if (member === 'to') range.to = value.value;
      else if (knowsAll) throw unknownMember(name, 'ranges', value);
    } else if (Array.isArray(value) || isJsonObject(value)) {
      throw new ElementFailure(
        `Unexpected token ${tokenName(value)} for [${member}] of a range of aggregation [${name}]`,
      );
    }
  }
  return range;
}

/** A kind of ranges, given how it parses and where its numbers come from. */
export function rangesKind<S extends RangesSpec>(
  type: string,
  kind: {
    readonly parse: AggregationKind<S>['parse'];
    readonly numbers: (
      spec: S,
      scoresOf: ScoresOf,
    ) => (segment: SegmentReader) => NumberReader | null;
    /** The field that all numbers are values of; absent, or null: they are not. */
    readonly field?: (spec: S) => FieldId | null;
    readonly lead: (specs: readonly S[]) => S;
    readonly reads?: NonNullable<AggregationKind<S>['reads']>;
  },
): AggregationKind<S, DocCounts> {
  return {
    type,
    hasBuckets: true,
    parse: kind.parse,
    bind: (plan, shard) => {
      const subs = bindSubs(plan.subs, shard);
      const open = kind.numbers(plan.spec, shard.scoresOf);
      const { ranges } = plan.spec;
      const table = new RangeTable(ranges);
      const columns = RangeColumns.of(kind.field?.(plan.spec) ?? null, ranges);
      return (segment) => {
        const below = subs(segment);
        return (
          columns?.open(segment, below) ??
          new RangesAggregator(segment, below, table, open(segment))
        );
      };
    },
    merge: (parts, owners) => mergeFixed(parts, owners, parts[0]?.spec.ranges.length ?? 0),
    lead: kind.lead,
    fixedBuckets: ({ ranges }) => ranges.length,
    ...(kind.reads === undefined ? {} : { reads: kind.reads }),
    render: (node, owner, context) => {
      const { spec, data } = node;
      context.countBuckets(spec.ranges.length);
      const texts = spec.ranges.map((range, b) => {
        const bucket = fixedBucket(owner, spec.ranges.length, b);
        const key = writeJson(range.key ?? keyOf(range, spec.format));
        const rest = `${boundText('from', range.from, spec)}${boundText('to', range.to, spec)}"doc_count":${data.counts[bucket] ?? 0}${context.subs(node, bucket)}}`;
        return spec.keyed ? `${key}:{${rest}` : `{"key":${key},${rest}`;
      });
      return spec.keyed ? `{"buckets":{${texts.join()}}}` : `{"buckets":[${texts.join()}]}`;
    },
  };
}

function keyOf({ from, to }: BucketRange, format: ValueFormat): string {
  const shown = (bound: number) => (Number.isFinite(bound) ? formatValue(format, bound) : '*');
  return `${shown(from)}-${shown(to)}`;
}

function boundText(name: string, bound: number, { format, showsTexts }: RangesSpec): string {
  if (!Number.isFinite(bound)) return '';
  const text = `"${name}":${formatDouble(bound)},`;
  return showsTexts ? `${text}"${name}_as_string":${writeJson(formatValue(format, bound))},` : text;
}

/** Finds the ranges that a number lies in. */
class RangeTable {
  readonly width: number;
  private readonly froms: Float64Array;
  private readonly tos: Float64Array;
  /** The largest end of the ranges up to each one. */
  private readonly ends: Float64Array;

  constructor(ranges: readonly BucketRange[]) {
    this.width = ranges.length;
    this.froms = Float64Array.from(ranges, ({ from }) => from);
    this.tos = Float64Array.from(ranges, ({ to }) => to);
    this.ends = this.tos.slice();
    for (let r = 1; r < this.width; r++) {
      if (this.ends[r - 1]! > this.ends[r]!) this.ends[r] = this.ends[r - 1]!;
    }
  }

  /** Writes the ranges that a number lies in, descending. @returns how many there are */
  find(value: number, into: Uint32Array): number {
    const { froms, tos, ends } = this;
    let low = 0;
    let high = this.width;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (froms[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    let n = 0;
    for (let r = low - 1; r >= 0 && ends[r]! > value; r--) if (tos[r]! > value) into[n++] = r;
    return n;
  }
}

class RangesAggregator implements Aggregator {
  private readonly kept: BucketCounts;
  private readonly out: WindowWriter;
  private readonly found: Uint32Array;
  /** By range: the document that was last found to be in it. */
  private readonly last: Int32Array;

  constructor(
    segment: SegmentReader,
    subs: SubAggregators,
    private readonly table: RangeTable,
    private readonly values: NumberReader | null,
  ) {
    this.kept = new BucketCounts(subs);
    this.out = new WindowWriter(segment.docCount);
    this.found = new Uint32Array(table.width);
    this.last = new Int32Array(table.width);
  }

  collect(docs: DocBuckets): void {
    const { values, out } = this;
    if (values === null) return;
    loadWindow(values, docs);
    out.begin(docs.from, docs.to);
    if (values.offsets === null) this.collectSingle(docs, values);
    else this.collectSeveral(docs, values);
    this.kept.takeWritten(out, docs.bucketCount * this.table.width);
  }

  partial(owners: number) {
    return this.kept.partial(owners * this.table.width);
  }

  private collectSingle(window: DocBuckets, reader: NumberReader): void {
    const { from, size, docs, buckets } = window;
    const { table, out, found } = this;
    const { present, values } = reader;
    for (let i = 0; i < size; i++) {
      const doc = docs[i]!;
      if (present !== null && ((present[from + (doc >>> 5)]! >>> (doc & 31)) & 1) === 0) continue;
      const n = table.find(values[doc]!, found);
      if (out.isFullBefore(doc)) this.kept.takeWritten(out, window.bucketCount * table.width);
      out.reserve(out.size + n);
      const first = buckets[i]! * table.width;
      for (let f = n - 1; f >= 0; f--) out.add(doc, first + found[f]!);
    }
  }

  private collectSeveral(window: DocBuckets, reader: NumberReader): void {
    const { from, size, docs, buckets } = window;
    const { table, out, found, last } = this;
    const { values } = reader;
    for (let i = 0; i < size; i++) {
      const doc = (from << 5) + docs[i]!;
      const first = buckets[i]! * table.width;
      const end = endOf(reader, doc);
      // Entries are told apart by their number: a document may have one for each of several buckets.
      const mark = i + 1;
      if (i === 0) last.fill(0);
      if (out.isFullBefore(docs[i]!)) this.kept.takeWritten(out, window.bucketCount * table.width);
      for (let v = startOf(reader, doc); v < end; v++) {
        const n = table.find(values[v]!, found);
        out.reserve(out.size + n);
        for (let f = n - 1; f >= 0; f--) {
          const r = found[f]!;
          if (last[r] === mark) continue;
          last[r] = mark;
          out.add(docs[i]!, first + r);
        }
      }
    }
  }
}
