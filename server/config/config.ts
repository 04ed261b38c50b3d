// Settings of a node, from the settings file, then the environment, then the command line; the later ones
// win. Whatever is unknown or unusable stops the start with one clear line (exit code 78).

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  type OpenSearchEngineOptions,
  isJsonObject,
  isKnownIndexSetting,
  isWrittenByAll,
  JsonNumber,
  nearest,
  nearestIndexSetting,
  parseJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeSettings,
  type SearchType,
  LIMIT_SETTINGS,
  REOPEN_FREE_BYTES,
} from '../../engine/index';
import { type Backend, environmentName, SETTINGS } from './settings-table';
import { ConfigError, definition, DEFINITIONS, Values } from './values';

/** Files that connections are secured with. */
export interface TlsSettings {
  readonly certificate: string;
  readonly key: string;
  /** Certificates that those of clients have to be signed by; null: clients need none. */
  readonly clientCa: string | null;
}

/** All settings of a node, checked. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** Threads that take requests besides main; 0: main takes them. */
  readonly threads: number;
  /** Whether requests need a key. */
  readonly authentication: boolean;
  /** Null: connections are not secured. */
  readonly tls: TlsSettings | null;
  readonly maxContentLength: number;
  readonly maxBulkActions: number;
  /** Bytes of the body of a bulk request. */
  readonly maxBulkLength: number;
  /** Bytes from which on it is carried out while it arrives. */
  readonly streamBulkAbove: number;
  /** The same for what brings neither documents nor many searches. */
  readonly maxBodyLength: number;
  /** Bytes that all requests under way may hold together, and one of them. */
  readonly requestMemory: number;
  readonly memoryPerRequest: number;
  readonly maxConnections: number;
  /** Requests of one connection that may be unanswered before no more is read from it. */
  readonly maxPipelined: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  /** Lower case. */
  readonly allowedHosts: readonly string[];
  /** How answers are compressed for clients that ask for it; null: they are not. */
  readonly compression: { readonly level: number } | null;
  readonly corsEnabled: boolean;
  readonly corsAllowOrigin: readonly string[];
  /** Folder with the files of Kibana 3, which are served; null: none. */
  readonly kibanaFolder: string | null;
  readonly shutdownGraceMs: number;
  /** Whether a request may end the process. */
  readonly allowShutdown: boolean;
  readonly logLevel: string;
  /** Negative: off. */
  readonly slowRequestMs: number;
  /** The engine behind the server. */
  readonly backend: Backend;
  /** For the engine over OpenSearch. */
  readonly openSearch: OpenSearchEngineOptions['openSearch'];
  readonly node: NodeSettings;
}

/** Where settings come from. */
export interface ConfigSources {
  /** Without the program: `process.argv.slice(2)`. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Against which relative paths are resolved. */
  readonly folder: string;
}

/** To start a node. */
export interface StartCommand {
  readonly kind: 'start';
  readonly settings: ServerSettings;
  /** What was given, by setting name, as text; what is missing has its default. */
  readonly given: ReadonlyMap<string, string>;
}

/** What the command line asks for. */
export type Command = StartCommand | { readonly kind: 'help' | 'version' };

/** Shorthands of the command line. */
const OPTION_NAMES = new Map([
  ['--host', 'network.host'],
  ['--port', 'http.port'],
  ['--data', 'path.data'],
  ['--config', 'path.config'],
  ['--backend', 'engine.backend'],
]);

/** All options, for those that are misspelt. */
const OPTIONS = [...OPTION_NAMES.keys(), '--set', '--insecure-bind', '--help', '--version'];

/**
 * Reads and checks the configuration.
 *
 * @throws ConfigError
 */
export function loadConfig(sources: ConfigSources): Command {
  const options = parseArguments(sources.args);
  if (options.command !== 'start') return { kind: options.command };
  const environment = fromEnvironment(sources.environment);
  const configPath = options.values.get('path.config') ?? environment.get('path.config');
  const file = fromFile(
    resolve(sources.folder, configPath ?? definition('path.config').byDefault),
    configPath !== undefined,
  );
  const given = new Map([...file, ...environment, ...options.values]);
  return { kind: 'start', settings: buildSettings(given, sources.folder), given };
}

function parseArguments(args: readonly string[]): {
  command: Command['kind'];
  values: Map<string, string>;
} {
  const values = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const argument = args[i] ?? '';
    if (argument === '--help' || argument === '-h') return { command: 'help', values };
    if (argument === '--version' || argument === '-v') return { command: 'version', values };
    if (argument === '--insecure-bind') {
      values.set('network.insecure_bind', 'true');
      continue;
    }
    const mark = argument.indexOf('=');
    const option = mark < 0 ? argument : argument.slice(0, mark);
    const value = mark < 0 ? args[++i] : argument.slice(mark + 1);
    const name = OPTION_NAMES.get(option);
    if (option !== '--set' && name === undefined) {
      const meant = hint(nearest(option, OPTIONS));
      throw new ConfigError(`unknown option ${option}; ${meant}--help lists all`);
    }
    if (value === undefined) throw new ConfigError(`option ${option} needs a value`);
    if (name !== undefined) {
      values.set(name, value);
      continue;
    }
    const equals = value.indexOf('=');
    if (equals < 1) throw new ConfigError(`--set needs name=value, not ${value}`);
    values.set(knownName(value.slice(0, equals), '--set'), value.slice(equals + 1));
  }
  return { command: 'start', values };
}

/** For programs that ask a server, in whose environment one may be started. */
const CLIENT_KEY = 'FACETD_CLIENT_KEY';

function fromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Map<string, string> {
  const names = new Map(SETTINGS.map(({ name }) => [environmentName(name), name]));
  const values = new Map<string, string>();
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('FACETD_') || value === undefined) continue;
    if (variable === CLIENT_KEY) continue;
    const name = names.get(variable);
    if (name === undefined) {
      const meant = hint(nearest(variable, names.keys()));
      throw new ConfigError(
        `unknown setting in environment variable ${variable}; ${meant}--help lists all`,
      );
    }
    values.set(name, value);
  }
  return values;
}

function fromFile(path: string, isRequired: boolean): Map<string, string> {
  let content: string;
  let isUnsafe: boolean;
  try {
    content = readFileSync(path, 'utf8');
    isUnsafe = isWrittenByAll(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' && !isRequired) return new Map();
    throw new ConfigError(`cannot read settings file ${path}: ${code ?? String(error)}`);
  }
  if (isUnsafe) {
    throw new ConfigError(
      `settings file ${path}, or its folder, may be written by every user; chmod o-w makes it safe`,
    );
  }
  let parsed: JsonObject;
  try {
    parsed = parseJsonObject(content);
  } catch (error) {
    throw new ConfigError(`settings file ${path} is not JSON: ${(error as Error).message}`);
  }
  const values = new Map<string, string>();
  flatten(parsed, '', path, values);
  if (values.has('path.config')) {
    throw new ConfigError(`path.config cannot be set in the settings file ${path} itself`);
  }
  return values;
}

function flatten(
  object: JsonObject,
  prefix: string,
  path: string,
  values: Map<string, string>,
): void {
  for (const [key, value] of object) {
    const name = prefix + key;
    if (isJsonObject(value)) flatten(value, `${name}.`, path, values);
    // Settings of indices have lists whose entries contain commas, such as synonyms.
    else if (Array.isArray(value) && name.startsWith('index.'))
      value.forEach((entry, i) => {
        const entryName = `${name}.${i}`;
        values.set(knownName(entryName, path), scalarText(entry, entryName, path));
      });
    else values.set(knownName(name, path), scalarText(value, name, path));
  }
}

function scalarText(value: JsonValue, name: string, path: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) {
    return value.map((element) => scalarText(element, name, path)).join(',');
  }
  throw new ConfigError(`setting ${name} in ${path} has no usable value`);
}

/** An `index.` name that somebody reads may be a default of new indices; others have to be in the table. */
function knownName(name: string, where: string): string {
  const isIndex = name.startsWith('index.');
  if (DEFINITIONS.has(name) || (isIndex && isKnownIndexSetting(name))) return name;
  const meant = nearest(name, DEFINITIONS.keys()) ?? (isIndex ? nearestIndexSetting(name) : null);
  throw new ConfigError(`unknown setting ${name} in ${where}; ${hint(meant)}--help lists all`);
}

/** What was probably meant. */
function hint(name: string | null): string {
  return name === null ? '' : `did you mean ${name}? `;
}

/** The path that a setting names, or null when it is empty. */
function optionalPath(values: Values, name: string, folder: string): string | null {
  const text = values.text(name);
  return text === '' ? null : resolve(folder, text);
}

/** @throws ConfigError when one file is named and another is missing */
function tlsSettings(values: Values, folder: string): TlsSettings | null {
  const path = (name: string): string | null => optionalPath(values, name, folder);
  const certificate = path('http.tls.certificate');
  const key = path('http.tls.key');
  const clientCa = path('http.tls.client_ca');
  if (certificate === null && key === null && clientCa === null) return null;
  if (certificate !== null && key !== null) return { certificate, key, clientCa };
  throw new ConfigError('http.tls.certificate and http.tls.key are needed together');
}

/** @throws ConfigError for a password that cannot be read, and what there is not over OpenSearch */
function openSearchSettings(values: Values, folder: string): OpenSearchEngineOptions['openSearch'] {
  if (values.text('engine.backend') === 'opensearch') {
    for (const name of ['http.authentication', 'http.threads']) {
      if (!['false', '0'].includes(values.text(name))) {
        throw new ConfigError(`${name} is not supported with engine.backend=opensearch`);
      }
    }
  }
  const prefix = values.text('opensearch.prefix');
  if (!/^[a-z0-9][a-z0-9_-]{0,99}$/.test(prefix)) {
    throw new ConfigError(
      `opensearch.prefix: ${prefix} is not made of lower case letters, digits, - and _`,
    );
  }
  const username = values.text('opensearch.username');
  const file = optionalPath(values, 'opensearch.password_file', folder);
  if ((username === '') !== (file === null)) {
    throw new ConfigError('opensearch.username and opensearch.password_file are needed together');
  }
  return {
    hosts: values.list('opensearch.hosts'),
    prefix,
    username: username === '' ? null : username,
    password: file === null ? null : passwordIn(file),
    certificateAuthority: optionalPath(values, 'opensearch.certificate_authority', folder),
    timeoutMs: values.number('opensearch.timeout'),
    retries: values.number('opensearch.retries'),
    pollMs: values.number('opensearch.state_poll'),
  };
}

function passwordIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new ConfigError(`opensearch.password_file: ${String(error)}`);
  }
}

function buildSettings(given: ReadonlyMap<string, string>, folder: string): ServerSettings {
  const values = new Values(given);
  for (const { name } of SETTINGS) values.check(name);
  const host = values.text('network.host');
  const authentication = values.boolean('http.authentication');
  if (!isLoopback(host) && !authentication && !values.boolean('network.insecure_bind')) {
    throw new ConfigError(
      `network.host ${host} can be reached by other machines and requests are not authenticated; ` +
        'create a key with `facetd keys create` and set http.authentication, keep 127.0.0.1, or set ' +
        'network.insecure_bind (--insecure-bind) if the network protects this node (docs/security.md)',
    );
  }
  const shards = values.number('index.number_of_shards');
  if (shards > values.number(LIMIT_SETTINGS.shardsPerIndex)) {
    throw new ConfigError(
      `index.number_of_shards: ${shards} is more than ${LIMIT_SETTINGS.shardsPerIndex} allows`,
    );
  }
  const minFreeBytes = values.number('node.min_free_disk');
  if (minFreeBytes > 0 && minFreeBytes < REOPEN_FREE_BYTES) {
    throw new ConfigError(
      `node.min_free_disk ${values.text('node.min_free_disk')} is less than ${REOPEN_FREE_BYTES / 1024 ** 2}mb, ` +
        'which opening the databases may need on a full disk; 0 turns it off',
    );
  }
  return {
    host,
    port: values.number('http.port'),
    threads: values.number('http.threads'),
    authentication,
    tls: tlsSettings(values, folder),
    maxBodyLength: values.number('http.max_body_length'),
    requestMemory: values.number('indices.breaker.total.limit'),
    memoryPerRequest: values.number('indices.breaker.request.limit'),
    maxContentLength: values.number('http.max_content_length'),
    maxBulkActions: values.number('http.max_bulk_actions'),
    maxBulkLength: values.number('http.max_bulk_length'),
    streamBulkAbove: values.number('http.stream_bulk_above'),
    maxConnections: values.number('http.max_connections'),
    maxPipelined: values.number('http.pipelining.max_events'),
    headersTimeoutMs: values.number('http.headers_timeout'),
    requestTimeoutMs: values.number('http.request_timeout'),
    keepAliveMs: values.number('http.keep_alive'),
    allowedHosts: values.list('http.allowed_hosts').map((name) => name.toLowerCase()),
    compression: values.boolean('http.compression')
      ? { level: values.number('http.compression_level') }
      : null,
    corsEnabled: values.boolean('http.cors.enabled'),
    corsAllowOrigin: values.list('http.cors.allow-origin'),
    kibanaFolder: optionalPath(values, 'http.static.kibana', folder),
    shutdownGraceMs: values.number('node.shutdown_grace'),
    allowShutdown: values.boolean('node.allow_shutdown'),
    logLevel: values.text('logger.level'),
    slowRequestMs: values.number('logger.slow_request'),
    backend: values.text('engine.backend') as Backend,
    openSearch: openSearchSettings(values, folder),
    node: {
      dataPath: resolve(folder, values.text('path.data')),
      configPath: resolve(folder, values.text('path.conf')),
      repositoryPaths: values.list('path.repo').map((path) => resolve(folder, path)),
      clusterName: values.text('cluster.name'),
      nodeName: values.text('node.name'),
      indexDefaults: values.indexDefaults(),
      defaultSearchType: values.text('search.default_search_type') as SearchType,
      memoryBytes: values.number('node.memory'),
      storedQueryMemory: values.number('percolator.memory'),
      percolatedDocumentSize: values.number('percolator.max_document_size'),
      minFreeBytes,
      workers: values.number('node.workers'),
      searchQueue: values.number('threadpool.search.queue_size'),
      limits: values.limits(),
      autoCreateIndex: values.boolean('action.auto_create_index'),
      destructiveRequiresName: values.boolean('action.destructive_requires_name'),
      requestLimits: {
        maxClauseCount: values.number('index.query.bool.max_clause_count'),
        queries: values.number('search.max_queries'),
        terms: values.number('search.max_terms'),
        facets: values.number('search.max_facets'),
        ranges: values.number('search.max_ranges'),
        sortKeys: values.number('search.max_sort_keys'),
        fields: values.number('search.max_fields'),
        text: values.number('search.max_text'),
        analyzed: values.number('search.max_analyzed_size'),
        scripts: values.number('search.max_scripts'),
        corners: values.number('search.max_corners'),
        suggestions: values.number('search.max_suggestions'),
        suggestOptions: values.number('search.max_suggest_options'),
        patternLength: values.number('search.max_pattern_length'),
        rescoreWindow: values.number('search.max_rescore_window'),
      },
      scrollLimits: {
        maxOpen: values.number('search.max_open_scroll_context'),
        maxKeepAliveMs: values.number('search.max_keep_alive'),
        reapMs: values.number('search.keep_alive_interval'),
      },
      acceptDataLoss: values.boolean('node.accept_data_loss'),
      checkAfterCrash: values.boolean('node.check_after_crash'),
    },
  };
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
