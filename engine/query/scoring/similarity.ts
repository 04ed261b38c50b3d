// The float32 arithmetic of scoring: classic tf-idf with byte-encoded length norms.
//
// Scores are part of the interface: every step is rounded to 32 bits in the order in which the reference
// rounds it. Another similarity (BM25) would stand beside these functions; term and phrase weights are
// their only callers. Norm bytes and their factors: segment/postings/norms.ts.

const f = Math.fround;

/** Inverse document frequency. Computed in double, rounded once. */
export function idf(docFreq: number, maxDoc: number): number {
  return f(Math.log(maxDoc / (docFreq + 1)) + 1);
}

/** Term frequency factor; `freq` may be fractional (sloppy phrases). */
export function tf(freq: number): number {
  return f(Math.sqrt(freq));
}

/** {@link tf} of the small whole frequencies that make up nearly all postings. */
export const TF_TABLE: Float32Array = Float32Array.from({ length: 64 }, (_, freq) => tf(freq));

/** Makes scores of different queries comparable; 1 when the sum cannot be inverted. */
export function queryNorm(sumOfSquaredWeights: number): number {
  const norm = f(1 / Math.sqrt(sumOfSquaredWeights));
  return Number.isFinite(norm) ? norm : 1;
}

/** Rewards documents that match more of the clauses of a bool query. */
export function coord(overlap: number, maxOverlap: number): number {
  return maxOverlap === 1 ? 1 : f(overlap / maxOverlap);
}

/** What one sloppy match at edit distance `distance` adds to the phrase frequency. */
export function sloppyFactor(distance: number): number {
  return f(1 / (distance + 1));
}
