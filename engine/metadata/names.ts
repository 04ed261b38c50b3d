// Which names indices, types and aliases may have (reference server).

import { EngineError, illegalArgument } from '../errors';
import { isAlias } from './alias-index';
import type { ClusterState } from './state';

const INVALID_INDEX_CHARACTERS = /[\\/*?"<>| ,]/;
const MAX_INDEX_NAME_BYTES = 255;

/**
 * @throws EngineError IndexAlreadyExistsException or InvalidIndexNameException when no index of that name
 *   can be created.
 */
export function validateIndexName(state: ClusterState, name: string): void {
  if (state.indices.has(name)) {
    throw new EngineError('IndexAlreadyExistsException', `[${name}] already exists`);
  }
  const reason =
    invalidIndexName(name) ?? (isAlias(state, name) ? 'already exists as alias' : null);
  if (reason !== null) throw invalidIndex(name, reason);
}

function invalidIndexName(name: string): string | null {
  if (INVALID_INDEX_CHARACTERS.test(name)) {
    return 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]';
  }
  if (name.includes('#')) return "must not contain '#'";
  // Clients of rivers keep their descriptions in an index of this name.
  if (name.startsWith('_') && name !== '_river') return "must not start with '_'";
  if (name !== name.toLowerCase()) return 'must be lowercase';
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_INDEX_NAME_BYTES) {
    return `index name is too long, (${bytes} > ${MAX_INDEX_NAME_BYTES})`;
  }
  // Beyond the reference, which accepts these three and loses data over them or cannot address them.
  if (name === '.' || name === '..') return "must not be '.' or '..'";
  return name === '' ? 'must not be empty' : null;
}

function invalidIndex(name: string, reason: string): EngineError {
  return new EngineError(
    'InvalidIndexNameException',
    `[${name}] Invalid index name [${name}], ${reason}`,
  );
}

/**
 * @throws EngineError InvalidTypeNameException for a type that no document can have.
 */
export function validateTypeName(type: string): void {
  if (type === '') throw invalidType('mapping type name is empty');
  if (type.startsWith('_')) throw invalidType(`mapping type name [${type}] can't start with '_'`);
  for (const character of ['#', ',']) {
    if (type.includes(character)) {
      throw invalidType(`mapping type name [${type}] should not include '${character}' in it`);
    }
  }
}

/**
 * The same for a type whose mapping is put, where `_default_` is a name too.
 * @throws EngineError InvalidTypeNameException
 */
export function validateMappingTypeName(type: string): void {
  if (type === '_default_') return;
  if (type.startsWith('_')) throw invalidType("Document mapping type name can't start with '_'");
  validateTypeName(type);
}

function invalidType(message: string): EngineError {
  return new EngineError('InvalidTypeNameException', message);
}

/** Documents written through an alias go to one shard. */
export function severalRoutingValues(alias: string): EngineError {
  return illegalArgument(`alias [${alias}] has several index routing values associated with it`);
}

/**
 * Checks an alias of `index` that is added or removed.
 *
 * @throws EngineError InvalidAliasNameException when an index has the name, or when it would shadow the
 *   expressions for all indices (`*`, `_all`; beyond the reference);
 *   ElasticsearchIllegalArgumentException for several index routing values.
 */
export function validateAlias(
  state: ClusterState,
  index: string,
  alias: string,
  indexRouting: string | null,
): void {
  const invalid = (reason: string): EngineError =>
    new EngineError(
      'InvalidAliasNameException',
      `[${index}] Invalid alias name [${alias}], ${reason}`,
    );
  if (indexRouting?.includes(',') === true) throw severalRoutingValues(alias);
  if (state.indices.has(alias)) throw invalid('an index exists with the same name as the alias');
  if (alias === '*' || alias === '_all') throw invalid('it stands for all indices');
}
