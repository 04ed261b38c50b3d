// OpenSearch for the tests of the engine over it, as its project publishes it: a server without modules, and
// the modules that facetd's indices need, all from Maven's repository.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const VERSION = '2.19.6';

/** A module as the server wants it: published ones are bare jars without what describes them. */
interface Module {
  readonly name: string;
  readonly plugin: string;
  readonly extends?: string;
  /** Jars that it needs besides its own. */
  readonly jars?: readonly string[];
  /** Rights of the Java virtual machine. */
  readonly rights?: readonly string[];
}

const MODULES: readonly Module[] = [
  {
    name: 'lang-painless',
    plugin: 'org.opensearch.painless.PainlessPlugin',
    jars: [
      'opensearch-scripting-painless-spi',
      'antlr4-runtime',
      'asm',
      'asm-analysis',
      'asm-commons',
      'asm-tree',
      'asm-util',
    ],
    rights: ['createClassLoader', 'getClassLoader'],
  },
  {
    name: 'analysis-common',
    plugin: 'org.opensearch.analysis.common.CommonAnalysisPlugin',
    extends: 'lang-painless',
  },
  { name: 'geo', plugin: 'org.opensearch.geo.GeoModulePlugin' },
];

const TOOLS = [
  ['java', '-version'],
  ['mvn', '-version'],
  ['unzip', '-v'],
] as const;

/** Programs that getting and running it takes and that are not there. */
export function missingTools(): readonly string[] {
  return TOOLS.filter(([tool, flag]) => spawnSync(tool, [flag]).status !== 0).map(([tool]) => tool);
}

/**
 * The folder of an unpacked server with its modules; it is fetched once, some 100 MB.
 *
 * @param cache where it is kept
 * @throws Error when it cannot be had
 */
export function distribution(cache: string): string {
  const home = join(cache, `opensearch-${VERSION}`);
  if (existsSync(home)) return home;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'new-'));
  try {
    fetchInto(folder);
    renameSync(join(folder, `opensearch-${VERSION}`), home);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return home;
}

function fetchInto(folder: string): void {
  const pom = join(folder, 'pom.xml');
  const jars = join(folder, 'jars');
  writeFileSync(pom, projectText());
  process.stderr.write(`getting OpenSearch ${VERSION} with Maven\n`);
  run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`]);
  run('unzip', ['-q', join(jars, `opensearch-${VERSION}.zip`), '-d', folder]);
  const all = readdirSync(jars);
  for (const module of MODULES) {
    const place = join(folder, `opensearch-${VERSION}`, 'modules', module.name);
    mkdirSync(place, { recursive: true });
    for (const name of [module.name, ...(module.jars ?? [])]) {
      const jar = all.find((file) => new RegExp(`^${name}-\\d.*\\.jar$`).test(file));
      if (jar === undefined) throw new Error(`Maven has no ${name}`);
      copyFileSync(join(jars, jar), join(place, jar));
    }
    writeFileSync(join(place, 'plugin-descriptor.properties'), descriptorText(module));
    if (module.rights !== undefined) {
      const rights = module.rights.map(
        (right) => `permission java.lang.RuntimePermission "${right}";`,
      );
      writeFileSync(join(place, 'plugin-security.policy'), `grant { ${rights.join(' ')} };\n`);
    }
  }
}

function projectText(): string {
  const dependency = (group: string, name: string, type: string): string =>
    `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${VERSION}</version><type>${type}</type></dependency>`;
  const all = [
    dependency('org.opensearch.distribution.integ-test-zip', 'opensearch', 'zip'),
    ...MODULES.map(({ name }) => dependency('org.opensearch.plugin', name, 'jar')),
  ];
  return `<project><modelVersion>4.0.0</modelVersion><groupId>facetd</groupId><artifactId>opensearch</artifactId><version>1</version><packaging>pom</packaging><dependencies>${all.join('')}</dependencies></project>`;
}

function descriptorText({ name, plugin, extends: other = '' }: Module): string {
  const lines = {
    name,
    description: name,
    version: VERSION,
    'opensearch.version': VERSION,
    'java.version': '11',
    classname: plugin,
    'extended.plugins': other,
    'has.native.controller': 'false',
  };
  return Object.entries(lines)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
}
