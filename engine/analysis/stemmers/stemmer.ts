// What a stemmer is, and the memory that spares stemming the frequent words of a language again.

/** Gives the stem of a term in lower case. Holds no state that changes its answers. */
export type Stemmer = (term: string) => string;

/** Stems remembered per stemmer; the memory starts anew when it is full. */
const REMEMBERED = 16384;
/** Longer terms are hardly met again. */
const REMEMBERED_LENGTH = 32;

/** `stem` with a memory; words of a text repeat, and most algorithms take microseconds. */
export function remembering(stem: Stemmer): Stemmer {
  const known = new Map<string, string>();
  return (term) => {
    let stemmed = known.get(term);
    if (stemmed !== undefined) return stemmed;
    stemmed = stem(term);
    if (term.length <= REMEMBERED_LENGTH) {
      if (known.size >= REMEMBERED) known.clear();
      known.set(term, stemmed);
    }
    return stemmed;
  };
}
