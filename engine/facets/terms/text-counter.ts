// Counts of terms that come as strings, one by one: of fields whose values are not in a dictionary.

import { hashTerm, TermHash, maxUtf8Length, writeUtf8 } from '../../segment/index';
import type { CountedText } from './terms-spec';

const FIRST_CAPACITY = 64;

export class TextCounter {
  private readonly terms = new TermHash({ bytes: 0 });
  private counts = new Uint32Array(FIRST_CAPACITY);
  private scratch = new Uint8Array(FIRST_CAPACITY);

  /** Adds to the count of a term, which is taken up also when `count` is 0. */
  add(term: string, count: number): void {
    const room = maxUtf8Length(term);
    if (room > this.scratch.length) this.scratch = new Uint8Array(room);
    const { scratch } = this;
    const length = writeUtf8(term, scratch, 0);
    const id = this.terms.idOf(scratch, 0, length, hashTerm(scratch, 0, length));
    if (id === this.counts.length) {
      const grown = new Uint32Array(id * 2);
      grown.set(this.counts);
      this.counts = grown;
    }
    this.counts[id]! += count;
  }

  result(): CountedText {
    const { arena, starts } = this.terms;
    const ids = this.terms.sorted();
    const sorted = {
      type: 'string',
      text: new Uint8Array(starts[ids.length]!),
      starts: new Uint32Array(ids.length + 1),
      counts: Uint32Array.from(ids, (id) => this.counts[id]!),
    } as const;
    let end = 0;
    ids.forEach((id, i) => {
      const term = arena.subarray(starts[id], starts[id + 1]);
      sorted.text.set(term, end);
      end += term.length;
      sorted.starts[i + 1] = end;
    });
    return sorted;
  }
}
