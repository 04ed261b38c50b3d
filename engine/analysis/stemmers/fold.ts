// Replacing single characters by others, which most light stemmers begin with.

/**
 * A function that replaces characters.
 * @param pairs what is replaced and by what, e.g. `àáâ:a ç:c`; nothing behind the colon removes
 */
export function characterFolder(pairs: string): (term: string) => string {
  const targets = new Map<string, string>();
  for (const pair of pairs.split(' ')) {
    const [from = '', to = ''] = pair.split(':');
    for (const char of from) targets.set(char, to);
  }
  return (term) => {
    let result = '';
    let copied = 0;
    for (let i = 0; i < term.length; i++) {
      const target = targets.get(term[i]!);
      if (target === undefined) continue;
      result += term.slice(copied, i) + target;
      copied = i + 1;
    }
    return copied === 0 ? term : result + term.slice(copied);
  };
}
