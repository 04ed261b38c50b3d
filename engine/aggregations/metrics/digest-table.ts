// The distribution of numbers by bucket: distinct values with how often they are there, as long as these
// are few, and a t-digest (Dunning and Ertl, "Computing extremely accurate quantiles using t-digests", 2019,
// with the size bound 4nq(1 - q)/compression) of many. The libraries that there are keep a tree of objects
// for each digest; here the digests of all buckets stand in the same arrays, bucket after bucket.

import { EngineError } from '../../errors';
import { type BucketMap, NO_BUCKET } from '../contract/aggregation';

/** Plain data. The groups of bucket b are those from starts[b] to starts[b + 1] - 1, ascending by mean. */
export interface DigestData {
  readonly starts: Uint32Array;
  readonly means: Float64Array;
  readonly weights: Float64Array;
  /** By bucket: 1 where groups are not those of equal values alone. */
  readonly isMerged: Uint8Array;
}

/** How a digest is kept. */
export interface DigestLimits {
  /** Distinct values of a bucket that are kept as they are. */
  readonly exact: number;
  readonly compression: number;
}

const LEAST_EXACT = 2000;
const MOST_EXACT = 200_000;
const LEAST_COMPRESSION = 20;

/** What `compression` stands for: 20 values for each unit (reference server), within limits. */
export function digestLimits(compression: number): DigestLimits {
  const exact = Math.min(MOST_EXACT, Math.max(LEAST_EXACT, Math.ceil(20 * compression)));
  return {
    exact,
    compression: Math.min(MOST_EXACT / 20, Math.max(LEAST_COMPRESSION, compression)),
  };
}

const FIRST_ROOM = 256;
/** Values that are gathered at least before they are sorted in. */
const LEAST_GATHERED = 1 << 14;
/** Up to so many values are sorted by insertion. */
const FEW_VALUES = 24;

/** Nothing, of so many buckets. */
function noDigests(buckets: number): DigestData {
  return {
    starts: new Uint32Array(buckets + 1),
    means: new Float64Array(0),
    weights: new Float64Array(0),
    isMerged: new Uint8Array(buckets),
  };
}

/** Gathers values by bucket. */
export class DigestTable {
  private size = 0;
  private buckets = new Uint32Array(FIRST_ROOM);
  private values = new Float64Array(FIRST_ROOM);
  private kept = noDigests(0);

  constructor(private readonly limits: DigestLimits) {}

  /** @throws EngineError IllegalArgumentException for NaN, which a script may give */
  add(bucket: number, value: number): void {
    if (Number.isNaN(value)) throw new EngineError('IllegalArgumentException', 'Cannot add NaN');
    if (this.size === this.values.length) this.makeRoom();
    const at = this.size++;
    this.buckets[at] = bucket;
    this.values[at] = value;
  }

  /** Of its arrays. */
  get bytes(): number {
    const { starts, means } = this.kept;
    return this.values.length * 12 + means.length * 16 + starts.length * 5;
  }

  /** What was gathered, of so many buckets. */
  data(buckets: number): DigestData {
    this.sortIn(buckets);
    return this.kept;
  }

  private makeRoom(): void {
    const { size, buckets, values } = this;
    // As many as are kept are gathered at least, so that no value is moved often.
    if (size >= LEAST_GATHERED && size >= this.kept.means.length) {
      let most = this.kept.isMerged.length;
      for (let i = 0; i < size; i++) if (buckets[i]! >= most) most = buckets[i]! + 1;
      this.sortIn(most);
      return;
    }
    this.buckets = new Uint32Array(2 * size);
    this.buckets.set(buckets);
    this.values = new Float64Array(2 * size);
    this.values.set(values);
  }

  /** @param count more than the largest bucket */
  private sortIn(count: number): void {
    const gathered = this.gathered(count);
    this.size = 0;
    this.kept = mergeTwo(this.kept, gathered, count, this.limits);
  }

  /** What was gathered, sorted by bucket and value, equal values together. */
  private gathered(count: number): DigestData {
    const { size, buckets, values } = this;
    const starts = new Uint32Array(count + 1);
    for (let i = 0; i < size; i++) starts[buckets[i]! + 1]!++;
    for (let b = 0; b < count; b++) starts[b + 1]! += starts[b]!;
    const places = starts.slice(0, count);
    const means = new Float64Array(size);
    for (let i = 0; i < size; i++) means[places[buckets[i]!]!++] = values[i]!;
    const weights = new Float64Array(size);
    let end = 0;
    for (let b = 0; b < count; b++) {
      const from = starts[b]!;
      const to = starts[b + 1]!;
      sortValues(means, from, to);
      starts[b] = end;
      for (let i = from; i < to; i++) {
        const value = means[i]!;
        if (i > from && value === means[end - 1]!) weights[end - 1]!++;
        else {
          means[end] = value;
          weights[end++] = 1;
        }
      }
    }
    starts[count] = end;
    return { starts, means, weights, isMerged: new Uint8Array(count) };
  }
}

function sortValues(values: Float64Array, from: number, to: number): void {
  if (to - from > FEW_VALUES) {
    values.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!;
    let j = i;
    for (; j > from && values[j - 1]! > value; j--) values[j] = values[j - 1]!;
    values[j] = value;
  }
}

/** The digests of several parts together. @param count how many buckets there are */
export function mergeDigests(
  parts: readonly { readonly data: DigestData; readonly owners: BucketMap }[],
  count: number,
  limits: DigestLimits,
): DigestData {
  if (parts.length === 0) return noDigests(count);
  if (parts.length === 1) return placed(parts[0]!.data, parts[0]!.owners, count);
  const middle = parts.length >> 1;
  return mergeTwo(
    mergeDigests(parts.slice(0, middle), count, limits),
    mergeDigests(parts.slice(middle), count, limits),
    count,
    limits,
  );
}

/** The digests of a part under the numbers that its buckets got, each of which is one bucket's. */
function placed(data: DigestData, became: BucketMap, count: number): DigestData {
  if (became === null) return data;
  const from = new Uint32Array(count).fill(NO_BUCKET);
  for (let b = 0; b < data.isMerged.length; b++) {
    if (became[b] !== NO_BUCKET) from[became[b]!] = b;
  }
  const starts = new Uint32Array(count + 1);
  const isMerged = new Uint8Array(count);
  const means = new Float64Array(data.means.length);
  const weights = new Float64Array(data.means.length);
  let end = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    const b = from[bucket]!;
    if (b !== NO_BUCKET) {
      isMerged[bucket] = data.isMerged[b]!;
      for (let g = data.starts[b]!; g < data.starts[b + 1]!; g++) {
        means[end] = data.means[g]!;
        weights[end++] = data.weights[g]!;
      }
    }
    starts[bucket + 1] = end;
  }
  return { starts, means: means.slice(0, end), weights: weights.slice(0, end), isMerged };
}

function mergeTwo(a: DigestData, b: DigestData, count: number, limits: DigestLimits): DigestData {
  const room = a.means.length + b.means.length;
  const means = new Float64Array(room);
  const weights = new Float64Array(room);
  const starts = new Uint32Array(count + 1);
  const isMerged = new Uint8Array(count);
  let end = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    const start = end;
    let i = a.starts[bucket] ?? 0;
    let j = b.starts[bucket] ?? 0;
    const iEnd = a.starts[bucket + 1] ?? i;
    const jEnd = b.starts[bucket + 1] ?? j;
    while (i < iEnd || j < jEnd) {
      const isFirst = j === jEnd || (i < iEnd && a.means[i]! <= b.means[j]!);
      const mean = isFirst ? a.means[i]! : b.means[j]!;
      const weight = isFirst ? a.weights[i++]! : b.weights[j++]!;
      if (end > start && means[end - 1] === mean) weights[end - 1]! += weight;
      else {
        means[end] = mean;
        weights[end++] = weight;
      }
    }
    isMerged[bucket] = (a.isMerged[bucket] ?? 0) | (b.isMerged[bucket] ?? 0);
    if (end - start > limits.exact) {
      isMerged[bucket] = 1;
      end = compress(means, weights, start, end, limits.compression);
    }
    starts[bucket + 1] = end;
  }
  return { starts, means: means.slice(0, end), weights: weights.slice(0, end), isMerged };
}

/** Joins neighbours of the groups [start, end) as far as their size bound allows. @returns the new end */
function compress(
  means: Float64Array,
  weights: Float64Array,
  start: number,
  end: number,
  compression: number,
): number {
  let total = 0;
  for (let g = start; g < end; g++) total += weights[g]!;
  let last = start;
  let below = 0;
  for (let g = start + 1; g < end; g++) {
    const weight = weights[last]! + weights[g]!;
    const q = (below + weight / 2) / total;
    if (weight <= (4 * total * q * (1 - q)) / compression) {
      means[last]! += ((means[g]! - means[last]!) * weights[g]!) / weight;
      weights[last] = weight;
    } else {
      below += weights[last]!;
      means[++last] = means[g]!;
      weights[last] = weights[g]!;
    }
  }
  return last + 1;
}
