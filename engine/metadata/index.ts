// Cluster state: one immutable value with indices, settings, aliases, templates, warmers and scripts, and the
// one queue through which it changes.

export type { AliasAction, AliasChanges } from './alias-action';
export { isAlias } from './alias-index';
export { aliasChanges, aliasToJson, applyAliasActions, checkFilter, parseAliasBody } from './alias';
export {
  assertNoneBlocked,
  assertNotBlocked,
  type BlockLevel,
  blocksOf,
  resolveUnblocked,
} from './blocks';
export {
  addIndex,
  putRepository,
  putTemplate,
  removeIndices,
  removeRepositories,
  removeTemplates,
  replaceIndex,
  replaceIndices,
  replaceScripts,
  setIndexState,
} from './changes';
export {
  type ClusterSettingsUpdate,
  parseClusterSettings,
  withPersistentSettings,
} from './cluster-settings';
export { ClusterStateService } from './cluster-state-service';
export { decodeIndex, encodeIndex, indexToJson, Reader, readIndex } from './codec';
export { settingProblem, settingProblems } from './dynamic-settings';
export type { FieldId, FieldKind } from './field';
export {
  assertRoomForIndex,
  assertWithinLimits,
  beyondLimit,
  type ClusterLimits,
  DEFAULT_LIMITS,
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
  updateSettings,
} from './settings';
export type {
  AliasMetadata,
  ClusterState,
  FieldIdentity,
  IndexMetadata,
  IndicesOptions,
} from './state';
export type { ScriptFiles, ScriptLanguage, StoredScript, StoredScripts } from './stored-scripts';
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
