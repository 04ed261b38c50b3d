// The formulas of the similarities as they are written down, in double. Slow and plain on purpose.

import type { Similarities, Similarity } from '../../engine/similarity/registry';
import {
  allDocs,
  normOf,
  occurrences,
  type ModelDoc,
  type ModelShard,
} from './query-model-documents';
import { FIELDS } from './query-segments';

/** What is counted of a term and its field. */
interface Counts {
  /** Documents, whether they have the field or not. */
  readonly documents: number;
  readonly docFreq: number;
  readonly total: number;
  readonly tokens: number;
  readonly average: number;
}

/** A term that a query looks for. */
export interface ModelTerm {
  readonly field: number;
  readonly term: string;
}

/** The similarity of a field. */
export function modelSimilarity({ standard, fields }: Similarities, field: number): Similarity {
  return fields.get(field) ?? standard;
}

/** What terms of a similarity other than the default add to the sum of squared weights. */
export function modelSquaredWeight(
  similarity: Similarity,
  shard: ModelShard,
  { field, terms, boost }: { field: number; terms: readonly ModelTerm[]; boost: number },
): number {
  // The mean of those of all terms: of none there is none, and then nothing is normed.
  if (similarity.kind !== 'BM25') return terms.length === 0 ? NaN : boost ** 2;
  const sum = terms.reduce((all, term) => all + bm25Idf(countsOf(shard, field, term)), 0);
  return (sum * boost) ** 2;
}

/** The score of a document with terms of a similarity other than the default, but for the boosts. */
export function modelScore(
  similarity: Similarity,
  shard: ModelShard,
  { field, terms }: { readonly field: number; readonly terms: readonly ModelTerm[] },
  doc: ModelDoc,
  freq: number,
): number {
  const hasNorms = isNormed(field);
  const length = hasNorms ? 1 / normOf(doc, field) ** 2 : 1;
  return terms.reduce((sum, term) => {
    return sum + termScore(similarity, countsOf(shard, field, term), freq, length, hasNorms);
  }, 0);
}

function isNormed(field: number): boolean {
  return Object.values(FIELDS).find((each) => each.id === field)!.norms;
}

function countsOf(shard: ModelShard, field: number, { field: own, term }: ModelTerm): Counts {
  const docs = allDocs(shard);
  const freqs = docs.map((doc) => occurrences(doc, own, term).length).filter((n) => n > 0);
  const counted = Object.values(FIELDS).find((each) => each.id === field)?.indexOptions !== 'docs';
  const docFreq = freqs.length;
  let tokens = 0;
  for (const doc of docs) tokens += (doc.terms.get(field) ?? []).length;
  const known = counted && tokens > 0;
  return {
    documents: docs.length,
    docFreq,
    total: counted ? freqs.reduce((sum, n) => sum + n, 0) : docFreq,
    tokens: known ? tokens : docFreq,
    average: known ? tokens / docs.length : 1,
  };
}

function bm25Idf({ documents, docFreq }: Counts): number {
  return Math.log(1 + (documents - docFreq + 0.5) / (docFreq + 0.5));
}

function termScore(
  similarity: Similarity,
  counts: Counts,
  freq: number,
  length: number,
  hasNorms: boolean,
): number {
  const { documents: n, docFreq, total, tokens, average } = counts;
  const usual = (total + 1) / (tokens + 1);
  switch (similarity.kind) {
    case 'default':
      throw new Error('the query model has this one itself');
    case 'BM25': {
      const { k1, b } = similarity;
      const long = hasNorms ? 1 - b + (b * length) / average : 1;
      return (bm25Idf(counts) * freq * (k1 + 1)) / (freq + k1 * long);
    }
    case 'LMDirichlet': {
      const { mu } = similarity;
      return Math.max(0, Math.log(1 + freq / (mu * usual)) + Math.log(mu / (length + mu)));
    }
    case 'LMJelinekMercer': {
      const { lambda } = similarity;
      return Math.log(1 + ((1 - lambda) * (freq / length)) / (lambda * usual));
    }
    case 'IB': {
      const tfn = normalized(similarity.normalization, counts, freq, length);
      const count = similarity.lambda === 'df' ? docFreq : total;
      let lambda = (count + 1) / (n + 1);
      if (similarity.distribution === 'll') return -Math.log(lambda / (tfn + lambda));
      if (lambda === 1) lambda = 0.99;
      return -Math.log((lambda ** (tfn / (tfn + 1)) - lambda) / (1 - lambda));
    }
    case 'DFR': {
      const tfn = normalized(similarity.normalization, counts, freq, length);
      const effects = {
        no: 1,
        l: 1 / (tfn + 1),
        b: (total + 2) / ((docFreq + 1) * (tfn + 1)),
      };
      return chance(similarity.basicModel, counts, tfn) * effects[similarity.afterEffect];
    }
  }
}

function normalized(
  { name, parameter }: Extract<Similarity, { kind: 'DFR' }>['normalization'],
  { total, tokens, average }: Counts,
  freq: number,
  length: number,
): number {
  switch (name) {
    case 'no':
      return freq;
    case 'h1':
      return (freq * average) / length;
    case 'h2':
      return freq * Math.log2(1 + (parameter * average) / length);
    case 'h3':
      return ((freq + (parameter * (total + 1)) / (tokens + 1)) / (length + parameter)) * parameter;
    case 'z':
      return freq * (average / length) ** parameter;
  }
}

function chance(
  model: Extract<Similarity, { kind: 'DFR' }>['basicModel'],
  { documents: n, docFreq, total }: Counts,
  tfn: number,
): number {
  const { log2 } = Math;
  switch (model) {
    case 'be': {
      const f = total + 1 + tfn;
      const g = (a: number, b: number): number => (b + 0.5) * log2(a / b) + (a - b) * log2(a);
      return -log2((n + f - 1) * Math.E) + g(n + 2 * f - 1, n + 2 * f - tfn - 2) - g(f, f - tfn);
    }
    case 'd': {
      const f = total + 1 + tfn;
      const phi = tfn / f;
      const p = 1 / (n + 1);
      const divergence = phi * log2(phi / p) + (1 - phi) * log2((1 - phi) / (1 - p));
      return f * divergence + 0.5 * log2(1 + 2 * Math.PI * tfn * (1 - phi));
    }
    case 'g': {
      const lambda = (total + 1) / (n + total + 1);
      return log2(lambda + 1) + tfn * log2((1 + lambda) / lambda);
    }
    case 'if':
      return tfn * log2(1 + (n + 1) / (total + 0.5));
    case 'in':
      return tfn * log2((n + 1) / (docFreq + 0.5));
    case 'ine':
      return tfn * log2((n + 1) / (n * (1 - ((n - 1) / n) ** total) + 0.5));
    case 'p': {
      const lambda = (total + 1) / (n + 1);
      return (
        tfn * log2(tfn / lambda) +
        (lambda + 1 / (12 * tfn) - tfn) * log2(Math.E) +
        0.5 * log2(2 * Math.PI * tfn)
      );
    }
  }
}
