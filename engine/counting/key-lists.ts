// The keys of buckets of any kind, as plain data, and ids for them over several lists.

import { compareBytes, compareDoubles, hashTerm, readUtf8, TermHash } from '../segment/index';
import { NumberIds } from './number-ids';
import { wordsOf } from './value-table';

/** Distinct keys in any order; text i is the UTF-8 bytes text[starts[i] .. starts[i + 1]). Plain data. */
export type KeyList =
  | { readonly type: 'string'; readonly text: Uint8Array; readonly starts: Uint32Array }
  | { readonly type: 'long'; readonly values: BigInt64Array }
  | { readonly type: 'double'; readonly values: Float64Array };

/** What {@link SharedKeys} are of. */
export interface KeySpace {
  readonly type: KeyList['type'];
  /** Every key has a number below this. */
  readonly size: number;
  /** Compares two keys, ascending: texts by their bytes. */
  compare(a: number, b: number): number;
  /** The keys of these numbers, which ascend. */
  listOf(numbers: Uint32Array): KeyList;
}

/**
 * Keys by numbers that hold on one shard, so that parts of it are added up without looking at keys, and only
 * those that are left are read. No plain data: it does not leave the shard.
 */
export class SharedKeys {
  // Private to the language: what goes through the members of data must not come by here.
  readonly #space: KeySpace;

  constructor(space: KeySpace) {
    this.#space = space;
  }

  get space(): KeySpace {
    return this.#space;
  }
}

/** How many keys a list has. */
function keyCount(list: KeyList): number {
  return list.type === 'string' ? list.starts.length - 1 : list.values.length;
}

/** Text i of a list of texts. */
export function textAt({ text, starts }: Extract<KeyList, { type: 'string' }>, i: number): string {
  return readUtf8(text, starts[i]!, starts[i + 1]!);
}

/** Texts as a list. */
export function textKeys(texts: readonly string[]): KeyList {
  const pieces = texts.map((text) => Buffer.from(text));
  const starts = new Uint32Array(texts.length + 1);
  pieces.forEach((piece, i) => (starts[i + 1] = starts[i]! + piece.length));
  return { type: 'string', text: new Uint8Array(Buffer.concat(pieces)), starts };
}

/** Gives keys of one type ids, in the order in which they are first seen. */
export class KeyIds {
  private readonly terms: TermHash | null;
  private readonly numbers = new NumberIds();

  private readonly use = { bytes: 0 };

  constructor(readonly type: KeyList['type']) {
    this.terms = type === 'string' ? new TermHash(this.use) : null;
  }

  /** Memory that keys and ids hold, about. */
  get byteLength(): number {
    return this.use.bytes + 24 * this.numbers.size;
  }

  get size(): number {
    return (this.terms ?? this.numbers).size;
  }

  /** By position in the list, which is of this type: the id of the key. */
  idsOf(list: KeyList): Uint32Array {
    const ids = new Uint32Array(keyCount(list));
    if (list.type === 'string') {
      const { text, starts } = list;
      for (let i = 0; i < ids.length; i++) ids[i] = this.idOfText(text, starts[i]!, starts[i + 1]!);
    } else {
      const words = wordsOf(list.values);
      for (let i = 0; i < ids.length; i++)
        ids[i] = this.numbers.idOf(words[2 * i + 1]!, words[2 * i]!);
    }
    return ids;
  }

  /** The id of the text bytes[from .. to). */
  idOfText(bytes: Uint8Array, from: number, to: number): number {
    return this.terms!.idOf(bytes, from, to, hashTerm(bytes, from, to));
  }

  /** The text with an id. */
  textOf(id: number): string {
    const { arena, starts } = this.terms!;
    return readUtf8(arena, starts[id]!, starts[id + 1]!);
  }

  /** Compares two keys by their ids, ascending: texts by their bytes. */
  compare(a: number, b: number): number {
    const { terms, numbers } = this;
    if (terms !== null) {
      const { arena, starts } = terms;
      return compareBytes(arena, starts[a]!, starts[a + 1]!, arena, starts[b]!, starts[b + 1]!);
    }
    return this.type === 'double'
      ? compareDoubles(numbers.doubleAt(a), numbers.doubleAt(b))
      : numbers.compareLongs(a, b);
  }

  /** The keys with these ids. */
  listOf(ids: Uint32Array): KeyList {
    const { terms, numbers } = this;
    if (terms !== null) return textsOf(terms, ids);
    if (this.type === 'long') {
      return { type: 'long', values: BigInt64Array.from(ids, (id) => numbers.longAt(id)) };
    }
    return { type: 'double', values: Float64Array.from(ids, (id) => numbers.doubleAt(id)) };
  }

  /** The ids of texts, ascending by their UTF-8 bytes. */
  textIdsInOrder(): Uint32Array {
    return this.terms!.sorted();
  }

  /** The keys, by id. */
  list(): KeyList {
    const { terms, numbers } = this;
    if (terms !== null) {
      const { size, starts, arena } = terms;
      return {
        type: 'string',
        text: arena.slice(0, starts[size]),
        starts: starts.slice(0, size + 1),
      };
    }
    return this.type === 'long'
      ? { type: 'long', values: numbers.longs() }
      : { type: 'double', values: numbers.doubles() };
  }
}

function textsOf({ arena, starts: all }: TermHash, ids: Uint32Array): KeyList {
  const starts = new Uint32Array(ids.length + 1);
  for (let i = 0; i < ids.length; i++)
    starts[i + 1] = starts[i]! + all[ids[i]! + 1]! - all[ids[i]!]!;
  const text = new Uint8Array(starts[ids.length]!);
  for (let i = 0, to = 0; i < ids.length; i++) {
    const end = all[ids[i]! + 1]!;
    for (let from = all[ids[i]!]!; from < end;) text[to++] = arena[from++]!;
  }
  return { type: 'string', text, starts };
}
