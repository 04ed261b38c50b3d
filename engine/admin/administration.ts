// Indices, mappings, settings and aliases: every change as one atomic step of the cluster state.

import {
  assertNoneBlocked,
  assertNotBlocked,
  resolveUnblocked,
  type BlockLevel,
  type ClusterService,
  aliasChanges,
  applyAliasActions,
  checkFilter,
  addIndex,
  putTemplate,
  removeIndices,
  removeTemplates,
  replaceIndices,
  setIndexState,
  parseClusterSettings,
  withPersistentSettings,
  type ClusterSettingsUpdate,
  validateMappingTypeName,
  validateTypeName,
  resolveIndices,
  singleIndex,
  updateSettings,
  type ClusterState,
  type IndexMetadata,
  type IndicesOptions,
  applyTemplates,
  matchingTemplates,
  parseTemplate,
  type ConfiguredDefaults,
  type TemplateParameters,
  matchWarmers,
  warmerEntry,
  type AliasAction,
  type AliasChanges,
} from '../metadata/index';
import type { DeleteByQuery } from '../documents/index';
import type { Gate } from './gate';
import { eachShard } from './maintenance';
import { EngineError, illegalArgument, indexMissing, validationFailed } from '../errors';
import type { IndexCatalog } from '../shard/index';
import { analyzeText, KEYWORD_ANALYZER, buildAnalysis } from '../analysis/index';
import type { JsonObject, JsonOutput, JsonValue } from '../json/index';
import { compileMapping, putMapping } from '../mapping/index';
import { indexCreationFailed, newIndex, planIndex, readSections } from './create-index';
import { matchesAny } from '../common/index';
import type { Administration, AnalyzeRequest } from '../api/index';
import type { NodeSettings } from './node-settings';
import { parseFilter, type QueryParseContext } from '../query/index';
import type { ScriptLibrary } from '../script/index';
import { randomBytes } from 'node:crypto';
import type { LogBatch } from '../../storage/index';

/** The analyzers that every index has. */
const NODE_ANALYSIS = buildAnalysis(new Map());

/** What {@link AdministrationService} needs of the node. */
export interface AdministrationHost {
  readonly gate: Gate;
  readonly settings: NodeSettings;
  readonly cluster: ClusterService;
  readonly catalog: IndexCatalog;
  readonly deleteByQuery: DeleteByQuery;
  readonly now: () => number;
  readonly maxClauseCount: number;
  /** The scripts that alias filters may name. */
  readonly scripts: () => ScriptLibrary;
  /** The source of a document that an alias filter looks terms up in. */
  readonly getSource: QueryParseContext['getSource'];
  /** What the configuration folder defines. */
  readonly configured: () => ConfiguredDefaults;
}

/** Changes the cluster state as requests want it. */
export class AdministrationService implements Administration {
  /** Cluster settings that a restart forgets. */
  private transientSettings: ReadonlyMap<string, string> = new Map();

  constructor(private readonly host: AdministrationHost) {}

  // --- indices --------------------------------------------------------------------------------------

  /**
   * Creates an index for a write to a name that does not exist.
   *
   * @param types of the documents, which the index declares; one that cannot be prevents the creation
   */
  async autoCreate(name: string, types: readonly string[]): Promise<void> {
    if (!this.host.settings.autoCreateIndex) throw indexMissing(name);
    try {
      await this.change((state) => {
        const mappings = new Map(types.map((type) => [type, new Map<string, JsonValue>()]));
        return addIndex(state, this.newIndex(state, name, new Map([['mappings', mappings]])));
      });
    } catch (error) {
      // Somebody else was faster: that is just as good.
      const exists =
        error instanceof EngineError && error.wireName === 'IndexAlreadyExistsException';
      if (!exists) throw error;
    }
  }

  /** Creates an index with settings, mappings and aliases, all or nothing. */
  async createIndex(name: string, body: JsonObject): Promise<void> {
    const { gate, cluster } = this.host;
    await gate.grow(() =>
      cluster.change((state) => addIndex(state, this.newIndex(state, name, body))),
    );
  }

  async deleteIndices(names: readonly string[], options: IndicesOptions): Promise<void> {
    if (names.length === 0) throw validationFailed('index / indices is missing');
    this.checkDestructive(names);
    await this.change(
      (state) => {
        const concrete = resolveIndices(state, names, options);
        assertNoneBlocked(state, concrete, 'metadata_write');
        return removeIndices(state, concrete);
      },
      (batch, before, after) => this.stageRemovals(batch, before, after),
    );
  }

  /** What has to be deleted of the indices that a change removes goes into the batch of the change. */
  private stageRemovals(batch: LogBatch, before: ClusterState, after: ClusterState): void {
    for (const metadata of before.indices.values()) {
      if (!after.indices.has(metadata.name)) this.host.catalog.stageRemoval(batch, metadata);
    }
  }

  resolve(
    names: readonly string[],
    options: IndicesOptions,
    level?: BlockLevel,
  ): readonly string[] {
    return resolveUnblocked(this.host.cluster.state(), names, options, level);
  }

  /** Indices to open or close: none at all is an error, also where the options allow an expression to mean none. */
  private resolveSome(names: readonly string[], options: IndicesOptions): readonly string[] {
    const concrete = this.resolve(names, options, 'metadata_write');
    if (concrete.length === 0) throw illegalArgument('Index name is required');
    return concrete;
  }

  async openIndices(names: readonly string[], options: IndicesOptions): Promise<void> {
    const { gate, cluster, catalog } = this.host;
    const state = cluster.state();
    const concrete = this.resolveSome(names, options);
    await gate.write(async () => {
      for (const name of concrete) await catalog.open(state.indices.get(name)!);
      await this.setState(concrete, true);
    });
  }

  async closeIndices(names: readonly string[], options: IndicesOptions): Promise<void> {
    if (names.length === 0) throw validationFailed('index is missing');
    this.checkDestructive(names);
    const concrete = this.resolveSome(names, options);
    const { gate, catalog } = this.host;
    await gate.write(async () => {
      // What is in the log by now is indexed while the index is open; the rest when it opens again.
      await eachShard(this.host, concrete, (shard) => shard.flush());
      for (const metadata of await this.setState(concrete, false)) catalog.releaseMemory(metadata);
    });
  }

  // --- mappings and settings ------------------------------------------------------------------------

  async putMapping(
    names: readonly string[],
    type: string,
    body: JsonObject,
    options: IndicesOptions,
    ignoreConflicts: boolean,
  ): Promise<void> {
    await this.changeIndices(names, options, 'metadata_write', (metadata) => {
      const analysis = buildAnalysis(metadata.settings);
      const changed = putMapping(metadata, type, body, analysis, { ignoreConflicts });
      // What is wrong with the body is reported first.
      validateMappingTypeName(type);
      return changed;
    });
  }

  async deleteMapping(
    names: readonly string[],
    types: readonly string[],
    options: IndicesOptions,
  ): Promise<void> {
    const { cluster, gate } = this.host;
    const concrete = resolveIndices(cluster.state(), names, options);
    const doomed = new Map<string, string[]>();
    for (const name of concrete) {
      const metadata = cluster.state().indices.get(name)!;
      assertNotBlocked(metadata, 'metadata_write');
      // The documents of the types go with them.
      assertNotBlocked(metadata, 'write');
      const mapped = [...metadata.mappings.keys()];
      doomed.set(
        name,
        mapped.filter((type) => types.includes('_all') || matchesAny(types, type)),
      );
    }
    if ([...doomed.values()].every((list) => list.length === 0)) {
      throw new EngineError(
        'TypeMissingException',
        `[_all] type[[${types.join(', ')}]] missing: No index has the type.`,
      );
    }
    await gate.write(() => this.deleteDocuments(doomed));
    await this.changeIndices(concrete, options, 'metadata_write', (metadata) => {
      const mappings = new Map(metadata.mappings);
      for (const type of doomed.get(metadata.name) ?? []) mappings.delete(type);
      return { ...metadata, mappings };
    });
  }

  /** @param doomed types by index */
  private async deleteDocuments(doomed: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const { cluster, catalog, deleteByQuery } = this.host;
    for (const [name, types] of doomed) {
      const metadata = cluster.state().indices.get(name);
      const runtime = metadata === undefined ? null : catalog.runtime(metadata);
      if (metadata === undefined || runtime === null || types.length === 0) continue;
      for (const shard of runtime.shards.keys())
        await deleteByQuery.deleteMatching(
          { index: metadata, shard },
          { kind: 'types', types, boost: 1 },
        );
    }
  }

  async updateSettings(
    names: readonly string[],
    settings: JsonObject,
    options: IndicesOptions,
  ): Promise<void> {
    await this.change((state) => {
      const next = updateSettings(state, resolveIndices(state, names, options), settings);
      for (const [name, metadata] of next.indices) {
        // Analysis settings change on closed indices only: what would not open again is refused here.
        const changed = metadata !== state.indices.get(name);
        if (changed) compileMapping(metadata, buildAnalysis(metadata.settings));
      }
      return next;
    });
  }

  clusterSettings(): ClusterSettingsUpdate {
    const { persistentSettings } = this.host.cluster.state();
    return { persistent: persistentSettings, transient: this.transientSettings };
  }

  async updateClusterSettings(body: JsonObject): Promise<ClusterSettingsUpdate> {
    const update = parseClusterSettings(body);
    await this.change((state) => withPersistentSettings(state, update.persistent));
    this.transientSettings = new Map([...this.transientSettings, ...update.transient]);
    return update;
  }

  // --- templates and warmers ------------------------------------------------------------------------

  /**
   * Adds or replaces an index template.
   *
   * @param create refuse to replace one
   * @throws EngineError of {@link parseTemplate}, IndexTemplateAlreadyExistsException
   */
  async putTemplate(
    name: string,
    body: JsonObject,
    create: boolean,
    parameters: TemplateParameters,
  ): Promise<void> {
    const template = parseTemplate(name, body, parameters);
    await this.change((state) => {
      if (create && state.templates.has(name)) {
        throw new EngineError(
          'IndexTemplateAlreadyExistsException',
          `index_template [${name}] already exists`,
        );
      }
      return putTemplate(state, name, template);
    });
  }

  /** @throws EngineError IndexTemplateMissingException when none matches, unless `*` was asked for */
  async deleteTemplates(name: string): Promise<void> {
    await this.change((state) => {
      const found = matchingTemplates(state, [name]);
      if (found.length === 0 && name !== '*') {
        throw new EngineError('IndexTemplateMissingException', `index_template [${name}] missing`);
      }
      return removeTemplates(state, found);
    });
  }

  async putWarmer(
    names: readonly string[],
    options: IndicesOptions,
    warmer: string,
    types: readonly string[],
    source: JsonObject,
  ): Promise<void> {
    await this.changeIndices(names, options, 'metadata_write', (metadata) => ({
      ...metadata,
      warmers: new Map(metadata.warmers).set(warmer, warmerEntry(types, source)),
    }));
  }

  /** @throws EngineError IndexWarmerMissingException when none of the indices has one of the warmers */
  async deleteWarmers(
    names: readonly string[],
    options: IndicesOptions,
    warmers: readonly string[],
  ): Promise<void> {
    await this.change((state) => {
      const changed: IndexMetadata[] = [];
      for (const name of resolveIndices(state, names, options)) {
        const metadata = state.indices.get(name)!;
        assertNotBlocked(metadata, 'metadata_write');
        const found = matchWarmers(metadata, warmers);
        if (found.length === 0) continue;
        const left = new Map(metadata.warmers);
        for (const warmer of found) left.delete(warmer);
        changed.push({ ...metadata, warmers: left });
      }
      if (changed.length === 0) {
        throw new EngineError(
          'IndexWarmerMissingException',
          `index_warmer [[${warmers.join(', ')}]] missing`,
        );
      }
      return replaceIndices(state, changed);
    });
  }

  // --- aliases --------------------------------------------------------------------------------------

  /** Applies an array of alias actions as one step: all of it or nothing, on disk and for readers. */
  async updateAliases(actions: readonly AliasAction[]): Promise<void> {
    await this.change(
      (state) => this.withAliases(state, actions),
      (batch, before, after) => this.stageRemovals(batch, before, after),
    );
  }

  /** What {@link updateAliases} would do now. */
  previewAliases(actions: readonly AliasAction[]): AliasChanges {
    const state = this.host.cluster.state();
    return aliasChanges(state, this.withAliases(state, actions));
  }

  private withAliases(state: ClusterState, actions: readonly AliasAction[]): ClusterState {
    const remaining = applyAliasActions(state, actions, (index, _alias, filter) =>
      this.validateFilter(index, filter),
    );
    if (remaining.indices.size < state.indices.size) {
      const removed = [...state.indices.keys()].filter((name) => !remaining.indices.has(name));
      assertNoneBlocked(state, removed, 'metadata_write');
    }
    return remaining;
  }

  // --- analysis -------------------------------------------------------------------------------------

  analyze(request: AnalyzeRequest): JsonOutput {
    if (request.index === null) {
      return analyzeText(request, { registry: NODE_ANALYSIS, fieldAnalyzer: null });
    }
    const { index: metadata } = singleIndex(this.host.cluster.state(), request.index, 'read');
    const runtime = this.host.catalog.requireRuntime(metadata);
    const match =
      request.field === undefined ? null : runtime.mapping(metadata).find(request.field, []);
    const field = match?.mapped.field ?? null;
    if (field !== null && field.kind !== 'string') {
      throw illegalArgument(
        `Can't process field [${request.field}], Analysis requests are not supported on numeric fields`,
      );
    }
    const fieldAnalyzer = field === null ? null : (field.analyzer ?? KEYWORD_ANALYZER);
    return analyzeText(request, { registry: runtime.analysis(metadata), fieldAnalyzer });
  }

  // --- shared ---------------------------------------------------------------------------------------

  /** One atomic change of the cluster state. */
  private change(...step: Parameters<ClusterService['change']>): Promise<ClusterState> {
    const { gate, cluster } = this.host;
    return gate.write(() => cluster.change(...step));
  }

  private newIndex(state: ClusterState, name: string, body: JsonObject): IndexMetadata {
    const { settings } = this.host;
    const uuid = randomBytes(16).toString('base64url');
    const sections = readSections(body);
    const plan = planIndex(
      state,
      name,
      applyTemplates(state, this.host.configured(), name, sections),
      settings.indexDefaults,
      this.host.now(),
      uuid,
    );
    let metadata = newIndex(state, plan);
    const analysis = buildIndexAnalysis(metadata);
    // `_default_` first: it is merged under every other type of the same request.
    const types = [...plan.mappings].sort(
      ([a], [b]) => Number(b === '_default_') - Number(a === '_default_'),
    );
    for (const [type, mapping] of types) {
      metadata = inMapping(type, () => {
        if (type !== '_default_') validateTypeName(type);
        // An empty mapping is no mapping at all to a put; here it declares the type.
        const body = mapping.size === 0 ? new Map([[type, new Map()]]) : mapping;
        return putMapping(metadata, type, body, analysis, { ignoreConflicts: false });
      });
    }
    for (const alias of plan.aliases.values()) {
      checkFilter(metadata, alias, (index, _alias, filter) => this.validateFilter(index, filter));
    }
    return metadata;
  }

  /** Parses an alias filter against the mapping it will be used with; unmapped fields are errors. */
  private validateFilter(index: IndexMetadata, filter: JsonObject): void {
    const runtime = this.host.catalog.runtime(index);
    const mapping =
      runtime === null
        ? compileMapping(index, buildAnalysis(index.settings))
        : runtime.mapping(index);
    parseFilter(filter, {
      indexName: index.name,
      mapping,
      types: [],
      now: this.host.now(),
      strictFields: true,
      defaultField: '_all',
      nestedPath: null,
      getSource: this.host.getSource,
      maxClauseCount: this.host.maxClauseCount,
      scripts: this.host.scripts(),
    });
  }

  private async changeIndices(
    names: readonly string[],
    options: IndicesOptions,
    level: BlockLevel,
    change: (metadata: IndexMetadata) => IndexMetadata,
  ): Promise<void> {
    await this.change((state) =>
      replaceIndices(
        state,
        resolveIndices(state, names, options).map((name) => {
          const metadata = state.indices.get(name)!;
          assertNotBlocked(metadata, level);
          return change(metadata);
        }),
      ),
    );
  }

  /** @returns the metadata of the indices afterwards. */
  private async setState(
    names: readonly string[],
    open: boolean,
  ): Promise<readonly IndexMetadata[]> {
    const { indices } = await this.change((state) =>
      names.reduce((next, name) => setIndexState(next, name, open), state),
    );
    return names.flatMap((name) => indices.get(name) ?? []);
  }

  private checkDestructive(names: readonly string[]): void {
    if (!this.host.settings.destructiveRequiresName) return;
    const explicit = names.every((name) => name !== '_all' && !name.includes('*'));
    if (names.length === 0 || !explicit) {
      throw illegalArgument('Wildcard expressions or all indices are not allowed');
    }
  }
}

/** Runs a step of creating an index that concerns one type; what it throws is wrapped with the type's name. */
function inMapping<T>(type: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError('MapperParsingException', `mapping [${type}]`, { cause: error });
  }
}

function buildIndexAnalysis(metadata: IndexMetadata) {
  try {
    return buildAnalysis(metadata.settings);
  } catch (error) {
    throw error instanceof EngineError ? indexCreationFailed(metadata.name, error) : error;
  }
}
