// The order of numbers that are terms, by their positions.

import { type Compare, wordsOf } from '../../counting/index';
import { compareDoubles } from '../../segment/index';

/** Compares the numbers at two positions; no 64-bit integer is made of them. */
export function compareNumbers(terms: BigInt64Array | Float64Array): Compare {
  // By what is in it: under some test runners arrays from other threads have constructors of their own.
  if (isDoubles(terms)) return (a, b) => compareDoubles(terms[a]!, terms[b]!);
  const words = wordsOf(terms);
  return (a, b) =>
    words[2 * a + 1]! - words[2 * b + 1]! || (words[2 * a]! >>> 0) - (words[2 * b]! >>> 0);
}

function isDoubles(terms: BigInt64Array | Float64Array): terms is Float64Array {
  return typeof terms[0] === 'number';
}
