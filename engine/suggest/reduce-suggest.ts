// From what shards suggest to one answer: options of the same text added up, the best of all shown.

import { EngineError } from '../errors';
import { Float, RawJson, type JsonOutput } from '../json/index';
import type { SuggestEntry, SuggestOption, SuggestPartial, SuggestSpec } from './contract/suggest';
import { suggesterOf } from './registry';

/** What a shard suggests, with what it was asked. */
export interface PlannedSuggest {
  readonly specs: readonly SuggestSpec[];
  readonly partial: SuggestPartial;
}

/**
 * The suggestions by name, as they are shown. One that no shard says anything of is left out.
 *
 * @param shards in the order in which they stand in the search
 * @throws EngineError ElasticsearchIllegalStateException where shards cut the text differently
 */
export function reduceSuggest(shards: readonly PlannedSuggest[]): ReadonlyMap<string, JsonOutput> {
  const byName = new Map<string, { spec: SuggestSpec; entries: (readonly SuggestEntry[])[] }>();
  for (const { specs, partial } of shards) {
    partial?.forEach((entries, i) => {
      const spec = specs[i]!;
      const known = byName.get(spec.name);
      if (known === undefined) byName.set(spec.name, { spec, entries: [entries] });
      else known.entries.push(entries);
    });
  }
  return new Map(
    Array.from(byName, ([name, { spec, entries }]) => {
      const merged = entries.length === 1 ? entries[0]! : mergeEntries(spec, entries);
      return [name, merged.map((entry) => shownEntry(entry, spec.size))];
    }),
  );
}

function mergeEntries(
  spec: SuggestSpec,
  shards: readonly (readonly SuggestEntry[])[],
): readonly SuggestEntry[] {
  const [first] = shards;
  const compare = suggesterOf(spec).compare(spec);
  return first!.map((leader, at) => {
    const entries = shards.map((shard) => {
      const entry = shard[at];
      if (entry === undefined || shard.length !== first!.length) {
        throw cannotMerge('result', `sizes actual [${shard.length}] expected [${first!.length}]`);
      }
      if (entry.text !== leader.text) {
        throw cannotMerge('entries', `text actual [${entry.text}] expected [${leader.text}]`);
      }
      return entry;
    });
    return { ...leader, options: mergeOptions(entries).sort(compare) };
  });
}

function mergeOptions(entries: readonly SuggestEntry[]): SuggestOption[] {
  let cutoff = -Infinity;
  for (const entry of entries) cutoff = Math.max(cutoff, entry.cutoff ?? -Infinity);
  const byText = new Map<string, SuggestOption>();
  for (const { options } of entries) {
    for (const option of options) {
      const known = byText.get(option.text);
      byText.set(option.text, known === undefined ? option : sum(known, option));
    }
  }
  return [...byText.values()].filter(({ score }) => score > cutoff);
}

function sum(a: SuggestOption, b: SuggestOption): SuggestOption {
  const score = Math.max(a.score, b.score);
  return a.freq === undefined ? { ...a, score } : { ...a, score, freq: a.freq + (b.freq ?? 0) };
}

function cannotMerge(what: string, how: string): EngineError {
  return new EngineError(
    'ElasticsearchIllegalStateException',
    `Can't merge suggest ${what}, this might be caused by suggest calls across multiple indices with different analysis chains. Suggest entries have different ${how}`,
    { status: 500 },
  );
}

function shownEntry({ text, offset, length, options }: SuggestEntry, size: number): JsonOutput {
  return { text, offset, length, options: options.slice(0, size).map(shownOption) };
}

function shownOption(option: SuggestOption): JsonOutput {
  const { text, score, freq, highlighted, collateMatch, payload } = option;
  return {
    text,
    highlighted,
    score: new Float(score),
    freq,
    collate_match: collateMatch,
    payload: payload === undefined ? undefined : new RawJson(payload),
  };
}
