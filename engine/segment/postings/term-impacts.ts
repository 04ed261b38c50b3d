// What the documents of a frequent term can score, told without scoring: which pairs of a frequency and a
// norm byte occur, how often, and in each block those that no other pair of it is above in both. Pairs say
// more than the highest frequency and the highest norm of a block, which often belong to different documents.
// They are worked out when they are asked for and not stored: it takes less than reading the term twice.

import { NO_MORE_DOCS } from '../contract/bitset';
import type { TermImpacts } from '../contract/reader';
import { POSTINGS_BLOCK } from '../format/format';
import { decodeMaxFreq, encodeMaxFreq, EXACT_MAX_FREQ } from './postings-writer';
import type { Postings } from './postings';

/** Codes of frequencies are bytes. */
const CODES = 256;

/** Numbers of pairs by code of the frequency and norm, plus 1; all 0 between calls. */
const numbers = new Uint32Array(CODES * 256);
/** For one block: the highest norm of each code of a frequency, plus 1; all 0 between blocks. */
const highest = new Uint16Array(CODES);

/**
 * Reads all of a term.
 *
 * @param postings with frequencies, opened on the term and not moved
 * @param norms null: the field has none
 */
export function readImpacts(postings: Postings, norms: Uint8Array | null): TermImpacts {
  const blocks = Math.ceil(postings.cost / POSTINGS_BLOCK);
  const keys: number[] = [];
  const counts: number[] = [];
  const starts = new Uint32Array(blocks + 1);
  const pairs: number[] = [];
  let block = 0;
  while (postings.nextDoc() !== NO_MORE_DOCS) {
    const { docs, freqs, from, to } = postings.restOfBlock();
    let top = 0;
    for (let i = from; i < to; i++) {
      const code = freqs === null ? 1 : encodeMaxFreq(freqs[i]!);
      const norm = norms === null ? 0 : norms[docs[i]!]!;
      const key = code * 256 + norm;
      let number = numbers[key]!;
      if (number === 0) {
        number = keys.push(key);
        numbers[key] = number;
        counts.push(0);
      }
      counts[number - 1]!++;
      if (norm >= highest[code]!) highest[code] = norm + 1;
      if (code > top) top = code;
    }
    let most = 0;
    for (let code = top; code > 0; code--) {
      const norm = highest[code]!;
      highest[code] = 0;
      if (norm <= most) continue;
      most = norm;
      pairs.push(numbers[code * 256 + norm - 1]! - 1);
    }
    starts[++block] = pairs.length;
    postings.leaveBlock();
  }
  const freqOf = new Float64Array(keys.length);
  const normOf = new Uint8Array(keys.length);
  keys.forEach((key, i) => {
    numbers[key] = 0;
    freqOf[i] = decodeMaxFreq(key >>> 8);
    normOf[i] = key & 0xff;
    // Only bounds are known of higher ones.
    if (key >>> 8 > EXACT_MAX_FREQ) counts[i] = 0;
  });
  return {
    freqs: freqOf,
    norms: normOf,
    counts: Uint32Array.from(counts),
    starts,
    pairs: Uint16Array.from(pairs),
  };
}

/** Memory that they hold, in bytes. */
export function impactBytes({ freqs, norms, counts, starts, pairs }: TermImpacts): number {
  return (
    freqs.byteLength + norms.byteLength + counts.byteLength + starts.byteLength + pairs.byteLength
  );
}
