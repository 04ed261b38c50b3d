// The settings of searches, a part of the table of settings.

import type { SettingDefinition } from './setting-definition';

/** Settings of searches: how they are carried out by default, and what one may have. */
export const SEARCH_SETTINGS: readonly SettingDefinition[] = [
  {
    name: 'search.default_search_type',
    kind: {
      oneOf: ['dfs_query_then_fetch', 'query_then_fetch', 'dfs_query_and_fetch', 'query_and_fetch'],
    },
    byDefault: 'dfs_query_then_fetch',
    documentation:
      'How searches that do not say are run. With dfs scores do not depend on the number of shards; the reference server has query_then_fetch.',
  },
  {
    name: 'search.max_open_scroll_context',
    kind: 'integer',
    byDefault: '1000',
    atLeast: 1,
    documentation: 'Scrolls and scans that may be open at a time.',
  },
  {
    name: 'search.max_keep_alive',
    kind: 'time',
    byDefault: '7d',
    atLeast: 1,
    documentation: 'The longest time that a scroll may be kept open without being asked for.',
  },
  {
    name: 'search.keep_alive_interval',
    kind: 'time',
    byDefault: '20s',
    atLeast: 1,
    documentation:
      'How often it is looked for scrolls that have not been asked for longer than they are kept open.',
  },
  {
    name: 'index.query.bool.max_clause_count',
    kind: 'integer',
    byDefault: '1024',
    atLeast: 1,
    documentation: 'Clauses that one bool query may have, also one that another query becomes.',
  },
  {
    name: 'search.max_queries',
    kind: 'integer',
    byDefault: '16384',
    atLeast: 1,
    documentation: 'Queries and filters that one search may have.',
  },
  {
    name: 'search.max_terms',
    kind: 'integer',
    byDefault: '65536',
    atLeast: 1,
    documentation:
      'Values that the lists of terms, ids and excluded terms of one search may have together; an id counts once for each type that it is looked for in.',
  },
  {
    name: 'search.max_facets',
    kind: 'integer',
    byDefault: '1000',
    atLeast: 1,
    documentation: 'Facets and aggregations that one search may have.',
  },
  {
    name: 'search.max_ranges',
    kind: 'integer',
    byDefault: '4096',
    atLeast: 1,
    documentation:
      'Ranges and filters that the facets and aggregations of one search may have together.',
  },
  {
    name: 'search.max_sort_keys',
    kind: 'integer',
    byDefault: '128',
    atLeast: 1,
    documentation: 'Keys that one search may sort by.',
  },
  {
    name: 'search.max_fields',
    kind: 'integer',
    byDefault: '2048',
    atLeast: 1,
    documentation:
      'Names and patterns of fields that one search may have, those of `_source`, `script_fields` and `partial_fields` included.',
  },
  {
    name: 'search.max_text',
    kind: 'integer',
    byDefault: '262144',
    atLeast: 1,
    documentation:
      'Characters of text that one search may have analyzed, counted once for each field.',
  },
  {
    name: 'search.max_analyzed_size',
    kind: 'bytes',
    byDefault: '32mb',
    atLeast: 65_536,
    documentation:
      'What analyzers may make of the text of one search: 64 bytes and its text for each token, 32 bytes for each character that they add, 8 bytes for each step of a regular expression.',
  },
  {
    name: 'search.max_scripts',
    kind: 'integer',
    byDefault: '256',
    atLeast: 1,
    documentation: 'Scripts that one search may have.',
  },
  {
    name: 'search.max_corners',
    kind: 'integer',
    byDefault: '4096',
    atLeast: 4,
    documentation: 'Corners that the polygons of one search may have together.',
  },
  {
    name: 'threadpool.search.queue_size',
    kind: 'integer',
    byDefault: '1000',
    atLeast: -1,
    documentation:
      'Searches that may wait while as many are carried out as there are workers; others are refused with 429. -1: any number may. The cluster setting of the same name goes first.',
  },
  {
    name: 'search.max_suggestions',
    kind: 'integer',
    byDefault: '4096',
    atLeast: 1,
    documentation: 'Words, texts and generators that one search may ask suggestions of.',
  },
  {
    name: 'search.max_suggest_options',
    kind: 'integer',
    byDefault: '1000000',
    atLeast: 1,
    documentation: 'Options that one search may ask for, of all words that it has suggestions for.',
  },
  {
    name: 'search.max_pattern_length',
    kind: 'integer',
    byDefault: '1000',
    atLeast: 1,
    documentation:
      'Characters that a prefix, a wildcard pattern or the regular expression of a facet may have.',
  },
  {
    name: 'search.max_rescore_window',
    kind: 'integer',
    byDefault: '100000',
    atLeast: 1,
    documentation: 'Hits of each shard that a stage of rescoring may look at (`window_size`).',
  },
];
