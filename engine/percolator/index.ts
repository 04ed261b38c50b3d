// Stored queries, and the documents that are tried against them.

export type { AddFields } from './percolated-document';
export { Percolator } from './percolator';
export { QueryRegistry } from './query-registry';
export type { QueryChange } from './shard-queries';
