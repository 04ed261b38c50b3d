import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isLoopback, loadConfig, type ServerSettings } from '../../../../server/config/config';
import { ConfigError } from '../../../../server/config/values';
import { configurationPage, helpText } from '../../../../server/config/config-docs';
import { environmentName, SETTINGS } from '../../../../server/config/settings-table';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facetd-config-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function load(
  args: string[] = [],
  environment: Record<string, string> = {},
  file?: string,
): ServerSettings {
  const all = file === undefined ? args : ['--config', 'settings.json', ...args];
  if (file !== undefined) writeFileSync(join(folder, 'settings.json'), file);
  const command = loadConfig({ args: all, environment, folder });
  if (command.kind !== 'start') throw new Error(command.kind);
  return command.settings;
}

test('a settings file that every user may write is refused, and one that they may replace', () => {
  const path = join(folder, 'settings.json');
  writeFileSync(path, '{}');
  const again = () => load(['--config', 'settings.json']);
  chmodSync(path, 0o664);
  expect(again).not.toThrow();
  chmodSync(path, 0o646);
  expect(again).toThrow(/settings\.json, or its folder, may be written by every user/);
  chmodSync(path, 0o600);
  chmodSync(folder, 0o777);
  expect(again).toThrow(ConfigError);
  // As of /tmp: nobody may replace files of others.
  chmodSync(folder, 0o1777);
  expect(again).not.toThrow();
});

test('starts from the defaults', () => {
  const settings = load();
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 9200,
    maxContentLength: 104857600,
    maxConnections: 4096,
    maxPipelined: 64,
    headersTimeoutMs: 15_000,
    requestTimeoutMs: 120_000,
    keepAliveMs: 75_000,
    corsEnabled: false,
    slowRequestMs: 5000,
    backend: 'embedded',
    openSearch: {
      hosts: ['http://127.0.0.1:9200'],
      prefix: 'facetd',
      username: null,
      password: null,
      certificateAuthority: null,
      timeoutMs: 30_000,
      retries: 3,
      pollMs: 1000,
    },
    node: {
      repositoryPaths: [],
      dataPath: resolve(folder, 'data'),
      clusterName: 'facetd',
      defaultSearchType: 'dfs_query_then_fetch',
      autoCreateIndex: true,
      destructiveRequiresName: false,
      acceptDataLoss: false,
      checkAfterCrash: true,
    },
  });
  expect([...settings.node.indexDefaults]).toEqual([
    ['index.number_of_shards', '1'],
    ['index.number_of_replicas', '0'],
  ]);
  expect(settings.node.workers).toBeGreaterThanOrEqual(1);
  expect(settings.node.nodeName).not.toBe('');
  expect(settings.node.memoryBytes).toBeGreaterThan(0);
});

test('file, environment and command line override each other in this order', () => {
  const file =
    '{"http":{"port":1},"cluster.name":"file","node":{"name":"file"},"path":{"repo":["a","b"]}}';
  const environment = { FACETD_HTTP_PORT: '2', FACETD_CLUSTER_NAME: 'environment', HOME: '/root' };
  const settings = load(['--port', '3'], environment, file);
  expect(settings.port).toBe(3);
  expect(settings.node.clusterName).toBe('environment');
  expect(settings.node.nodeName).toBe('file');
  expect(settings.node.repositoryPaths).toEqual([join(folder, 'a'), join(folder, 'b')]);
});

test('options have short and long forms', () => {
  const settings = load(['--set', 'http.port=7', '--data=elsewhere', '--host', '127.0.0.2']);
  expect(settings).toMatchObject({ port: 7, host: '127.0.0.2' });
  expect(settings.node.dataPath).toBe(join(folder, 'elsewhere'));
});

test('any index setting may become a default of new indices', () => {
  const settings = load(['--set', 'index.gc_deletes=2m'], {}, '{"index":{"number_of_shards":5}}');
  expect(settings.node.indexDefaults.get('index.gc_deletes')).toBe('2m');
  expect(settings.node.indexDefaults.get('index.number_of_shards')).toBe('5');
  const synonyms = '{"index.analysis":{"filter":{"f":{"synonyms":["a,b","c=>d"]}}}}';
  const lists = load([], {}, synonyms).node.indexDefaults;
  expect(lists.get('index.analysis.filter.f.synonyms.0')).toBe('a,b');
  expect(lists.get('index.analysis.filter.f.synonyms.1')).toBe('c=>d');
});

test('a missing settings file is fine unless it was asked for', () => {
  expect(() => load()).not.toThrow();
  expect(() => load(['--config', 'nowhere.json'])).toThrow(/cannot read settings file .*ENOENT/);
});

test.each<[string[], Record<string, string>, string | undefined, string]>([
  [['--bogus'], {}, undefined, 'unknown option --bogus'],
  [['--port'], {}, undefined, 'option --port needs a value'],
  [['--set', 'nonsense'], {}, undefined, '--set needs name=value'],
  [['--set', 'htp.port=1'], {}, undefined, 'htp.port in --set; did you mean http.port? --help'],
  [['--prot', '1'], {}, undefined, 'unknown option --prot; did you mean --port? --help'],
  [['--set', 'index.number_of_shard=2'], {}, undefined, 'did you mean index.number_of_shards?'],
  [['--set', 'index.colour=red'], {}, undefined, 'index.colour in --set; --help lists all'],
  [[], {}, '{"index":{"analysys":{"x":1}}}', 'did you mean index.analysis.x?'],
  [['--port', 'x'], {}, undefined, 'setting http.port: x is not an integer'],
  [['--port', '70000'], {}, undefined, 'http.port: 70000 has to be at least 0 and at most 65535'],
  [['--set', 'http.keep_alive=soon'], {}, undefined, 'soon is not a time such as 30s'],
  [['--set', 'http.max_content_length=big'], {}, undefined, 'big is not a size such as 100mb'],
  [['--set', 'http.cors.enabled=maybe'], {}, undefined, 'maybe is neither true nor false'],
  [['--set', 'logger.level=loud'], {}, undefined, 'logger.level: loud is none of trace, debug'],
  [
    ['--backend', 'opensearch', '--set', 'http.threads=2'],
    {},
    undefined,
    'http.threads is not supported with engine.backend=opensearch',
  ],
  [
    ['--set', 'opensearch.username=me'],
    {},
    undefined,
    'opensearch.username and opensearch.password_file are needed together',
  ],
  [
    ['--set', 'opensearch.prefix=No'],
    {},
    undefined,
    'opensearch.prefix: No is not made of lower case letters, digits, - and _',
  ],
  [
    ['--set', 'engine.backend=other'],
    {},
    undefined,
    'engine.backend: other is none of embedded, opensearch',
  ],
  [['--set', 'cluster.name='], {}, undefined, 'setting cluster.name is empty'],
  [['--set', 'index.number_of_shards=0'], {}, undefined, 'has to be at least 1'],
  [
    [],
    { FACETD_HTP_PORT: '1' },
    undefined,
    'environment variable FACETD_HTP_PORT; did you mean FACETD_HTTP_PORT?',
  ],
  [[], {}, '{"http":{"prot":1}}', 'unknown setting http.prot in'],
  [[], {}, '{"http":', 'is not JSON'],
  [[], {}, '[]', 'is not JSON'],
  [[], {}, '{"http":{"port":null}}', 'setting http.port in'],
  [[], {}, '{"path":{"config":"x"}}', 'path.config cannot be set in the settings file'],
  [['--host', '0.0.0.0'], {}, undefined, 'network.host 0.0.0.0 can be reached by other machines'],
])('%j %j %j is refused', (args, environment, file, message) => {
  expect(() => load(args, environment, file)).toThrow(ConfigError);
  expect(() => load(args, environment, file)).toThrow(message);
});

test('other addresses need a word of consent', () => {
  expect(load(['--host', '0.0.0.0', '--insecure-bind']).host).toBe('0.0.0.0');
  expect(load(['--host', '0.0.0.0'], { FACETD_NETWORK_INSECURE_BIND: 'true' }).host).toBe(
    '0.0.0.0',
  );
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['127.example.org', false],
  ['192.168.0.1', false],
])('%s is loopback: %p', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test('help and version are commands of their own', () => {
  const kind = (option: string) => loadConfig({ args: [option], environment: {}, folder }).kind;
  expect(['--help', '--version'].map(kind)).toEqual(['help', 'version']);
  for (const { name } of SETTINGS) expect(helpText('usage')).toContain(name);
});

test('environment variables are unambiguous', () => {
  const variables = SETTINGS.map(({ name }) => environmentName(name));
  expect(new Set(variables).size).toBe(SETTINGS.length);
  expect(environmentName('search.default_search_type')).toBe('FACETD_SEARCH_DEFAULT_SEARCH_TYPE');
});

test('the shipped settings file is accepted', () => {
  const shipped = readFileSync(resolve(__dirname, '../../../../config/facetd.json'), 'utf8');
  expect(load([], {}, shipped)).toMatchObject({ host: '127.0.0.1', port: 9200 });
});

test('docs/configuration.md is current (npm run docs writes it)', () => {
  const page = readFileSync(resolve(__dirname, '../../../../docs/configuration.md'), 'utf8');
  expect(page).toBe(configurationPage());
});
