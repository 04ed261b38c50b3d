// The name that somebody probably meant who wrote one that does not exist.

/** Any two shorter words are near. */
const SHORTEST = 3;
/** Longer words are no misspelt names; comparing them would cost a request too much. */
const LONGEST = 80;

/**
 * The known name that is nearest to a word, or null when none is near. Case, `_`, `-` and `.` do not count;
 * of what is left one letter in four (and one of three) may be wrong, missing, too many or swapped with its
 * neighbour.
 */
export function nearest(word: string, known: Iterable<string>): string | null {
  if (word.length > LONGEST) return null;
  const letters = lettersOf(word);
  let best: string | null = null;
  let least = letters.length < SHORTEST ? 1 : Math.max(1, Math.floor(letters.length / 4)) + 1;
  for (const name of known) {
    const others = lettersOf(name);
    if (Math.abs(others.length - letters.length) >= least) continue;
    const distance = editDistance(letters, others);
    if (distance < least) {
      best = name;
      least = distance;
    }
  }
  return best;
}

/** `, did you mean [name]?`, or nothing when no known name is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const name = nearest(word, known);
  return name === null ? '' : `, did you mean [${name}]?`;
}

function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[-_.\s]/g, '');
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[other.length]!;
}
