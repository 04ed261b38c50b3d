// Every file of dist/ and the source it is made from: the one place that knows the entry points. What is on the
// left is named in package.json, units, documentation and code, and stays where it is when a source moves.

export const PROGRAMS = {
  'server/main': 'scripts/facetd.ts',
  // A thread that takes requests (server/http-threads).
  'server/http-thread': 'server/http-thread.ts',

  // For a process of its own in test/reliability/failing-bulk.test.ts.
  'engine/index': 'engine/index.ts',

  // Worker threads (engine/threads/worker-entry.ts), and their frame for a test of it.
  'engine/search-worker': 'engine/search-worker.ts',
  'engine/indexer-worker': 'engine/indexer-worker.ts',
  'engine/threads/thread-side': 'engine/threads/thread-side.ts',

  'scripts/backup': 'scripts/backup.ts',
  'scripts/restore': 'scripts/restore.ts',
  'scripts/reindex': 'scripts/reindex.ts',
  'scripts/import': 'scripts/import.ts',
  // Loaded into servers that programs start (scripts/common/client.ts).
  'scripts/end-with-parent': 'scripts/end-with-parent.ts',
  'scripts/keys': 'scripts/keys.ts',
  'scripts/check/verify': 'scripts/check/verify.ts',
  'scripts/check/repair': 'scripts/check/repair.ts',
  'scripts/install-service/main': 'scripts/install-service/main.ts',

  'scripts/completion': 'scripts/completion.ts',
  'scripts/demo': 'scripts/demo.ts',
  'scripts/dev/conformance/main': 'scripts/dev/conformance/main.ts',
  'scripts/debian-packages': 'scripts/debian-packages-program.ts',

  'scripts/dev/bench/main': 'scripts/dev/bench/main.ts',
  'scripts/dev/bench/aliases': 'scripts/dev/bench/aliases.ts',
  'scripts/dev/bench/snapshots': 'scripts/dev/bench/snapshots.ts',
  // Loaded into the server under measurement (scripts/dev/bench/target.ts).
  'scripts/dev/bench/probe': 'scripts/dev/bench/probe.ts',
  'scripts/dev/bench-segment': 'scripts/dev/bench-segment.ts',

  'scripts/dev/opensearch/main': 'scripts/dev/opensearch/main.ts',

  'scripts/dev/man-pages': 'scripts/dev/man-pages.ts',
  'scripts/dev/pages': 'scripts/dev/pages.ts',
  'scripts/dev/screenshots': 'scripts/dev/screenshots.ts',

  'scripts/dev/generate-format-fixture': 'scripts/dev/generate-format-fixture.ts',
  'scripts/dev/generate-unpack': 'scripts/dev/generate-unpack.ts',
};

/** The page for browsers: a script and a style sheet. */
export const EXPLORER = { source: 'server/explorer/main.tsx', out: 'server/explorer/page' };

/** What goes into dist/ as it is, by source: files of the page, and the documents of the demo. */
export const COPIED_FILES = {
  'node_modules/vega-datasets/data/airports.csv': 'scripts/demo-data/airports.csv',
  'node_modules/vega-datasets/data/movies.json': 'scripts/demo-data/movies.json',
  'server/explorer/page.html': 'server/explorer/page.html',
  'server/explorer/icon.svg': 'server/explorer/icon.svg',
};
