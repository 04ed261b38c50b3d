// Every file of dist/ and the source it is made from: the one place that knows the entry points. What is on the
// left is named in package.json, units, documentation and code, and stays where it is when a source moves.

export const PROGRAMS = {
  'server/main': 'server/main.ts',

  // For a process of its own in test/reliability/failing-bulk.test.ts.
  'engine/index': 'engine/index.ts',

  // Worker threads (engine/exec/threads/worker-entry.ts), and their frame for a test of it.
  'engine/exec/threads/search-worker': 'engine/exec/threads/search-worker.ts',
  'engine/exec/threads/indexer-worker': 'engine/exec/threads/indexer-worker.ts',
  'engine/exec/threads/thread-side': 'engine/exec/threads/thread-side.ts',

  'scripts/backup': 'scripts/backup.ts',
  'scripts/restore': 'scripts/restore.ts',
  'scripts/check/verify': 'scripts/check/verify-program.ts',
  'scripts/check/repair': 'scripts/check/repair-program.ts',
  'scripts/install-service/main': 'scripts/install-service/main.ts',

  'scripts/demo': 'scripts/demo.ts',
  'scripts/conformance/main': 'scripts/conformance/main.ts',
  'scripts/debian-packages': 'scripts/debian-packages-program.ts',

  'scripts/bench/main': 'scripts/bench/main.ts',
  'scripts/bench/aliases': 'scripts/bench/aliases.ts',
  'scripts/bench/snapshots': 'scripts/bench/snapshots.ts',
  // Loaded into the server under measurement (scripts/bench/target.ts).
  'scripts/bench/probe': 'scripts/bench/probe.ts',
  'scripts/bench-segment': 'scripts/bench-segment.ts',

  'scripts/generate-format-fixture': 'scripts/generate-format-fixture.ts',
  'scripts/generate-unpack': 'scripts/generate-unpack.ts',
};
