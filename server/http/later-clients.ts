// Clients of later versions of Elasticsearch: what they ask for is refused in the reference's words, and
// those say nothing to people who have never seen a type. What to do is said behind them.

import type { IncomingMessage } from 'node:http';

const PAGE = 'docs/from-elasticsearch.md';

const TYPES =
  'requests name a type here, as clients of Elasticsearch 0.90 to 1.7 do: ' +
  '{"mappings": {"doc": {"properties": ...}}}, PUT /index/doc/1, "_type" in bulk actions';

/** What refused requests of later clients have in common, in the reference's words, and what to do. */
const HINTS: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /^MapperParsingException\[mapping \[properties\]\]; nested: \w+\[Root type mapping not empty/,
    TYPES,
  ],
  [/Failed: 1: mapping type is missing;\]/, TYPES],
  [/Failed: 1: type is missing;\]/, TYPES],
  [/mapping type name \[_(?:doc|create|update|update_by_query)\] can't start with '_'/, TYPES],
  [
    /mapping type name \[_delete_by_query\] can't start with '_'/,
    'documents are deleted by query with DELETE /index/_query here',
  ],
  [/No handler for type \[text\]/, 'text is {"type": "string"} here'],
  [
    /No handler for type \[keyword\]/,
    'a whole value is {"type": "string", "index": "not_analyzed"} here',
  ],
  [
    /bool query does not support \[filter\]/,
    'filters stand beside a query here: {"filtered": {"query": ..., "filter": ...}}',
  ],
  [
    /No parser for element \[track_total_hits\]/,
    'leave it out, hits.total counts all hits always here',
  ],
  [
    /No parser for element \[(?:collapse|search_after|runtime_mappings|pit|knn|retriever|seq_no_primary_term)\]/,
    'it came with a later version of Elasticsearch',
  ],
  [
    /Validation Failed: 1: template is missing;/,
    '"index_patterns" is "template" here, one pattern',
  ],
];

/** Characters at both ends of a refusal that are looked at; between them stands what the client sent. */
const END = 1000;

/** What follows a refusal in the reference's words; empty where there is nothing to add. */
export function laterClientHint(request: IncomingMessage, text: string): string {
  const version = laterVersion(request);
  const sends = request.method === 'PUT' || request.method === 'POST';
  const ends = text.slice(0, END) + text.slice(Math.max(END, text.length - END));
  const hint = sends ? HINTS.find(([words]) => words.test(ends))?.[1] : undefined;
  if (hint === undefined && version === null) return '';
  const client = version === null ? '' : `this client is made for ${version}, `;
  const speaks =
    version === null ? '' : 'and this server speaks Elasticsearch 0.90 to 1.7: use one for 1.x';
  return ` (${[hint, client + speaks].filter(Boolean).join('; ')}; ${PAGE} has more)`;
}

/** The Warning header for a client of a later version, which clients show; null for others. */
export function laterClientWarning(request: IncomingMessage): string | null {
  const version = laterVersion(request);
  return version === null
    ? null
    : `299 facetd "a client for ${version} asks a server that speaks Elasticsearch 0.90 to 1.7; ${PAGE}"`;
}

/** What clients of 7.16 and later call JSON. */
const MEDIA_TYPE = 'application/vnd.elasticsearch+';

/** The version that a client says it is made for; null: it does not say. */
function laterVersion({ headers }: IncomingMessage): string | null {
  const types = [headers.accept, headers['content-type']];
  const type = types.find((text) => text?.startsWith(MEDIA_TYPE) === true);
  if (type === undefined) return null;
  const number = /;\s*compatible-with=(\d{1,3})\b/.exec(type)?.[1];
  return number === undefined ? 'a later version of Elasticsearch' : `Elasticsearch ${number}`;
}
