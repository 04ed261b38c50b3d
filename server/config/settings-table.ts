// Every setting of a node: name, kind, default and one line of documentation. The loader, `--help` and
// docs/configuration.md are all made from this table.

import { availableParallelism, hostname, totalmem } from 'node:os';
import { DEFAULT_LIMITS, LIMIT_SETTINGS, type ClusterLimits } from '../../engine/index';
import { OPENSEARCH_SETTINGS } from './opensearch-settings';
import { SEARCH_SETTINGS } from './search-settings';
import type { SettingDefinition } from './setting-definition';

/** Text of a default that depends on the machine. */
export const AUTOMATIC = 'auto';

/** Names of the engines that may be behind the server. */
const BACKENDS = ['embedded', 'opensearch'] as const;

/** An engine that may be behind the server. */
export type Backend = (typeof BACKENDS)[number];

/** What the limits of the node are about; their names and defaults are the engine's. */
const LIMITS: { readonly [limit in keyof ClusterLimits]: string } = {
  indices: 'Indices, open and closed, that requests may create.',
  shardsPerIndex: 'Shards that a new index may have.',
  shards: 'Shards of all indices together, open and closed, that requests may create.',
  aliases: 'Aliases that requests may add; an alias of three indices counts three times.',
  templates: 'Index templates that may be stored.',
  warmersPerIndex: 'Warmers that an index may have.',
  settingsPerIndex: 'Settings that an index may have, those of analysis included.',
  settingsSize:
    'Bytes that the settings of an index may have: the characters of their values, and 32 for each value, also in lists and between commas.',
  definitionsSize:
    'Bytes of all templates, aliases with their filters, warmers, repositories, keys with their roles and persistent settings together: the characters of names and values, and 32 for each of them.',
  repositories: 'Snapshot repositories that may be registered.',
  clusterSettings: 'Persistent settings of the cluster, and as many transient ones.',
  fieldsPerIndex:
    'Types, objects and fields, multi-fields included, that the mappings of an index may have together. A document that would add more is refused.',
  mappingDepth:
    'How deep objects may lie within objects in a mapping; a field of the document itself has depth 1.',
};

/** The settings behind {@link LIMITS}. */
const LIMIT_DEFINITIONS = (Object.keys(LIMITS) as (keyof ClusterLimits)[]).map(
  (limit): SettingDefinition => ({
    name: LIMIT_SETTINGS[limit],
    kind: 'integer',
    byDefault: String(DEFAULT_LIMITS[limit]),
    atLeast: 1,
    documentation: LIMITS[limit],
  }),
);

export const SETTINGS: readonly SettingDefinition[] = [
  {
    name: 'network.host',
    kind: 'text',
    byDefault: '127.0.0.1',
    documentation:
      'Address to listen on. Anything but a loopback address also needs http.authentication, or network.insecure_bind.',
  },
  {
    name: 'network.insecure_bind',
    kind: 'boolean',
    byDefault: 'false',
    documentation:
      'Allow a network.host that other machines can reach, although requests are not authenticated.',
  },
  {
    name: 'http.authentication',
    kind: 'boolean',
    byDefault: 'false',
    documentation:
      'Whether every request needs a key (docs/security.md). The first one is made by `facetd keys create` while no server runs; without any the node does not start.',
  },
  {
    name: 'http.tls.certificate',
    kind: 'list',
    byDefault: '',
    documentation:
      'File with the certificate of the node and those that sign it, PEM; with it and http.tls.key connections are TLS 1.2 or later. Read again on SIGHUP.',
  },
  {
    name: 'http.tls.key',
    kind: 'list',
    byDefault: '',
    documentation: 'File with the private key of the certificate, PEM; only its owner may read it.',
  },
  {
    name: 'http.tls.client_ca',
    kind: 'list',
    byDefault: '',
    documentation:
      'File with certificates, PEM; with it clients need a certificate that is signed by one of them.',
  },
  {
    name: 'http.port',
    kind: 'integer',
    byDefault: '9200',
    atLeast: 0,
    atMost: 65535,
    documentation: 'Port to listen on; 0 takes a free one.',
  },
  {
    name: 'http.threads',
    kind: 'integer',
    byDefault: '0',
    atLeast: 0,
    atMost: 64,
    documentation:
      'Threads that take requests and answer searches, counts and gets themselves; connections are shared out among them. 0: the main thread takes them. Needs Linux and Node 22.12 or later, and no http.authentication; elsewhere the main thread takes requests, and the log says so.',
  },
  {
    name: 'http.max_content_length',
    kind: 'bytes',
    byDefault: '100mb',
    atLeast: 1024,
    documentation:
      'Largest request body other than that of a bulk request, also after decompression. Larger ones are answered with 413.',
  },
  {
    name: 'http.max_bulk_actions',
    kind: 'integer',
    byDefault: '500000',
    atLeast: 1,
    documentation: 'Actions that one bulk request may have.',
  },
  {
    name: 'http.max_bulk_length',
    kind: 'bytes',
    byDefault: '256mb',
    atLeast: 1024,
    documentation:
      'Largest body of a bulk request, also after decompression. It must come within http.request_timeout.',
  },
  {
    name: 'http.stream_bulk_above',
    kind: 'bytes',
    byDefault: '16mb',
    atLeast: 0,
    documentation:
      'Bulk requests with larger bodies are carried out while they arrive, piece by piece, and hold little memory; what is wrong with the request as a whole is then found when its beginning is carried out already (docs/compatibility.md).',
  },
  {
    name: 'http.max_body_length',
    kind: 'bytes',
    byDefault: '10mb',
    atLeast: 1024,
    documentation:
      'The same for requests other than bulk requests, multi-searches and single documents, where it is less.',
  },
  {
    name: 'indices.breaker.total.limit',
    kind: 'memory',
    byDefault: '70%',
    atLeast: 1024 * 1024,
    documentation:
      'Memory that all requests under way may hold together, in bytes or as a share of the heap: bodies, what is parsed of them, and answers. Others are refused with 503.',
  },
  {
    name: 'indices.breaker.request.limit',
    kind: 'memory',
    byDefault: '40%',
    atLeast: 1024 * 1024,
    documentation: 'The same for one request.',
  },
  {
    name: 'http.compression',
    kind: 'boolean',
    byDefault: 'false',
    documentation:
      'Compress answers of 1 KB and more for clients that ask for it by Accept-Encoding (gzip or deflate). Request bodies may be compressed in any case.',
  },
  {
    name: 'http.compression_level',
    kind: 'integer',
    byDefault: '6',
    atLeast: 1,
    atMost: 9,
    documentation: 'How much work is done to make answers small, from 1 to 9.',
  },
  {
    name: 'percolator.memory',
    kind: 'memory',
    byDefault: '25%',
    atLeast: 1024 * 1024,
    documentation:
      'Memory that stored queries may take which documents are tried against, in bytes or as a share of the heap. Beyond it further ones are refused with 503, and those of a shard are not loaded.',
  },
  {
    name: 'percolator.max_document_size',
    kind: 'bytes',
    byDefault: '1mb',
    atLeast: 1024,
    documentation:
      'Bytes of a document that is tried against stored queries; a larger one is refused with 400. Reading it takes the main thread.',
  },
  {
    name: 'http.max_connections',
    kind: 'integer',
    byDefault: '4096',
    atLeast: 1,
    documentation: 'Open connections; further ones are refused.',
  },
  {
    name: 'http.pipelining.max_events',
    kind: 'integer',
    byDefault: '64',
    atLeast: 1,
    documentation:
      'Requests of one connection that may be unanswered; until some are answered no more is read from it.',
  },
  {
    name: 'http.headers_timeout',
    kind: 'time',
    byDefault: '15s',
    atLeast: 1,
    documentation: 'How long a client may take to send the request headers.',
  },
  {
    name: 'http.request_timeout',
    kind: 'time',
    byDefault: '120s',
    atLeast: 1,
    documentation:
      'How long a client may take to send a whole request, and how long it may pause while taking the answer.',
  },
  {
    name: 'http.keep_alive',
    kind: 'time',
    byDefault: '75s',
    atLeast: 1,
    documentation: 'How long an idle connection is kept open.',
  },
  {
    name: 'http.allowed_hosts',
    kind: 'list',
    byDefault: '',
    documentation:
      'Names in the Host header that are served, without port, besides loopback names, IP addresses, the host name of this machine and network.host; `*` serves any. Other names are refused with 403: a web page may have had its own name resolved to this machine.',
  },
  {
    name: 'http.cors.enabled',
    kind: 'boolean',
    byDefault: 'false',
    documentation: 'Answer browsers with cross-origin headers.',
  },
  {
    name: 'http.cors.allow-origin',
    kind: 'list',
    byDefault: '',
    documentation:
      'Origins that may use this node from a browser: exact origins, `*` for any, or one regular expression between slashes. Used when http.cors.enabled is true.',
  },
  {
    name: 'http.static.kibana',
    kind: 'list',
    byDefault: '',
    documentation:
      'Folder with the files of Kibana 3 (its index.html), served to browsers at /_plugin/kibana/; see Browsers below. Empty: none.',
  },
  {
    name: 'path.data',
    kind: 'text',
    byDefault: './data',
    documentation: 'Folder of the databases. Created with mode 0700 when missing.',
  },
  {
    name: 'path.conf',
    kind: 'text',
    byDefault: 'config',
    documentation:
      'Folder of index templates (`templates/*.json`) and mappings (`mappings/{index}/{type}.json`, `mappings/_default/{type}.json`) that new indices get, and of scripts (`scripts/**/*.{groovy,mvel,expression,mustache}`, docs/expressions.md). Read at start and on SIGHUP.',
  },
  {
    name: 'path.repo',
    kind: 'list',
    byDefault: '',
    documentation: 'Folders below which snapshot repositories may be registered.',
  },
  {
    name: 'path.config',
    kind: 'text',
    byDefault: 'config/facetd.json',
    documentation:
      'Settings file, JSON with nested or dotted names. Not read from the file itself; the default one may be missing.',
  },
  {
    name: 'cluster.name',
    kind: 'text',
    byDefault: 'facetd',
    documentation: 'Name shown to clients as the cluster name.',
  },
  ...LIMIT_DEFINITIONS,
  {
    name: 'node.name',
    kind: 'text',
    byDefault: AUTOMATIC,
    documentation: 'Name of this node; auto is the host name.',
  },
  {
    name: 'node.allow_shutdown',
    kind: 'boolean',
    byDefault: 'false',
    documentation: 'Whether `POST /_shutdown` ends the process.',
  },
  {
    name: 'node.workers',
    kind: 'integer',
    byDefault: AUTOMATIC,
    atLeast: 0,
    atMost: 256,
    documentation:
      'Search worker threads; 0 searches on the main thread, auto is one less than the processors, at least 1.',
  },
  {
    name: 'node.memory',
    kind: 'bytes',
    byDefault: AUTOMATIC,
    atLeast: 16 * 1024 * 1024,
    documentation:
      'Memory for all caches and requests together; auto is a quarter of the machine, at most 2gb.',
  },
  {
    name: 'node.min_free_disk',
    kind: 'bytes',
    byDefault: '512mb',
    atLeast: 0,
    documentation:
      'Free space on the disk of path.data below which writes are refused with 503, before the disk is full; they are accepted again when twice as much is free (on a small disk, a quarter of what is above it). Reading, refreshing and deleting indices go on. At least 152mb, which opening the databases may need; 0 turns this off.',
  },
  {
    name: 'node.shutdown_grace',
    kind: 'time',
    byDefault: '30s',
    atLeast: 0,
    documentation: 'How long requests in flight may take to finish after SIGTERM or SIGINT.',
  },
  {
    name: 'node.accept_data_loss',
    kind: 'boolean',
    byDefault: 'false',
    documentation: 'Open a data folder in which acknowledged writes are missing.',
  },
  {
    name: 'node.check_after_crash',
    kind: 'boolean',
    byDefault: 'true',
    documentation:
      'Check the checksums of all tables before they are opened when the last process ended unexpectedly, about 1 GB a second. Without it a damaged table may end the process again; in the background tables are checked once a day in any case.',
  },
  {
    name: 'engine.backend',
    kind: { oneOf: BACKENDS },
    byDefault: 'embedded',
    documentation:
      'The engine that serves requests: embedded is the one of this process, opensearch keeps everything in a cluster of OpenSearch (docs/opensearch.md).',
  },
  {
    name: 'action.auto_create_index',
    kind: 'boolean',
    byDefault: 'true',
    documentation: 'Whether writing to a missing index creates it.',
  },
  {
    name: 'action.destructive_requires_name',
    kind: 'boolean',
    byDefault: 'false',
    documentation: 'Refuse to delete indices by `_all` or a wildcard.',
  },
  {
    name: 'index.number_of_shards',
    kind: 'integer',
    byDefault: '1',
    atLeast: 1,
    documentation: 'Shards of a new index that does not say. The reference server has 5.',
  },
  {
    name: 'index.number_of_replicas',
    kind: 'integer',
    byDefault: '0',
    atLeast: 0,
    documentation:
      'Replicas of a new index that does not say; they are never assigned on one node. The reference server has 1.',
  },
  {
    name: 'index.refresh_interval',
    kind: 'text',
    byDefault: '1s',
    documentation: 'How often writes become searchable in a new index that does not say; -1 never.',
  },
  ...SEARCH_SETTINGS,
  ...OPENSEARCH_SETTINGS,
  {
    name: 'logger.level',
    kind: { oneOf: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] },
    byDefault: 'info',
    documentation: 'Least severe messages to log; debug logs every request.',
  },
  {
    name: 'logger.slow_request',
    kind: 'time',
    byDefault: '5s',
    documentation: 'Requests that take longer are logged as warnings; -1 turns this off.',
  },
];

/** The environment variable of a setting: `http.cors.allow-origin` is `FACETD_HTTP_CORS_ALLOW_ORIGIN`. */
export function environmentName(setting: string): string {
  return `FACETD_${setting.toUpperCase().replace(/[.-]/g, '_')}`;
}

/** The value that `auto` stands for on this machine. */
export function automaticValue(name: string): string {
  switch (name) {
    case 'node.name':
      return hostname();
    case 'node.workers':
      return String(Math.max(1, availableParallelism() - 1));
    case 'node.memory':
      return String(Math.min(2 * 1024 ** 3, Math.floor(totalmem() / 4)));
    default:
      throw new Error(`no automatic value for ${name}`);
  }
}
