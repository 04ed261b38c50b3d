// How much it counts that a document has a term: the similarities, what settings say of them, and norms.

export { type Explanation, factor } from './contract/explanation';
export { fieldNorm, NO_NORM } from './contract/norms';
export type { FieldFigures, ScoredTerms, Scoring, TermFigures } from './contract/similarity';
export { averageLength } from './kinds/bm25';
export { idf, tf } from './kinds/tf-idf';
export {
  checkSimilarities,
  countsOverlaps,
  hasSameSimilarities,
  needsTotals,
  scoringOf,
  STANDARD_SIMILARITIES,
  STANDARD_SIMILARITY,
  type Similarities,
  type Similarity,
  similarityOf,
  type SimilarityRegistry,
  similarityRegistry,
} from './registry';
