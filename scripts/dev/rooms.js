// The map of the source: every folder, in the order in which they may import one another. A folder imports what
// stands above it in this list, never what stands below. Lint enforces it (eslint.config.js), type imports
// included, and refuses code in a folder that is not listed.
//
// A room is a folder directly below engine/ or server/, or storage/. Other rooms import its index.ts only;
// inside a room files import one another, folder by folder in this order. The files of a room's own folder
// put its inner folders together, so they come last.

const ORDER = `
storage/level-files
storage
storage/inspect
engine/common
engine/json
engine/geo/shapes
engine/geo
engine/metadata
engine/api
engine/analysis/regex
engine/analysis/chain
engine/analysis/stemmers
engine/analysis/char-filters
engine/analysis/tokenizers
engine/analysis/token-filters
engine/analysis/analyzers
engine/analysis
engine/similarity/contract
engine/similarity/kinds
engine/similarity
engine/mapping/dates
engine/mapping/fields
engine/mapping/types
engine/mapping/schema
engine/mapping/document
engine/mapping
engine/segment/contract
engine/segment/memory
engine/segment/format
engine/segment/sets
engine/segment/postings
engine/segment/dictionary
engine/segment/columns
engine/segment/completion
engine/segment/families
engine/segment/read
engine/segment/write
engine/segment/merge
engine/segment
engine/threads
engine/script/template
engine/script
engine/query/ast
engine/query/automaton
engine/query/parse/scope
engine/query/parse/fields
engine/query/parse/query-string
engine/query/parse/simple-query-string
engine/query/parse/kinds
engine/query/parse
engine/query/scoring
engine/query/scorers
engine/query/top-k
engine/query/spans
engine/query/expand
engine/query/marks
engine/query/weights
engine/query
engine/highlight/plan
engine/highlight/texts
engine/highlight/plain
engine/highlight/vector
engine/highlight/postings
engine/highlight
engine/suggest/contract
engine/suggest/words
engine/suggest/phrase
engine/suggest/completion
engine/suggest
engine/counting
engine/facets/contract
engine/facets/terms
engine/facets/terms-stats
engine/facets/histogram
engine/facets/range
engine/facets
engine/aggregations/contract
engine/aggregations/metrics
engine/aggregations/buckets
engine/aggregations
engine/shard
engine/search/plan
engine/search/parse
engine/search/sort
engine/search/top-hits
engine/search/collect
engine/search/fetch
engine/search/run
engine/search/pool
engine/search/scroll
engine/search
engine/percolator
engine/documents
engine/snapshots
engine/admin
engine/reindex
engine/access
engine/opensearch/transport
engine/opensearch/layout
engine/opensearch/state
engine/opensearch/scripts
engine/opensearch/queries
engine/opensearch/counting
engine/opensearch/facets
engine/opensearch/aggregations
engine/opensearch/search
engine/opensearch/documents
engine/opensearch
engine/readers
engine
server/config
server/request
server/render
server/stats
server/routes
server/http
server/http-threads
server
server/explorer/model
server/explorer/api
server/explorer/hooks
server/explorer/components
server/explorer/views/search
server/explorer/views/aliases
server/explorer/views/indices
server/explorer/views/node
server/explorer/views/requests
server/explorer/views
server/explorer/styles
server/explorer
`
  .trim()
  .split('\n');

/** Rooms that import a few of those above them only: a second engine has nothing of what is left out. */
const ONLY = new Map([
  ['engine/api', ['engine/common', 'engine/json', 'engine/metadata']],
  // What runs in browsers has nothing of the server.
  ...ORDER.filter((folder) => folder.startsWith('server/explorer')).map((folder) => [folder, []]),
]);

/** The room that a folder belongs to, or null for engine/ and server/ themselves. */
function roomOf(folder) {
  if (folder === 'storage' || folder.startsWith('storage/')) return 'storage';
  const [layer, room] = folder.split('/');
  return room === undefined ? null : `${layer}/${room}`;
}

const ROOMS = [...new Set(ORDER.map(roomOf))].filter((room) => room !== null);

/** What files of one folder may not import, as zones of the rule `import-x/no-restricted-paths`. */
function zonesOf(folder) {
  const own = roomOf(folder);
  const later = ORDER.slice(ORDER.indexOf(folder) + 1);
  const zones = ROOMS.filter((room) => room !== own).map((room) => ({
    target: '.',
    from: [`${room}/!(index).ts`, `${room}/*/**/*.ts`],
    message: `Import ${room}/index.ts.`,
  }));
  if (later.length > 0) {
    zones.push({
      target: '.',
      // engine/errors.ts is the one file of engine/ that its rooms import.
      from: later.map((other) =>
        other === 'engine' ? 'engine/!(errors).ts' : `${other}/*.{ts,tsx}`,
      ),
      message: `In scripts/dev/rooms.js it stands after ${folder}.`,
    });
  }
  const allowed = ONLY.get(folder);
  if (allowed !== undefined) {
    zones.push({
      target: '.',
      from: ROOMS.filter((room) => room !== own && !allowed.includes(room)),
      message: `${folder} imports ${allowed.join(', ') || 'no other room'} only.`,
    });
  }
  // The server and the rooms of the engine see storage and the engine through one door each.
  if (folder.startsWith('server')) {
    zones.push({
      target: '.',
      from: ['engine/!(index).ts', 'engine/*/**/*.ts', 'storage/**/*.ts'],
      message: 'The server imports engine/index.ts only.',
    });
  }
  return zones;
}

/** Code outside of the map has no place in the order. */
const UNLISTED = {
  files: ['{engine,server,storage}/**/*.{ts,tsx}'],
  ignores: ORDER.map((folder) => `${folder}/*.{ts,tsx}`),
  rules: {
    'no-restricted-syntax': [
      'error',
      { selector: 'Program', message: 'Add its folder to scripts/dev/rooms.js.' },
    ],
  },
};

/** ESLint configuration of every folder of the map. */
function roomRules(plugin) {
  const listed = ORDER.map((folder) => ({
    files: [`${folder}/*.{ts,tsx}`],
    // A room's door shows what is inside, wherever that stands.
    ignores: ROOMS.map((room) => `${room}/index.ts`).filter((door) => door.startsWith(folder)),
    plugins: { 'import-x': plugin },
    settings: { 'import-x/resolver': { node: { extensions: ['.ts', '.tsx', '.d.ts'] } } },
    rules: { 'import-x/no-restricted-paths': ['error', { zones: zonesOf(folder) }] },
  }));
  return [...listed, UNLISTED];
}

module.exports = { roomRules };
