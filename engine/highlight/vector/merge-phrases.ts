// Puts the phrases of several fields over the same text together (`matched_fields`, reference server).

import { endOf, startOf, type Phrase } from './phrase-list';

const f = Math.fround;

/** Phrases in the order of the text; those that overlap or touch become one. */
export function mergePhrases(lists: readonly (readonly Phrase[])[]): readonly Phrase[] {
  if (lists.length === 1) return lists[0]!;
  const sorted = lists
    .flat()
    .sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b) || a.boost - b.boost);
  const merged: Phrase[] = [];
  let group: Phrase[] = [];
  let end = -1;
  for (const phrase of sorted) {
    if (group.length > 0 && startOf(phrase) > end) {
      merged.push(joined(group));
      group = [];
      end = -1;
    }
    group.push(phrase);
    end = Math.max(end, endOf(phrase));
  }
  if (group.length > 0) merged.push(joined(group));
  return merged;
}

function joined(group: readonly Phrase[]): Phrase {
  const [first] = group;
  if (group.length === 1) return first!;
  const pairs: (readonly [number, number])[] = [];
  let boost = 0;
  for (const phrase of group) {
    boost = f(boost + phrase.boost);
    for (let i = 0; i < phrase.offsets.length; i += 2) {
      pairs.push([phrase.offsets[i]!, phrase.offsets[i + 1]!]);
    }
  }
  pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const offsets: number[] = [];
  for (const [start, end] of pairs) {
    const last = offsets.length - 1;
    if (last > 0 && start <= offsets[last]!) offsets[last] = Math.max(offsets[last]!, end);
    else offsets.push(start, end);
  }
  return { offsets, boost, number: first!.number };
}
