// The terms and phrases of a query as a tree of words, by which phrases are found in a text word by word.

/** A word of the tree: what has been read so far may be a term or phrase of the query. */
export class PhraseNode {
  readonly next = new Map<string, PhraseNode>();
  isTerminal = false;
  slop = 0;
  boost = 1;
  /** Of the term or phrase among those of the query: chooses its tags. */
  number = 0;

  /** The node of a further word, made if it is not there. */
  child(word: string): PhraseNode {
    let node = this.next.get(word);
    if (node === undefined) {
      node = new PhraseNode();
      this.next.set(word, node);
    }
    return node;
  }
}
