// Hashes of the terms of a segment, kept: so that counting distinct terms looks at no text.

import type { KeyList } from '../../counting/index';
import type { FieldId } from '../../metadata/index';
import type { SegmentReader } from '../../segment/index';
import type { FieldTerms } from '../contract/key-source';
import { hashed, hashText } from './hashes';

/** By ordinal: the hashes of the terms of a segment. */
export interface TermHashes {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** The hashes of a field's terms, made when they are asked for again; null: not yet. */
export function termHashes(
  { cache }: SegmentReader,
  field: FieldId,
  terms: FieldTerms,
): TermHashes | null {
  const key = `termHashes/${field}`;
  const known = cache.get<TermHashes>(key, 'column');
  if (known !== undefined) return known;
  if (!cache.askedBefore(key)) return null;
  const list = textsOf(terms.termsAt(null));
  const hashes = { high: new Uint32Array(terms.size), low: new Uint32Array(terms.size) };
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    hashText(list.text, list.starts[ordinal]!, list.starts[ordinal + 1]!);
    hashes.high[ordinal] = hashed.high;
    hashes.low[ordinal] = hashed.low;
  }
  cache.put(key, 'column', hashes, 2 * hashes.high.byteLength);
  return hashes;
}

/** A list of texts. */
export function textsOf(list: KeyList): Extract<KeyList, { type: 'string' }> {
  if (list.type !== 'string') throw new TypeError('texts were expected');
  return list;
}
