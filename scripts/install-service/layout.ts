// What a service installation consists of: folders, files, links and their contents.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1024 * 1024;

/** Where things go on the machine. */
export const PLACES = {
  configuration: '/etc/facetd',
  state: '/var/lib/facetd',
  units: '/etc/systemd/system',
  programs: '/usr/local/bin',
} as const;

/** The system user and group of the service. */
export const SERVICE_USER = 'facetd';

/** The units that are enabled, in this order. */
export const ENABLED_UNITS = ['facetd.service', 'facetd-backup.timer'] as const;

const UNITS = ['facetd.service', 'facetd-backup.service', 'facetd-backup.timer'] as const;
const MEMORY_DROP_IN = 'facetd.service.d/memory.conf';

/** The heap of the main thread, besides what node.memory counts. */
const MAIN_HEAP_MB = 1024;
/** Write buffers of the databases, request bodies, code. */
const OTHER_MB = 1024;

/** Who owns a thing: root, root with the service's group to read it, or the service itself. */
type Ownership = 'root' | 'readable' | 'service';

/** One thing to put in place. Paths are absolute on the target machine. */
export type Item =
  | {
      readonly kind: 'folder';
      readonly path: string;
      readonly mode: number;
      readonly owner: Ownership;
    }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly mode: number;
      readonly owner: Ownership;
      readonly content: string;
      /** Left alone when it is there. */
      readonly isConfiguration: boolean;
    }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** The installed program. */
export interface Program {
  /** Folder of package.json. */
  readonly folder: string;
  /** The Node executable to run it with. */
  readonly node: string;
}

/** Everything that is installed, in order. @param memoryBytes node.memory of the service */
export function layout(program: Program, memoryBytes: number): readonly Item[] {
  const { configuration, state, units } = PLACES;
  const folder = (path: string, mode: number, owner: Ownership): Item => ({
    kind: 'folder',
    path,
    mode,
    owner,
  });
  return [
    folder(configuration, 0o750, 'readable'),
    folder(join(configuration, 'templates'), 0o750, 'readable'),
    folder(join(configuration, 'mappings'), 0o750, 'readable'),
    {
      kind: 'file',
      path: join(configuration, 'facetd.json'),
      mode: 0o640,
      owner: 'readable',
      content: configurationFile(),
      isConfiguration: true,
    },
    folder(state, 0o700, 'service'),
    folder(join(state, 'snapshots'), 0o700, 'service'),
    ...UNITS.map((name) => unitFile(name, unitText(program, name))),
    folder(join(units, 'facetd.service.d'), 0o755, 'root'),
    unitFile(MEMORY_DROP_IN, memoryDropIn(memoryBytes)),
    ...links(program),
  ];
}

/** What an uninstallation removes: units and links. */
export function removable(program: Program): readonly string[] {
  const { units } = PLACES;
  return [
    ...links(program).map(({ path }) => path),
    ...[...UNITS, MEMORY_DROP_IN, 'facetd.service.d'].map((name) => join(units, name)),
  ];
}

/** The commands of the package, from its `bin`. */
function links({ folder }: Program): (Item & { kind: 'link' })[] {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  return Object.entries(bin).map(([name, file]) => ({
    kind: 'link',
    path: join(PLACES.programs, name),
    target: join(folder, file),
  }));
}

function unitFile(name: string, content: string): Item {
  const path = join(PLACES.units, name);
  return { kind: 'file', path, mode: 0o644, owner: 'root', content, isConfiguration: false };
}

/** A unit of the package with the real paths in it. */
function unitText({ folder, node }: Program, name: string): string {
  return readFileSync(join(folder, 'config', name), 'utf8')
    .replaceAll('/opt/facetd', folder)
    .replaceAll('/usr/bin/node', node);
}

function configurationFile(): string {
  const { configuration, state } = PLACES;
  const settings = {
    'path.data': join(state, 'data'),
    'path.conf': configuration,
    'path.repo': [join(state, 'snapshots')],
    'action.destructive_requires_name': true,
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/**
 * Limits that fit a memory budget: caches are outside of the heaps and count once, the heaps of search
 * workers and indexer together at most once more.
 */
function memoryDropIn(memoryBytes: number): string {
  const megabytes = Math.floor(memoryBytes / MIB);
  return `# Made by install-service --memory ${megabytes}mb; run it again to change it.
[Service]
Environment=FACETD_NODE_MEMORY=${megabytes}mb
Environment=NODE_OPTIONS=--max-old-space-size=${MAIN_HEAP_MB}
MemoryMax=${2 * megabytes + MAIN_HEAP_MB + OTHER_MB}M
`;
}
