// Blocks: what settings forbid to do with an index (reference server).

import { EngineError } from '../errors';
import { isTrueSetting } from './setting-values';
import { resolveIndices } from './resolve';
import type { ClusterState, IndexMetadata, IndicesOptions } from './state';

/** What an operation does: with documents, or with mappings, settings and aliases. */
export type BlockLevel = 'read' | 'write' | 'metadata_read' | 'metadata_write';

interface Block {
  readonly id: number;
  readonly description: string;
  readonly levels: readonly BlockLevel[];
  readonly applies: (index: IndexMetadata) => boolean;
}

const setting =
  (key: string) =>
  (index: IndexMetadata): boolean =>
    isTrueSetting(index.settings.get(key));

const BLOCKS: readonly Block[] = [
  {
    id: 4,
    description: 'index closed',
    levels: ['read', 'write'],
    applies: (index) => index.state === 'close',
  },
  {
    id: 5,
    description: 'index read-only (api)',
    levels: ['write', 'metadata_write'],
    applies: setting('index.blocks.read_only'),
  },
  {
    id: 7,
    description: 'index read (api)',
    levels: ['read'],
    applies: setting('index.blocks.read'),
  },
  {
    id: 8,
    description: 'index write (api)',
    levels: ['write'],
    applies: setting('index.blocks.write'),
  },
  {
    id: 9,
    description: 'index metadata (api)',
    levels: ['metadata_read', 'metadata_write'],
    applies: setting('index.blocks.metadata'),
  },
];

/**
 * {@link assertNotBlocked} for several indices of a state, in the order given.
 * @throws EngineError ClusterBlockException about the first one that is blocked
 */
export function assertNoneBlocked(
  state: ClusterState,
  names: readonly string[],
  level: BlockLevel,
): void {
  for (const name of names) {
    const index = state.indices.get(name);
    if (index !== undefined) assertNotBlocked(index, level);
  }
}

/**
 * The concrete indices that an expression stands for, of which none has a block.
 *
 * @param level what is going to be done with them; undefined: nothing that a block could be against
 * @throws EngineError of {@link resolveIndices} and {@link assertNoneBlocked}
 */
export function resolveUnblocked(
  state: ClusterState,
  names: readonly string[],
  options: IndicesOptions,
  level?: BlockLevel,
): readonly string[] {
  const concrete = resolveIndices(state, names, options);
  if (level !== undefined) assertNoneBlocked(state, concrete, level);
  return concrete;
}

/** The blocks that an index has, as the cluster state shows them: by number. */
export function blocksOf(
  index: IndexMetadata,
): readonly { id: number; description: string; levels: readonly BlockLevel[] }[] {
  return BLOCKS.filter((block) => block.applies(index)).map(({ id, description, levels }) => ({
    id,
    description,
    levels,
  }));
}

/** @throws EngineError ClusterBlockException listing every block that forbids `level` on the index. */
export function assertNotBlocked(index: IndexMetadata, level: BlockLevel): void {
  let text = '';
  for (const block of BLOCKS) {
    if (block.levels.includes(level) && block.applies(index)) {
      text += `[FORBIDDEN/${block.id}/${block.description}];`;
    }
  }
  if (text !== '') throw new EngineError('ClusterBlockException', `blocked by: ${text}`);
}
