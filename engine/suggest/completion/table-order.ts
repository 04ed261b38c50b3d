// compat: on one shard the reference shows completions of equal weight in the order of the hash table that it
// collects them in. Clients' recorded answers show it, so it is made here as well: a table with room for as
// many options as are asked for.

import { placeOf } from '../../common/index';
import type { SuggestOption } from '../contract/suggest';

/** Options by descending score, equal ones in the order of the reference's hash table. */
export function byScoreAndTable(
  options: readonly SuggestOption[],
  size: number,
): readonly SuggestOption[] {
  const slots = slotsFor(size);
  const slotted = options.map((option) => ({ option, slot: placeOf(option.text, slots) }));
  slotted.sort((a, b) => b.option.score - a.option.score || a.slot - b.slot);
  return slotted.map(({ option }) => option);
}

/** Slots of a table that is made for `size` options: a power of two. */
function slotsFor(size: number): number {
  const room = size < 3 ? size + 1 : size + Math.trunc(size / 3);
  let slots = 1;
  while (slots < room && slots < 1 << 30) slots *= 2;
  return slots;
}
