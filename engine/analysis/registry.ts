// The analysis components of one index: those its settings define, and the built-in ones.

import type { Analyzer } from './chain/analyzer';
import {
  ANALYZER_TYPES,
  builtinAnalyzer,
  builtinCharFilter,
  builtinTokenFilter,
  builtinTokenizer,
  CHAR_FILTER_TYPES,
  STANDARD_ANALYZER,
  TOKEN_FILTER_TYPES,
  TOKENIZER_TYPES,
  type ComponentFactory,
  finished,
} from './builtin';
import { ChainAnalyzer } from './chain/chain-analyzer';
import type { ComponentContext } from './chain/component-context';
import {
  classNotFound,
  type ComponentSettings,
  settingGroups,
  type FlatSettings,
} from './chain/component-settings';
import type { CharFilter, TokenFilter, Tokenizer } from './chain/components';
import { safeLength } from './safe-length';
import { atOnce } from '../common/index';
import type { Fault } from './chain/fault';
import { EngineError, illegalArgument } from '../errors';

/** What names stand for in one index. Immutable. */
export interface AnalysisRegistry {
  /** The analyzer that a mapping or query names, or null. */
  analyzer(name: string): Analyzer | null;
  /** For fields that name no analyzer: `default_index`, else `default`, else standard. */
  readonly defaultIndex: Analyzer;
  /** For query text on such fields: `default_search`, else `default`, else standard. */
  readonly defaultSearch: Analyzer;
  /** Texts of up to so many UTF-16 units become no more than `bytes` of tokens; -1: none do. */
  safeLength(bytes: number): number;
  tokenizer(name: string): Tokenizer | null;
  tokenFilter(name: string): TokenFilter | null;
  charFilter(name: string): CharFilter | null;
}

/** Names of settings that define components begin so. */
export const ANALYSIS_PREFIX = 'index.analysis.';

/** Where the reference has its components. */
const PACKAGE = 'org.elasticsearch.index.analysis';

/** What was built of settings, and whether nothing in them would be refused in a new index. */
interface Built {
  /** As long as an index has it: settings live on in older states of the cluster, and lists are large. */
  readonly registry: WeakRef<AnalysisRegistry>;
  readonly isChecked: boolean;
}

const built = new WeakMap<FlatSettings, Built>();

interface BuildOptions {
  readonly isNew?: boolean;
  readonly before?: FlatSettings | undefined;
}

/** {@link buildInSteps}, all steps at once. */
export function buildAnalysis(settings: FlatSettings, options?: BuildOptions): AnalysisRegistry {
  return atOnce(buildInSteps(settings, options));
}

/**
 * The components that flat index settings define below `index.analysis.`. Lists of words may be long:
 * settings that were built are not built again, nor are others with the same components.
 *
 * @param options.before settings whose components may be the same
 * @throws EngineError what the reference reports inside `IndexCreationException`: unknown types, missing
 *         parts, option values that cannot be read. With `isNew` also ElasticsearchIllegalArgumentException
 *         for settings that the component cannot work with, which older indices may have.
 */
export function* buildInSteps(
  settings: FlatSettings,
  { isNew = false, before }: BuildOptions = {},
): Generator<void, AnalysisRegistry> {
  let known = built.get(settings);
  if (known === undefined && before !== undefined && hasSameAnalysis(before, settings)) {
    known = built.get(before);
    if (known !== undefined) built.set(settings, known);
  }
  if (known !== undefined && (known.isChecked || !isNew)) {
    const kept = known.registry.deref();
    if (kept !== undefined) return kept;
  }
  const registry = yield* build(settings, isNew);
  built.set(settings, { registry: new WeakRef(registry), isChecked: isNew });
  return registry;
}

/**
 * Whether all components are set as they were; an older index keeps those that would be refused in a new one.
 */
export function hasSameAnalysis(before: FlatSettings, after: FlatSettings): boolean {
  if (before === after) return true;
  let count = 0;
  for (const [key, value] of after) {
    if (!key.startsWith(ANALYSIS_PREFIX)) continue;
    count++;
    const old = before.get(key);
    if (old !== value && !(isList(old) && isList(value) && hasSameItems(old, value))) return false;
  }
  for (const key of before.keys()) if (key.startsWith(ANALYSIS_PREFIX)) count--;
  return count === 0;
}

const isList = (value: string | readonly string[] | undefined): value is readonly string[] =>
  typeof value === 'object';

function hasSameItems(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}

function* build(settings: FlatSettings, isNew: boolean): Generator<void, AnalysisRegistry> {
  // In the reference's order, so that of several mistakes the same one is reported; a token filter that
  // asks for a tokenizer has them made earlier.
  let tokenizers: ReadonlyMap<string, Tokenizer> | null = null;
  const tokenizer = (name: string): Tokenizer | null => {
    tokenizers ??= atOnce(group('tokenizer', TOKENIZER_TYPES, TOKENIZER_TEXTS));
    return tokenizers.get(name) ?? builtinTokenizer(name);
  };
  const context: ComponentContext = { tokenizer };
  function* group<Component extends Faulty>(
    kind: string,
    types: ReadonlyMap<string, ComponentFactory<Component>>,
    texts: GroupTexts,
  ): Generator<void, ReadonlyMap<string, Component>> {
    const made = yield* buildGroup(settings, kind, types, texts, context);
    if (isNew) refuseFaults(kind, made);
    return made;
  }
  const charFilters = yield* group('char_filter', CHAR_FILTER_TYPES, CHAR_FILTER_TEXTS);
  const tokenFilters = yield* group('filter', TOKEN_FILTER_TYPES, TOKEN_FILTER_TEXTS);
  tokenizers ??= yield* group('tokenizer', TOKENIZER_TYPES, TOKENIZER_TEXTS);
  const tokenFilter = (name: string): TokenFilter | null =>
    tokenFilters.get(name) ?? builtinTokenFilter(name);
  const charFilter = (name: string): CharFilter | null =>
    charFilters.get(name) ?? builtinCharFilter(name);
  const analyzers = yield* buildAnalyzers(settings, { tokenizer, tokenFilter, charFilter });
  if (isNew) refuseFaults('analyzer', analyzers);
  const defaultAnalyzer = analyzers.get('default') ?? STANDARD_ANALYZER;
  return {
    analyzer: (name) => analyzers.get(name) ?? builtinAnalyzer(name),
    defaultIndex: analyzers.get('default_index') ?? defaultAnalyzer,
    defaultSearch: analyzers.get('default_search') ?? defaultAnalyzer,
    safeLength: (bytes) => safeLength(analyzers.values(), bytes),
    tokenizer,
    tokenFilter,
    charFilter,
  };
}

interface GroupTexts {
  readonly missing: string;
  readonly unknown: string;
  readonly suffix: string;
}

const CHAR_FILTER_TEXTS: GroupTexts = {
  missing: 'Char Filter',
  unknown: 'char filter',
  suffix: 'CharFilterFactory',
};
const TOKEN_FILTER_TEXTS: GroupTexts = {
  missing: 'token filter',
  unknown: 'token filter',
  suffix: 'TokenFilterFactory',
};
const TOKENIZER_TEXTS: GroupTexts = {
  missing: 'token filter',
  unknown: 'tokenizer',
  suffix: 'TokenizerFactory',
};

interface Faulty {
  readonly fault?: Fault | null | undefined;
}

/** The reference fails when such a component meets a text, which would be too late. */
function refuseFaults(kind: string, components: ReadonlyMap<string, Faulty>): void {
  for (const [name, { fault }] of components) {
    if (fault === undefined || fault === null) continue;
    const { setting, error } = fault;
    throw illegalArgument(`[${setting}] of ${kind} [${name}] does not work`, error);
  }
}

function* buildGroup<Component extends object>(
  settings: FlatSettings,
  group: string,
  types: ReadonlyMap<string, ComponentFactory<Component>>,
  texts: GroupTexts,
  context: ComponentContext,
): Generator<void, ReadonlyMap<string, Component>> {
  const components = new Map<string, Component>();
  for (const [name, own] of settingGroups(settings, `${ANALYSIS_PREFIX}${group}.`)) {
    const type = own.text('type');
    if (type === undefined) {
      throw illegalArgument(`${texts.missing} [${name}] must have a type associated with it`);
    }
    const create = types.get(type);
    if (create === undefined) {
      const message = `failed to find ${texts.unknown} type [${type}] for [${name}]`;
      throw illegalArgument(message, classNotFound(type, PACKAGE, texts.suffix));
    }
    yield;
    components.set(name, yield* finished(create(name, own, context)));
  }
  return components;
}

type Components = Pick<AnalysisRegistry, 'tokenizer' | 'tokenFilter' | 'charFilter'>;

function* buildAnalyzers(
  settings: FlatSettings,
  components: Components,
): Generator<void, ReadonlyMap<string, Analyzer>> {
  const analyzers = new Map<string, Analyzer>();
  const aliases = new Map<string, Analyzer>();
  for (const [name, own] of settingGroups(settings, `${ANALYSIS_PREFIX}analyzer.`)) {
    checkAnalyzerName(name);
    yield;
    const analyzer = yield* buildAnalyzer(name, own, components);
    analyzers.set(name, analyzer);
    for (const alias of own.list('alias') ?? []) {
      checkAnalyzerName(alias);
      aliases.set(alias, analyzer);
    }
  }
  for (const [alias, analyzer] of aliases) {
    // An alias does not take the place of an analyzer, nor of the default one.
    if (!analyzers.has(alias) && alias !== 'default') analyzers.set(alias, analyzer);
  }
  return analyzers;
}

function* buildAnalyzer(
  name: string,
  settings: ComponentSettings,
  components: Components,
): Generator<void, Analyzer> {
  const type =
    settings.text('type') ?? (settings.text('tokenizer') === undefined ? null : 'custom');
  if (type === 'custom') return buildCustomAnalyzer(name, settings, components);
  const create = type === null ? undefined : ANALYZER_TYPES.get(type);
  if (create === undefined) {
    const message = `failed to find analyzer type [${type}] or tokenizer for [${name}]`;
    throw illegalArgument(
      message,
      type === null ? undefined : classNotFound(type, PACKAGE, 'AnalyzerProvider'),
    );
  }
  return yield* finished(create(name, settings, components));
}

function buildCustomAnalyzer(
  name: string,
  settings: ComponentSettings,
  components: Components,
): Analyzer {
  const tokenizerName = settings.text('tokenizer');
  if (tokenizerName === undefined) {
    throw customAnalyzerError(`[${name}] must be configured with a tokenizer`);
  }
  const find = <Component>(
    kind: string,
    wanted: string,
    lookUp: (name: string) => Component | null,
  ): Component => {
    const component = lookUp(wanted);
    if (component === null) {
      throw customAnalyzerError(`[${name}] failed to find ${kind} under name [${wanted}]`);
    }
    return component;
  };
  const { tokenizer, tokenFilter, charFilter } = components;
  return new ChainAnalyzer(name, {
    tokenizer: find('tokenizer', tokenizerName, tokenizer),
    charFilters: (settings.list('char_filter') ?? []).map((wanted) =>
      find('char_filter', wanted, charFilter),
    ),
    tokenFilters: (settings.list('filter') ?? []).map((wanted) =>
      find('filter', wanted, tokenFilter),
    ),
    positionGap: settings.integer('position_offset_gap', 0),
  });
}

function customAnalyzerError(text: string): EngineError {
  return new EngineError('IllegalArgumentException', `Custom Analyzer ${text}`);
}

function checkAnalyzerName(name: string): void {
  if (name.startsWith('_')) {
    throw new EngineError(
      'IllegalArgumentException',
      `analyzer name must not start with '_'. got "${name}"`,
    );
  }
}
