// What a row of the benchmark is.

import type { Random } from './random';
import type { Vocabulary } from './vocabulary';

/** One HTTP request. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: string;
  /** The next of several requests that count as one, made of the answer before; null: there is none. */
  readonly then?: (answer: Buffer) => BenchRequest | null;
}

/** A row. */
export interface Workload {
  readonly name: string;
  /** Rows of one family share a geometric mean. */
  readonly family: string;
  /** Makes the next request; a workload is made anew for every server and run, so that all get the same. */
  readonly next: () => BenchRequest;
}

/** Names of the indices that the benchmark creates. */
export interface BenchIndices {
  /** The corpus. */
  readonly documents: string;
  /** Single writes go here, so that the corpus stays as it was loaded. */
  readonly writes: string;
  /** Queries that documents are tried against (stored-queries.ts). */
  readonly queries: string;
  /** Names to be completed (completions.ts). */
  readonly completions: string;
  /** Parents, places and BM25 (families.ts). */
  readonly families: string;
}

/** What workloads are made from. */
export interface WorkloadInput {
  readonly vocabulary: Vocabulary;
  readonly indices: BenchIndices;
  readonly seed: number;
}

/** A row before it has a stream of random numbers. */
export interface WorkloadKind {
  readonly name: string;
  readonly family: string;
  readonly make: (input: WorkloadInput, random: Random) => () => BenchRequest;
  /** What it needs besides the corpus, which is made for all rows that name it. */
  readonly needs?: 'queries' | 'completions' | 'families';
}
