// The float32 arithmetic of queries of several parts and of sloppy phrases. That of terms: engine/similarity.

const f = Math.fround;

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
