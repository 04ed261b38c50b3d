// The completion suggester: the heaviest entries whose keys begin with what was typed.

import { compareUtf8, type CompletionIndex, type SegmentReader } from '../../segment/index';
import { byScore, type SuggestOption, type Suggester } from '../contract/suggest';
import type { CompletionFuzziness, CompletionSpec } from '../contract/completion-spec';
import { fuzzyRanges, rangeOf } from './fuzzy-ranges';
import { byScoreAndTable } from './table-order';

export const completionSuggester: Suggester<CompletionSpec> = {
  *suggest(spec, segments) {
    const { text, size } = spec;
    const queues: EntryQueue[] = [];
    for (const segment of segments) {
      const queue = yield* queueOf(spec, segment);
      if (queue !== null) queues.push(queue);
    }
    const found = new FoundOptions(size);
    let looked = 0;
    while (!found.isComplete) {
      const queue = heaviest(queues);
      if (queue === null) break;
      found.add(queue.take());
      if (++looked % STEP === 0) yield;
    }
    const options = byScoreAndTable(found.options, size);
    return [{ text, offset: 0, length: text.length, options }];
  },

  compare: () => byScore,
};

/** Entries looked at between two pauses. */
const STEP = 256;

/** An entry that may be shown. */
interface Found {
  readonly key: string;
  readonly surface: string;
  readonly payload: string | null;
  readonly weight: number;
}

/** The entries of a segment that match, the heaviest first. */
class EntryQueue {
  private next: Found | null;

  constructor(
    private readonly index: CompletionIndex,
    private readonly entries: ReturnType<CompletionIndex['heaviest']>,
    private readonly segment: SegmentReader,
  ) {
    this.next = this.read();
  }

  get head(): Found | null {
    return this.next;
  }

  take(): Found {
    const taken = this.next!;
    this.next = this.read();
    return taken;
  }

  private read(): Found | null {
    const { liveDocs } = this.segment;
    for (;;) {
      const ordinal = this.entries.next();
      if (ordinal < 0) return null;
      if (liveDocs !== null && !this.index.isLive(ordinal, liveDocs)) continue;
      // Members one by one: objects that are spread are made slowly, and read slowly.
      const { key, surface, payload } = this.index.entryAt(ordinal);
      return { key, surface, payload, weight: this.index.weightOf(ordinal) };
    }
  }
}

function* queueOf(
  { field, prefixes, paths, fuzziness }: CompletionSpec,
  segment: SegmentReader,
): Generator<void, EntryQueue | null, void> {
  const index = segment.completions(field);
  if (index === null) return null;
  const ranges: (readonly [number, number])[] = [];
  for (const prefix of new Set(prefixes)) {
    for (const path of paths) {
      if (fuzziness === null) {
        const begin = Buffer.from(prefix + path);
        ranges.push(rangeOf(index, begin, begin.length));
      } else {
        const bounds = yield* boundsOf(index, prefix, path, fuzziness);
        for (let i = 0; i < bounds.length; i += 2) ranges.push([bounds[i]!, bounds[i + 1]!]);
      }
    }
  }
  const entries = index.heaviest();
  for (const [from, to] of joined(ranges)) entries.add(from, to);
  return new EntryQueue(index, entries, segment);
}

/** Where ranges of entries that begin almost like a text begin and end, by turns; remembered. */
function* boundsOf(
  index: CompletionIndex,
  prefix: string,
  path: string,
  fuzziness: CompletionFuzziness,
): Generator<void, Uint32Array, void> {
  const name = JSON.stringify([prefix, path, Object.values(fuzziness)]);
  const known = index.kept(name);
  if (known !== undefined) return known;
  const bounds: number[] = [];
  yield* fuzzyRanges(index, prefix, path, fuzziness, (from, to) => bounds.push(from, to));
  const made = Uint32Array.from(bounds);
  index.keep(name, made);
  return made;
}

/** The same ordinals without overlaps. */
function joined(ranges: readonly (readonly [number, number])[]): readonly [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (to <= from) continue;
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

function heaviest(queues: readonly EntryQueue[]): EntryQueue | null {
  let best: EntryQueue | null = null;
  for (const queue of queues) {
    const { head } = queue;
    if (head === null) continue;
    if (best === null || isBefore(head, best.head!)) best = queue;
  }
  return best;
}

function isBefore(a: Found, b: Found): boolean {
  if (a.weight !== b.weight) return a.weight > b.weight;
  return (compareUtf8(a.key, b.key) || compareUtf8(a.surface, b.surface)) < 0;
}

/** What is shown: each text once, with its highest weight. */
class FoundOptions {
  private readonly byText = new Map<string, SuggestOption>();
  /** Texts under a key, and texts with payloads, that have been taken. */
  private readonly taken = new Set<string>();
  private readonly shown = new Set<string>();

  constructor(private readonly size: number) {}

  /** compat: texts that differ in their payloads only count each, but show one option. */
  get isComplete(): boolean {
    return this.shown.size >= this.size;
  }

  get options(): readonly SuggestOption[] {
    return [...this.byText.values()];
  }

  add({ key, surface, payload, weight }: Found): void {
    const underKey = `${key}\0${surface}`;
    if (this.taken.has(underKey)) return;
    this.taken.add(underKey);
    this.shown.add(payload === null ? surface : `${surface}\u001f${payload}`);
    if (this.byText.has(surface)) return;
    const score = Math.fround(weight);
    this.byText.set(
      surface,
      payload === null ? { text: surface, score } : { text: surface, score, payload },
    );
  }
}
