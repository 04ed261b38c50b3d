// scripted_metric: whatever scripts gather of the documents of a bucket (reference server). While documents
// are collected it is only written down which there are in which bucket; once all segments of a shard are
// through, the scripts run bucket by bucket: init_script, map_script on each document, combine_script. What
// each shard's scripts left is put together by reduce_script.

import {
  GatheredState,
  GatheringScript,
  type ScriptList,
  type ScriptPlan,
  toOutput,
  valueFromText,
} from '../../script/index';
import type { DocBuckets } from '../../counting/index';
import { EngineError } from '../../errors';
import { writeJson } from '../../json/index';
import type { SegmentReader } from '../../segment/index';
import {
  type AggregationKind,
  type AggregationPartial,
  type Aggregator,
  EMPTY_BUCKET,
  type HoldMemory,
  type MergePart,
  NO_BUCKET,
  type ShardBinding,
  type Steps,
} from '../contract/aggregation';
import { RunFailure } from '../contract/values';
import { parseScriptedMetric, type ScriptedSpec } from './scripted-metric-parse';

/** Before scripts have run the first three say what they will run on, then the others what they made. */
interface ScriptedData {
  /** By entry, in document order: the bucket of the parent, the position of the segment, the document. */
  readonly buckets: Uint32Array;
  readonly segments: Uint32Array;
  readonly docs: Uint32Array;
  /** By bucket of the parent: the texts of what the shards' scripts left; null: they did not run. */
  readonly states: readonly (readonly (string | null)[])[];
  /** By bucket of the parent: what is shown, as JSON. */
  readonly shown: readonly string[];
}

const NO_ENTRIES = new Uint32Array(0);
const NOTHING: ScriptedData = {
  buckets: NO_ENTRIES,
  segments: NO_ENTRIES,
  docs: NO_ENTRIES,
  states: [],
  shown: [],
};

/** Documents between two steps. */
const DOCS_PER_STEP = 64;

export const SCRIPTED_METRIC_AGGREGATION: AggregationKind<ScriptedSpec, ScriptedData> = {
  type: 'scripted_metric',
  hasBuckets: false,
  parse: parseScriptedMetric,
  bind: ({ name }, shard) => {
    const hold = shard.holding(name);
    return (segment) => new Entries(shard.segments.indexOf(segment), hold);
  },
  merge: (parts, owners) => ({ data: mergeEntries(parts, owners), size: 0, maps: [] }),
  *finish({ name, spec }, data, owners, shard) {
    const scripts = new ShardScripts(spec, shard, shard.holding(name));
    return { ...NOTHING, states: yield* scripts.run(data, owners) };
  },
  *conclude(spec, { states }) {
    const reduce = spec.reduce === null ? null : new ReduceScript(spec.reduce, spec.now);
    const shown: string[] = [];
    for (const texts of states) {
      shown.push(reduce === null ? listed(texts) : reduce.run(texts));
      yield;
    }
    return { ...NOTHING, shown };
  },
  render: ({ data }, owner) => `{"value":${owner === EMPTY_BUCKET ? 'null' : data.shown[owner]!}}`,
};

/** Writes down the documents of a segment with their buckets. */
class Entries implements Aggregator {
  private size = 0;
  private buckets = NO_ENTRIES;
  private docs = NO_ENTRIES;

  constructor(
    private readonly segment: number,
    private readonly hold: HoldMemory,
  ) {}

  collect({ from, size, docs, buckets }: DocBuckets): void {
    this.makeRoom(this.size + size);
    for (let i = 0; i < size; i++) {
      this.buckets[this.size] = buckets[i]!;
      this.docs[this.size++] = (from << 5) + docs[i]!;
    }
  }

  partial(): AggregationPartial<ScriptedData> {
    const { size } = this;
    // What is handed on is held by whoever gets it.
    this.hold(-2 * this.docs.byteLength);
    const data = {
      ...NOTHING,
      buckets: this.buckets.slice(0, size),
      segments: new Uint32Array(size).fill(this.segment),
      docs: this.docs.slice(0, size),
    };
    return { data, size: 0, subs: [] };
  }

  private makeRoom(entries: number): void {
    const room = this.docs.length;
    if (entries <= room) return;
    const larger = Math.max(entries, 2 * room);
    this.hold(2 * (larger - room) * Uint32Array.BYTES_PER_ELEMENT);
    this.buckets = enlarged(this.buckets, larger);
    this.docs = enlarged(this.docs, larger);
  }
}

function enlarged(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}

/** Entries one after the other, and states bucket by bucket. @param owners buckets of the parent */
function mergeEntries(
  parts: readonly MergePart<ScriptedSpec, ScriptedData>[],
  owners: number,
): ScriptedData {
  const room = parts.reduce((sum, { data }) => sum + data.docs.length, 0);
  const buckets = new Uint32Array(room);
  const segments = new Uint32Array(room);
  const docs = new Uint32Array(room);
  const states = Array.from({ length: owners }, (): (string | null)[] => []);
  let size = 0;
  for (const { data, owners: map } of parts) {
    for (let i = 0; i < data.docs.length; i++) {
      const bucket = map === null ? data.buckets[i]! : map[data.buckets[i]!]!;
      if (bucket === NO_BUCKET) continue;
      buckets[size] = bucket;
      segments[size] = data.segments[i]!;
      docs[size++] = data.docs[i]!;
    }
    data.states.forEach((texts, from) => {
      const to = map === null ? from : map[from]!;
      if (to !== NO_BUCKET) for (const text of texts) states[to]!.push(text);
    });
  }
  return {
    buckets: buckets.subarray(0, size),
    segments: segments.subarray(0, size),
    docs: docs.subarray(0, size),
    states,
    shown: [],
  };
}

/** The scripts that run on a shard. */
class ShardScripts {
  private readonly state: GatheredState;
  private readonly init: GatheringScript | null;
  private readonly map: GatheringScript | null;
  private readonly combine: GatheringScript | null;
  private readonly segments: readonly SegmentReader[];

  constructor(
    private readonly spec: ScriptedSpec,
    shard: ShardBinding,
    private readonly hold: HoldMemory,
  ) {
    const { init, map, combine, now } = spec;
    this.segments = shard.segments;
    this.state = new GatheredState(map.params, map.steps, hold);
    const { state } = this;
    const bind = (plan: ScriptPlan, seesDocuments: boolean) =>
      new GatheringScript(plan, state, { now, seesDocuments });
    this.init = init === null ? null : bind(init, false);
    // Formulas have no effects.
    this.map = map.lang === 'expression' ? null : bind(map, true);
    this.combine = combine === null ? null : bind(combine, false);
  }

  /** What the scripts leave, by bucket. @throws EngineError of the script on documents, else RunFailure */
  *run(data: ScriptedData, owners: number): Steps<ScriptedData['states']> {
    const order = byBucket(data.buckets, owners);
    const states: (readonly (string | null)[])[] = [];
    for (let bucket = 0; bucket < owners; bucket++) {
      const from = order.starts[bucket]!;
      const to = order.starts[bucket + 1]!;
      // compat: only at the top they run without documents.
      if (from === to && !this.spec.isTop) {
        states.push([null]);
        continue;
      }
      this.begin();
      yield* this.mapAll(data, order.entries.subarray(from, to));
      const text = this.end();
      this.hold(2 * text.length);
      states.push([text]);
      if (bucket % DOCS_PER_STEP === 0) yield;
    }
    return states;
  }

  private begin(): void {
    this.state.begin();
    for (const script of [this.init, this.map, this.combine]) script?.begin();
    asShard(() => this.init?.run());
  }

  private *mapAll({ segments, docs }: ScriptedData, entries: Uint32Array): Steps<void> {
    const { map } = this;
    if (map === null) return;
    let open = -1;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      if (segments[entry] !== open) {
        open = segments[entry]!;
        map.open(this.segments[open]!);
      }
      map.run(docs[entry]);
      if ((i + 1) % DOCS_PER_STEP === 0) yield;
    }
  }

  private end(): string {
    const { state, combine } = this;
    const text = asShard(() => {
      const left = combine === null ? (state.variables.get('_agg') ?? null) : combine.run();
      return state.textOf(left);
    });
    state.end();
    return text;
  }
}

/** compat: what scripts fail with that see no document is the failure of the shard, not of its query. */
function asShard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const isScripts = error instanceof EngineError && error.name !== 'CircuitBreakingException';
    throw isScripts ? new RunFailure(error) : error;
  }
}

/** Entries sorted by bucket; those of a bucket stay in their order. */
function byBucket(buckets: Uint32Array, owners: number) {
  const starts = new Uint32Array(owners + 1);
  for (const bucket of buckets) starts[bucket + 1]!++;
  for (let b = 0; b < owners; b++) starts[b + 1]! += starts[b]!;
  const places = starts.slice(0, owners);
  const entries = new Uint32Array(buckets.length);
  for (let i = 0; i < buckets.length; i++) entries[places[buckets[i]!]!++] = i;
  return { starts, entries };
}

/** Puts together what the scripts of all shards left. */
class ReduceScript {
  private readonly state: GatheredState;
  private readonly script: GatheringScript;

  constructor(plan: ScriptPlan, now: number) {
    this.state = new GatheredState(plan.params, plan.steps, () => undefined);
    this.script = new GatheringScript(plan, this.state, { now, seesDocuments: false });
  }

  /** @returns what is shown, as JSON. @throws EngineError GroovyScriptExecutionException */
  run(texts: readonly (string | null)[]): string {
    const { state, script } = this;
    state.begin();
    script.begin();
    state.variables.set('_aggs', valuesOf(texts));
    return writeJson(toOutput(script.run()));
  }
}

function valuesOf(texts: readonly (string | null)[]): ScriptList {
  return texts.map((text) => (text === null ? null : valueFromText(text)));
}

function listed(texts: readonly (string | null)[]): string {
  return writeJson(toOutput(valuesOf(texts)));
}
