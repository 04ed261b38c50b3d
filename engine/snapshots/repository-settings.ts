// What a request says about a repository, checked (reference server).

import { EngineError, illegalArgument, type ErrorName } from '../errors';
import type { JsonObject } from '../json/index';
import { flatSettings, isTrueSetting } from '../metadata/index';
import type { RepositoryRequest } from '../api/index';
import { locateBelow } from '../../storage/index';

/** The base of a repository and how it is written. */
interface RepositoryBase {
  readonly root: string;
  readonly path: string;
  readonly compress: boolean;
}

/** Characters of all settings of a repository: a path has 4,096 at most. */
const MAX_CHARACTERS = 16_384;

/**
 * A repository as it is stored and shown.
 *
 * @param roots folders below which repositories may be
 * @throws EngineError RepositoryException when no repository can be made of it,
 *   ElasticsearchIllegalArgumentException for settings that are too long
 */
export function repositoryMetadata(
  { name, type, settings }: RepositoryRequest,
  roots: readonly string[],
): JsonObject {
  if (type !== 'fs') throw creationFailed(name, unknownType(type));
  let size = 0;
  for (const [key, value] of settings) {
    const texts = typeof value === 'string' ? [value] : value;
    for (const text of texts) size += key.length + text.length;
    if (size > MAX_CHARACTERS) {
      throw illegalArgument(
        `settings of repository [${name}] have more than [${MAX_CHARACTERS}] characters`,
      );
    }
  }
  const flat = flatSettings(settings);
  const location = flat.get('location');
  if (location === undefined) throw injectionFailed(name, 'missing location');
  if (locateBelow(roots, location) === null) {
    const why = roots.length === 0 ? ' because this setting is empty' : '';
    throw injectionFailed(
      name,
      `location [${location}] doesn't match any of the locations specified by path.repo${why}`,
    );
  }
  return new Map<string, string | Map<string, string>>([
    ['type', type],
    ['settings', flat],
  ]);
}

/**
 * The base of a stored repository.
 * @throws EngineError RepositoryException when it is not allowed any more
 */
export function repositoryBase(
  name: string,
  metadata: JsonObject,
  roots: readonly string[],
): RepositoryBase {
  const settings = metadata.get('settings') as ReadonlyMap<string, string>;
  const location = settings.get('location') ?? '';
  const base = locateBelow(roots, location);
  if (base === null) {
    throw new EngineError(
      'RepositoryException',
      `[${name}] location [${location}] doesn't match any of the locations specified by path.repo`,
    );
  }
  const compress = settings.get('compress');
  return { ...base, compress: compress === undefined || isTrueSetting(compress) };
}

function injectionFailed(name: string, reason: string): EngineError {
  const cause = new EngineError('RepositoryException', `[${name}] ${reason}`);
  const own = 'org.elasticsearch.repositories';
  return creationFailed(
    name,
    new EngineError(
      'CreationException',
      `Guice creation errors:\n\n1) Error injecting constructor, ${own}.RepositoryException: ${cause.message}\n  at ${own}.fs.FsRepository.<init>(Unknown Source)\n  while locating ${own}.fs.FsRepository\n  while locating ${own}.Repository\n\n1 error`,
      { cause },
    ),
  );
}

function unknownType(type: string): EngineError {
  const own = 'org.elasticsearch.repositories';
  const capital = type.slice(0, 1).toUpperCase() + type.slice(1);
  const modules = [
    `${own}.${capital}RepositoryModule`,
    `${own}.${type}.${capital}RepositoryModule`,
  ];
  return failure(
    'NoClassSettingsException',
    `failed to load class with value [${type}]; tried [${[type, ...modules].join(', ')}]`,
    failure('ClassNotFoundException', modules[1]!),
  );
}

function creationFailed(name: string, cause: EngineError): EngineError {
  return failure('RepositoryException', `[${name}] failed to create repository`, cause, 500);
}

function failure(name: ErrorName, message: string, cause?: unknown, status?: number): EngineError {
  return new EngineError(name, message, { cause, ...(status === undefined ? {} : { status }) });
}
