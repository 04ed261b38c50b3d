// The similarities by name, and those that the settings of an index define.

import {
  classNameOf,
  classNotFound,
  type ComponentSettings,
  settingGroups,
} from '../analysis/index';
import { EngineError, illegalArgument } from '../errors';
import type { FieldId } from '../metadata/index';
import type { ScoredTerms, Scoring, SimilarityKind } from './contract/similarity';
import { BM25, type Bm25 } from './kinds/bm25';
import { DFR, type Dfr } from './kinds/dfr';
import { IB, type Ib } from './kinds/ib';
import { LM_DIRICHLET, type LmDirichlet } from './kinds/lm-dirichlet';
import { LM_JELINEK_MERCER, type LmJelinekMercer } from './kinds/lm-jelinek-mercer';
import { TF_IDF, type TfIdf } from './kinds/tf-idf';

/** A similarity with its settings. Plain data. */
export type Similarity = TfIdf | Bm25 | Dfr | Ib | LmDirichlet | LmJelinekMercer;

const KINDS: {
  readonly [Kind in Similarity['kind']]: SimilarityKind<Extract<Similarity, { kind: Kind }>>;
} = {
  default: TF_IDF,
  BM25,
  DFR,
  IB,
  LMDirichlet: LM_DIRICHLET,
  LMJelinekMercer: LM_JELINEK_MERCER,
};

/** The similarity of fields that name none where the index does not say. */
export const STANDARD_SIMILARITY: TfIdf = { kind: 'default', countsOverlaps: false };

/** Similarities that every index knows, unless it has others of their names. */
const BUILT_IN: readonly (readonly [string, Similarity])[] = [
  ['default', STANDARD_SIMILARITY],
  ['BM25', { kind: 'BM25', k1: Math.fround(1.2), b: 0.75, countsOverlaps: false }],
];

/** How the fields of an index are scored. Plain data. */
export interface Similarities {
  /** Of fields that name none, and of names that are not mapped. */
  readonly standard: Similarity;
  /** Whether scores of several clauses are normed: the query norm, and the share of clauses that match. */
  readonly normsQueries: boolean;
  /** Of fields that are scored by another than {@link standard}. */
  readonly fields: ReadonlyMap<FieldId, Similarity>;
}

/** Of an index that says nothing of it. */
export const STANDARD_SIMILARITIES: Similarities = {
  standard: STANDARD_SIMILARITY,
  normsQueries: true,
  fields: new Map(),
};

/** The similarity of a field. */
export function similarityOf({ fields, standard }: Similarities, field: FieldId): Similarity {
  return fields.get(field) ?? standard;
}

/** Whether a similarity counts how often terms occur in all documents together. */
export function needsTotals({ kind }: Similarity): boolean {
  return KINDS[kind].needsTotals;
}

/** Whether tokens at the position of the one before count for the length of a field. */
export function countsOverlaps(similarity: Similarity): boolean {
  return 'countsOverlaps' in similarity && similarity.countsOverlaps;
}

/** How documents score that have a term, or the terms of a phrase. */
export function scoringOf(similarity: Similarity, terms: ScoredTerms): Scoring {
  return (KINDS[similarity.kind] as SimilarityKind<Similarity>).scoring(similarity, terms);
}

const PREFIX = 'index.similarity.';
const PACKAGE = 'org.elasticsearch.index.similarity';
const SUFFIX = 'SimilarityProvider';

/** The settings of an index, flat with prefix. */
type IndexSettings = ReadonlyMap<string, string | readonly string[]>;

/** The similarities that mappings of an index can name. */
export interface SimilarityRegistry {
  readonly named: ReadonlyMap<string, Similarity>;
  readonly standard: Similarity;
  /** See {@link Similarities.normsQueries}: those of the similarity `base`, else of the standard one. */
  readonly normsQueries: boolean;
}

/**
 * What the settings of an index define. Definitions that cannot be read are passed over: older versions
 * accepted them, and {@link checkSimilarities} refuses them where they are new.
 */
export function similarityRegistry(settings: IndexSettings): SimilarityRegistry {
  const named = new Map<string, Similarity>(BUILT_IN);
  for (const [name, own] of readable(() => settingGroups(settings, PREFIX)) ?? []) {
    const similarity = readable(() => readSimilarity(name, own));
    if (similarity !== null) named.set(name, similarity);
  }
  const standard = named.get('default')!;
  const { kind } = named.get('base') ?? standard;
  return { named, standard, normsQueries: kind === 'default' };
}

/** Whether two settings of an index define the same similarities, as far as their texts go. */
export function hasSameSimilarities(a: IndexSettings | undefined, b: IndexSettings): boolean {
  return a !== undefined && definitionsOf(a) === definitionsOf(b);
}

function definitionsOf(settings: IndexSettings): string {
  return JSON.stringify([...settings].filter(([key]) => key.startsWith(PREFIX)));
}

/** @throws EngineError of a similarity in the settings that cannot be read, as the reference's */
export function checkSimilarities(settings: IndexSettings): void {
  for (const [name, own] of settingGroups(settings, PREFIX)) readSimilarity(name, own);
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

function readSimilarity(name: string, settings: ComponentSettings): Similarity {
  const type = settings.text('type');
  if (type === undefined) {
    throw illegalArgument(`SimilarityProvider [${name}] must have an associated type`);
  }
  const kind = kindOf(type);
  if (kind === null) throw classNotFound(type, PACKAGE, SUFFIX);
  return KINDS[kind].read(settings);
}

/** Types are names of classes, with or without what all of them have in common (reference server). */
function kindOf(type: string): Similarity['kind'] | null {
  const simple = type.startsWith(`${PACKAGE}.`) ? type.slice(PACKAGE.length + 1) : type;
  const isWhole = simple !== type && simple.endsWith(SUFFIX);
  const className = isWhole ? simple.slice(0, -SUFFIX.length) : classNameOf(simple);
  for (const kind of Object.keys(KINDS) as Similarity['kind'][]) {
    if (classNameOf(kind) === className) return kind;
  }
  return null;
}
