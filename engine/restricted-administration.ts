// Administration and maintenance as the holder of a key may use them: names are resolved in what the key is
// granted, and what is done is done to the indices that they stand for.

import { denied, deniedOn } from './access/index';
import type { Administration, Maintenance, ShardsHeader } from './api/index';
import { EngineError } from './errors';
import { isJsonObject } from './json/index';
import {
  type AliasAction,
  assertNoneBlocked,
  type IndexPrivilege,
  type IndicesOptions,
  namesMatch,
  resolveIndices,
} from './metadata/index';
import type { RestrictedParts } from './restricted-parts';

const NO_SHARDS: ShardsHeader = { total: 0, successful: 0, failed: 0, failures: [] };

/** Names that stand for themselves. */
const BY_NAME: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: true,
  forbidClosed: false,
};

/** Administration of the indices of a view. All methods reject with AuthorizationException. */
export function restrictedAdministration(parts: RestrictedParts): Administration {
  const { inner, role, view, serving } = parts;
  const { admin } = inner;
  const concrete = (names: readonly string[], options: IndicesOptions): readonly string[] =>
    resolveIndices(view.current(), names, options);
  /** Does something to the indices of an expression; to none of them nothing, as no name would mean all. */
  const toEach = async (
    needed: IndexPrivilege,
    names: readonly string[],
    options: IndicesOptions,
    work: (found: readonly string[], options: IndicesOptions) => Promise<void>,
  ): Promise<void> => {
    require(parts, needed);
    const found = concrete(names, options);
    if (found.length > 0) await work(found, { ...BY_NAME, forbidClosed: options.forbidClosed });
  };
  /** An alias has to be granted by its name, and each index by its own. */
  const ownActions = (actions: readonly AliasAction[]): readonly AliasAction[] => {
    require(parts, 'aliases');
    return actions.flatMap((action) => {
      const aliases =
        action.kind === 'remove' ? grantedAliases(action.aliases) : grantedNames(action.aliases);
      if (action.kind === 'remove_index') throw denied('index_admin');
      const indices = concrete(action.indices, BY_NAME);
      return indices.length === 0 ? [] : [{ ...action, indices, aliases }];
    });
  };
  const isGranted = (name: string): boolean =>
    role.indices.some((grant) => grant.privileges.includes('aliases') && namesMatch(grant, name));
  const grantedNames = (names: readonly string[]): readonly string[] => {
    for (const name of names) if (!isGranted(name)) throw deniedOn(name);
    return names;
  };
  /** Patterns of names to be removed stand for those that are granted. */
  const grantedAliases = (names: readonly string[]): readonly string[] => {
    const plain = names.filter((name) => !name.includes('*') && name !== '_all');
    if (plain.length < names.length) {
      throw new EngineError(
        'AuthorizationException',
        'a key that is granted some aliases removes them by their names, not by patterns',
      );
    }
    return grantedNames(plain);
  };
  return {
    resolve(names, options, level) {
      const state = view.current();
      const found = resolveIndices(state, names, options);
      if (level !== undefined) assertNoneBlocked(state, found, level);
      return found;
    },
    async createIndex(name, body) {
      require(parts, 'index_admin');
      if (!view.covers(name) && !view.current().indices.has(name)) throw deniedOn(name);
      const aliases = body.get('aliases');
      if (isJsonObject(aliases)) grantedNames([...aliases.keys()]);
      await admin.createIndex(name, body);
    },
    async deleteIndices(names, options) {
      const isPattern = (name: string): boolean => name.includes('*') || name === '_all';
      if (parts.requiresName() && (names.length === 0 || names.some(isPattern))) {
        // Refused there, with the words for it.
        return admin.deleteIndices(['_all'], options);
      }
      await toEach('index_admin', names, options, (found, by) => admin.deleteIndices(found, by));
    },
    putMapping: (names, type, body, options, ignoreConflicts) =>
      toEach('index_admin', names, options, (found, by) =>
        admin.putMapping(found, type, body, by, ignoreConflicts),
      ),
    deleteMapping: (names, types, options) =>
      toEach('index_admin', names, options, (found, by) => admin.deleteMapping(found, types, by)),
    updateSettings: (names, settings, options) =>
      toEach('index_admin', names, options, (found, by) =>
        admin.updateSettings(found, settings, by),
      ),
    openIndices: (names, options) =>
      toEach('index_admin', names, options, (found, by) => admin.openIndices(found, by)),
    closeIndices: (names, options) =>
      toEach('index_admin', names, options, (found, by) => admin.closeIndices(found, by)),
    putWarmer: (names, options, warmer, types, source) =>
      toEach('index_admin', names, options, (found, by) =>
        admin.putWarmer(found, by, warmer, types, source),
      ),
    deleteWarmers: (names, options, warmers) =>
      toEach('index_admin', names, options, (found, by) => admin.deleteWarmers(found, by, warmers)),
    async updateAliases(actions) {
      const own = ownActions(actions);
      if (own.length > 0) await admin.updateAliases(own);
    },
    previewAliases: (actions) => admin.previewAliases(ownActions(actions)),
    analyze(request) {
      require(parts, 'read');
      if (request.index === null) return admin.analyze(request);
      const state = view.current();
      const [name] = concrete([request.index], { ...BY_NAME, allowNoIndices: false });
      const index = state.indices.get(name!);
      const isUnseen =
        index?.view?.fields != null &&
        request.field !== undefined &&
        serving.searchHost.mapping(index).find(request.field, []) === null;
      return admin.analyze(isUnseen ? { ...request, field: undefined } : request);
    },
    async putTemplate() {
      throw denied('cluster');
    },
    async deleteTemplates() {
      throw denied('cluster');
    },
    clusterSettings() {
      throw denied('cluster');
    },
    async updateClusterSettings() {
      throw denied('cluster');
    },
  };
}

/** Maintenance of the indices of a view. All methods reject with AuthorizationException. */
export function restrictedMaintenance(parts: RestrictedParts): Maintenance {
  const { view } = parts;
  const { maintenance } = parts.inner;
  const ofShards = async (
    needed: IndexPrivilege,
    names: readonly string[],
    options: IndicesOptions,
    work: (found: readonly string[], options: IndicesOptions) => Promise<ShardsHeader>,
  ): Promise<ShardsHeader> => {
    require(parts, needed);
    const found = resolveIndices(view.current(), names, options);
    return found.length === 0 ? NO_SHARDS : work(found, options);
  };
  return {
    refresh: (names, options) =>
      ofShards('write', names, options, (found, by) => maintenance.refresh(found, by)),
    flush: (names, options) =>
      ofShards('write', names, options, (found, by) => maintenance.flush(found, by)),
    optimize: (names, options, target) =>
      ofShards('index_admin', names, options, (found, by) =>
        maintenance.optimize(found, by, target),
      ),
    clearCaches: (names, options) =>
      ofShards('index_admin', names, options, (found, by) => maintenance.clearCaches(found, by)),
    async stats(names) {
      const { indices } = view.current();
      for (const name of names) if (!indices.has(name)) throw deniedOn(name);
      return names.length === 0 ? [] : maintenance.stats(names);
    },
  };
}

function require({ privilege }: RestrictedParts, needed: IndexPrivilege): void {
  if (privilege !== needed) throw denied(needed);
}
