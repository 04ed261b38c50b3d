// What the reference explains of every similarity: names, texts and numbers, of a term and of a phrase.
//
// explanations.jsonl was recorded from it over five texts: "a b c a", "a", "b b b a x y z w v", "c d" and
// "a c c b q". A line has the settings, whether the field has norms, the terms, the boost, the document and
// the explanation.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { queryNorm } from '../../../../engine/query/scoring/similarity';
import { type Explanation, factor } from '../../../../engine/similarity/contract/explanation';
import { fieldNorm, NO_NORM } from '../../../../engine/similarity/contract/norms';
import { scoringOf, similarityRegistry } from '../../../../engine/similarity/registry';

interface Recorded {
  readonly value: number;
  readonly description: string;
  readonly details?: readonly Recorded[];
}

interface Line {
  readonly similarity: Readonly<Record<string, string | number>>;
  readonly norms: boolean;
  readonly terms: readonly ('a' | 'b' | 'c')[];
  readonly boost: number;
  readonly doc: 0 | 4;
  readonly explanation: Recorded;
}

const FIELD = { maxDoc: 5, sumTotalTermFreq: 21 };
const TERMS = {
  a: { docFreq: 4, totalTermFreq: 5 },
  b: { docFreq: 3, totalTermFreq: 5 },
  c: { docFreq: 3, totalTermFreq: 4 },
};
const LENGTHS = { 0: 4, 4: 5 };

const lines = readFileSync(join(__dirname, 'explanations.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

/** The leaf that tells the frequency. */
function frequencyIn({ value, description, details }: Recorded): Explanation | null {
  if (/^(term|phrase)Freq=/.test(description)) return factor(value, description);
  for (const each of details ?? []) {
    const found = frequencyIn(each);
    if (found !== null) return found;
  }
  return null;
}

function compare(actual: Explanation, expected: Recorded): void {
  expect(actual.description).toBe(expected.description);
  const scale = Math.max(Math.abs(expected.value), 1e-6);
  expect(Math.abs(actual.value - expected.value) / scale).toBeLessThan(1e-6);
  const details = expected.details ?? [];
  expect(actual.details.map(({ description }) => description)).toEqual(
    details.map(({ description }) => description),
  );
  details.forEach((each, i) => compare(actual.details[i]!, each));
}

test.each(lines)('$similarity, norms $norms, $terms in $doc', (line) => {
  const settings = Object.entries(line.similarity).map(([name, value]): [string, string] => [
    `index.similarity.x.${name}`,
    String(value),
  ]);
  const similarity = similarityRegistry(new Map(settings)).named.get('x')!;
  const scoring = scoringOf(similarity, {
    field: FIELD,
    terms: line.terms.map((term) => TERMS[term]),
    boost: line.boost,
  });
  scoring.normalize(queryNorm(scoring.squaredWeights()), 1);
  const norm = line.norms ? fieldNorm(LENGTHS[line.doc], 1) : NO_NORM;
  const freq = frequencyIn(line.explanation)!;
  const explanation = scoring.explain(line.doc, freq, norm);
  compare(explanation, line.explanation);
  const score = scoring.scorePhrase(freq.value, norm);
  expect(Math.abs(score - explanation.value)).toBeLessThanOrEqual(1e-6 * Math.abs(score));
  if (Number.isInteger(freq.value)) expect(scoring.score(freq.value, norm)).toBe(score);
});
