// Similarities other than the default one. OpenSearch scores all texts by the root of the frequency times the
// factor of the length; the length is kept beside the text, so that a script gets the frequency back and
// scores it as the embedded engine does, in 32 bits and in its order (engine/similarity/kinds).

import { averageLength, type FieldFigures, type Similarity } from '../../similarity/index';
import { unsupported, type UnsupportedError } from '../layout/unsupported';
import type { Clause } from './clause-context';

const f = Math.fround;

/** What there is to score a text by. */
export interface MeasuredText {
  /** Of the shard, or of all shards of the search. */
  readonly figures: FieldFigures;
  /** The field of its norm byte, as the clause has to call it; null: lengths do not count. */
  readonly norm: string | null;
  /** Of what OpenSearch sums, to be the root of the frequency times the factor of the length. */
  readonly share: number;
}

const UNMEASURED =
  'a document was written when the similarity of the field was the default one: write it again';

/** Frequency and length of a document. */
const MEASURES =
  'float factor = 1; if (params.norm != null) { ' +
  'if (!doc.containsKey(params.norm) || doc[params.norm].size() == 0) { ' +
  'throw new IllegalArgumentException(params.unmeasured) } ' +
  'factor = Float.intBitsToFloat(((int) doc[params.norm].value << 21) + (48 << 24)); } ' +
  'float root = (float) (_score * params.share / factor); float freq = (float) (root * root); ' +
  'float length = (float) (1 / (float) (factor * factor)); ';

const BM25 =
  `${MEASURES}float k1 = (float) params.k1; float b = (float) params.b; float value = (float) params.value; ` +
  'float average = (float) params.average; float added = k1; ' +
  'if (params.norm != null) { float rest = (float) (1 - b); float relative = (float) ((float) (b * length) / average); ' +
  'added = (float) (k1 * (float) (rest + relative)); } ' +
  'return (float) ((float) (value * freq) / (float) (freq + added));';

/** 400 for a similarity that asks for more than is known. */
export function untold({ kind }: Similarity): UnsupportedError {
  const why = 'searches there do not tell how often words occur in all documents';
  return unsupported(`scoring by similarity [${kind}]`, why);
}

/**
 * Scores what OpenSearch scores with the boost 1.
 *
 * @returns makes a clause of another one, by the score of a document with the frequency 1 whose length does
 *          not count
 * @throws EngineError for similarities that cannot be had
 */
export function similarityClause(
  similarity: Similarity,
  { figures, norm, share }: MeasuredText,
): (query: Clause, value: number) => Clause {
  if (similarity.kind !== 'BM25') throw untold(similarity);
  const { k1, b } = similarity;
  const average = averageLength(figures);
  return (query, value) => {
    const whole = f(value * f(1 + k1));
    const params = { norm, share, unmeasured: UNMEASURED, k1, b, average, value: whole };
    // Unlike scores of a function_score, these are multiplied where OpenSearch takes equal clauses for one.
    return { script_score: { query, script: { lang: 'painless', source: BM25, params } } };
  };
}
