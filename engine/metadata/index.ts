// Cluster state: one immutable value with indices, settings, aliases, templates and warmers, and the
// one queue through which it changes.

export { type AccessKey, type AccessKeys, type SecretHash, validateKeyId } from './access-key';
export {
  type AccessRole,
  CLUSTER_PRIVILEGES,
  type ClusterPrivilege,
  hasAllIndices,
  INDEX_PRIVILEGES,
  type IndexGrant,
  type IndexPrivilege,
  type KeyLimits,
  namesMatch,
  parseRole,
  roleToJson,
} from './access-role';
export type { AliasAction, AliasChanges } from './alias-action';
export { indicesOfAlias, isAlias } from './alias-index';
export { aliasChanges, aliasToJson, applyAliasActions, checkFilter, parseAliasBody } from './alias';
export {
  assertNoneBlocked,
  assertNotBlocked,
  type BlockLevel,
  blocksOf,
  resolveUnblocked,
} from './blocks';
export {
  EMPTY_STATE,
  replaceKeys,
  replaceKeyUses,
  addIndex,
  putRepository,
  putTemplate,
  removeIndices,
  removeRepositories,
  removeTemplates,
  replaceIndex,
  replaceIndices,
  setIndexState,
} from './changes';
export {
  type ClusterSettingsUpdate,
  parseClusterSettings,
  withPersistentSettings,
} from './cluster-settings';
export { ClusterStateService } from './cluster-state-service';
export {
  decodeIndex,
  decodeState,
  encodeChanges,
  encodeIndex,
  indexToJson,
  readIndex,
} from './codec';
export type { StateChanges } from './state-changes';
export { Reader } from './stored-json';
export { settingProblem, settingProblems } from './dynamic-settings';
export { isKnownIndexSetting, knownIndexSettings, nearestIndexSetting } from './known-settings';
export type { FieldId, FieldKind } from './field';
export { allowsField, type FieldLists, mayAllowBelow } from './field-lists';
export {
  assertRoomForIndex,
  assertWithinLimits,
  beyondLimit,
  type ClusterLimits,
  DEFAULT_LIMITS,
  assertRoomForSettings,
  assertRoomForTemplate,
  assertRoomForTransient,
  assertRoomForSizeOfSettings,
  LIMIT_SETTINGS,
  type MappingLimits,
  NO_PARTS,
  NO_MAPPING_LIMITS,
} from './limits';
export {
  validateAlias,
  validateIndexName,
  validateMappingTypeName,
  validateTypeName,
} from './names';
export {
  confinedByAliases,
  effectiveAliasFilters,
  resolveIndices,
  searchRouting,
  singleIndex,
  type SingleIndexPurpose,
} from './resolve';
export { documentRouting, shardOf } from './routing';
export { isTrueSetting, parseBytes, parseInt32 } from './setting-values';
export {
  expandReplicas,
  type FlatSettings,
  flatSettings,
  flattenIndexSettings,
  flattenSettings,
  gcDeletesMs,
  nestSettings,
  refreshIntervalMs,
  replicasOf,
  updateSettings,
} from './settings';
export { applyStateUpdate, encodeStateUpdate, type StateUpdate } from './state-update';
export type {
  AliasMetadata,
  ClusterState,
  FieldIdentity,
  FieldView,
  IndexMetadata,
  IndexView,
  IndicesOptions,
  StateRestriction,
} from './state';
export { SCRIPTS_INDEX, type ScriptFiles, type ScriptLanguage } from './scripts';
export {
  applyTemplates,
  type ConfiguredDefaults,
  type CreateIndexSections,
  matchingTemplates,
  NO_DEFAULTS,
  parseTemplate,
  type TemplateParameters,
  withoutTypeName,
} from './templates';
export { matchWarmers, parseWarmers, warmerEntry } from './warmers';
