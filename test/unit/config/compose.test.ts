// The compose files, as far as they can be looked at without Docker: what they name is there, and nothing is
// open.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../../server/config/config';

const FOLDER = join(__dirname, '..', '..', '..', 'config', 'compose');

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}

function read<T>(name: string): T {
  return parse(readFileSync(join(FOLDER, name), 'utf8'), { merge: true }) as T;
}

interface Composition {
  readonly services: Record<string, Service>;
  readonly volumes: Record<string, null>;
}

const { services } = read<Composition>('compose.yaml');
const FILES = ['compose.yaml', 'opensearch.yaml'];

/** The environment that the image sets. */
function imageEnvironment(): Record<string, string> {
  const dockerfile = readFileSync(join(FOLDER, '..', '..', 'Dockerfile'), 'utf8');
  return Object.fromEntries(
    [...dockerfile.matchAll(/\b(FACETD_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

test.each(FILES)('only this machine reaches the services of %s', (file) => {
  for (const { ports = [] } of Object.values(read<Composition>(file).services)) {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  }
});

test.each(FILES)('what %s mounts exists, and images have a version', (file) => {
  const { services: all, volumes } = read<Composition>(file);
  for (const [name, { image, build, volumes: mounted = [] }] of Object.entries(all)) {
    expect(build === undefined ? image : `${image}:own`).toMatch(/^[\w/]+:[\w.]+$/);
    for (const volume of mounted) {
      const [source = ''] = volume.split(':');
      if (source === './secrets') continue;
      const isThere = source.startsWith('.') ? existsSync(join(FOLDER, source)) : source in volumes;
      expect([name, source, isThere]).toEqual([name, source, true]);
    }
  }
});

test('each facetd before OpenSearch finds all its nodes', () => {
  const { services: all } = read<Composition>('opensearch.yaml');
  const nodes = Object.keys(all).filter((name) => name.startsWith('opensearch-'));
  expect(nodes).toHaveLength(3);
  for (const node of nodes) {
    const { environment = {} } = all[node]!;
    expect(environment['node.name']).toBe(node);
    expect(environment['discovery.seed_hosts']?.split(',')).toEqual(nodes);
    expect(environment['cluster.initial_cluster_manager_nodes']?.split(',')).toEqual(nodes);
  }
  for (const name of ['facetd-1', 'facetd-2']) {
    const environment = { ...imageEnvironment(), ...all[name]?.environment };
    const { settings } = loadConfig({ args: [], environment, folder: '/nowhere' }) as {
      settings: object;
    };
    expect(settings).toMatchObject({
      backend: 'opensearch',
      allowedHosts: [name],
      openSearch: { hosts: nodes.map((node) => `http://${node}:9200`) },
    });
  }
});

test('the data of facetd is on a volume', () => {
  expect(services['facetd']?.volumes).toEqual(['facetd-data:/data']);
});

test('facetd listens on the network of the containers, and asks for keys', () => {
  const environment = { ...imageEnvironment(), ...services['facetd']?.environment };
  const command = loadConfig({ args: [], environment, folder: '/nowhere' });
  expect(command).toMatchObject({
    settings: {
      host: '0.0.0.0',
      authentication: true,
      allowedHosts: ['facetd'],
      node: { dataPath: '/data/index', repositoryPaths: ['/data/snapshots'] },
    },
  });
  const without = { ...environment, FACETD_HTTP_AUTHENTICATION: 'false' };
  expect(() => loadConfig({ args: [], environment: without, folder: '/nowhere' })).toThrow(
    /can be reached by other machines/,
  );
});

test('Prometheus asks where facetd is, with a key, and Grafana asks Prometheus', () => {
  const { scrape_configs, rule_files } = read<{
    rule_files: string[];
    scrape_configs: { metrics_path: string; basic_auth: object; static_configs: object[] }[];
  }>('prometheus.yml');
  expect(scrape_configs).toEqual([
    {
      job_name: 'facetd',
      metrics_path: '/_metrics',
      basic_auth: { username: 'prometheus', password_file: 'secrets/prometheus' },
      static_configs: [{ targets: ['facetd:9200'] }],
    },
  ]);
  const mounted = services['prometheus']?.volumes?.map((volume) => volume.split(':')[1]);
  for (const file of [...rule_files, 'secrets', 'prometheus.yml']) {
    expect(mounted).toContain(`/etc/prometheus/${file}`);
  }
  const { datasources } = read<{ datasources: { url: string; type: string }[] }>(
    'grafana/datasources.yaml',
  );
  expect(datasources).toMatchObject([{ type: 'prometheus', url: 'http://prometheus:9090' }]);
  const { providers } = read<{ providers: { options: { path: string } }[] }>(
    'grafana/dashboards.yaml',
  );
  const paths = services['grafana']?.volumes?.map((volume) => volume.split(':')[1]);
  expect(paths).toContain(`${providers[0]!.options.path}/facetd.json`);
});

test('the secrets beside it get into no image, package or commit', () => {
  const root = join(FOLDER, '..', '..');
  const lines = (name: string): string[] => readFileSync(join(root, name), 'utf8').split('\n');
  expect(lines('.dockerignore').filter(Boolean).at(-1)).toBe('config/compose/secrets');
  expect(lines('.gitignore')).toContain('config/compose/secrets/');
  const { files } = JSON.parse(lines('package.json').join('\n')) as { files: string[] };
  expect(files).toContain('!config/compose/secrets');
});
