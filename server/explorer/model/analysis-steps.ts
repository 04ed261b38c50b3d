// What an analyzer is made of, as steps that `_analyze` can run one after the other.

import { isObject, own, ownObject, type JsonObject } from './own';

/** A step of analysis, with what it asks `_analyze` for: everything up to here. */
export interface AnalysisStep {
  readonly name: string;
  readonly kind: 'analyzer' | 'character filter' | 'tokenizer' | 'token filter';
  /** Parameters of `_analyze` besides the text. */
  readonly params: Readonly<Record<string, string>>;
}

interface Chain {
  readonly charFilters: readonly string[];
  readonly tokenizer: string;
  readonly filters: readonly string[];
}

/** Analyzers that are always there, where a few components make them. */
const BUILT_IN: ReadonlyMap<string, Chain | null> = new Map<string, Chain | null>([
  ['standard', { charFilters: [], tokenizer: 'standard', filters: ['lowercase'] }],
  ['simple', { charFilters: [], tokenizer: 'lowercase', filters: [] }],
  ['whitespace', { charFilters: [], tokenizer: 'whitespace', filters: [] }],
  ['keyword', { charFilters: [], tokenizer: 'keyword', filters: [] }],
  ['stop', { charFilters: [], tokenizer: 'lowercase', filters: ['stop'] }],
  ['english', null],
  ['french', null],
  ['german', null],
  ['snowball', null],
]);

/** Names of analyzers that a text can be given to: those of the index, then those that are always there. */
export function analyzersOf(settings: JsonObject): string[] {
  const own = Object.keys(analysisOf(settings, 'analyzer'));
  return [...new Set([...own.sort(), ...BUILT_IN.keys()])];
}

/** The part of the settings of an index about one sort of components, nested or with dotted names. */
function analysisOf(settings: JsonObject, sort: string): JsonObject {
  const index = ownObject(settings, 'index');
  const found = ownObject(ownObject(index, 'analysis'), sort);
  if (Object.keys(found).length > 0) return found;
  return ownObject(ownObject(settings, 'analysis'), sort);
}

/** The steps of an analyzer, the last one being all of it. @param settings of the index */
export function stepsOf(analyzer: string, settings: JsonObject): AnalysisStep[] {
  const all: AnalysisStep = { name: analyzer, kind: 'analyzer', params: { analyzer } };
  const chain = chainOf(analyzer, settings);
  if (chain === null) return [all];
  const { charFilters, tokenizer, filters } = chain;
  const steps: AnalysisStep[] = [];
  charFilters.forEach((name, i) => {
    const params = { tokenizer: 'keyword', char_filters: charFilters.slice(0, i + 1).join(',') };
    steps.push({ name, kind: 'character filter', params });
  });
  const before: Readonly<Record<string, string>> =
    charFilters.length === 0 ? { tokenizer } : { tokenizer, char_filters: charFilters.join(',') };
  steps.push({ name: tokenizer, kind: 'tokenizer', params: before });
  filters.forEach((name, i) => {
    const params = { ...before, filters: filters.slice(0, i + 1).join(',') };
    steps.push({ name, kind: 'token filter', params });
  });
  return [...steps, all];
}

function chainOf(analyzer: string, settings: JsonObject): Chain | null {
  const definition = own(analysisOf(settings, 'analyzer'), analyzer);
  if (!isObject(definition)) return BUILT_IN.get(analyzer) ?? null;
  const { type, tokenizer } = definition;
  if ((type ?? 'custom') !== 'custom' || typeof tokenizer !== 'string') return null;
  return {
    tokenizer,
    charFilters: names(definition, 'char_filter'),
    filters: names(definition, 'filter'),
  };
}

/** A list in settings is a list, one name, or members `filter.0`, `filter.1`. */
function names(definition: JsonObject, member: string): string[] {
  const value = own(definition, member);
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'string') return value.split(',').map((name) => name.trim());
  const numbered: string[] = [];
  for (let i = 0; ; i++) {
    const one = own(definition, `${member}.${i}`);
    if (typeof one !== 'string') return numbered;
    numbered.push(one);
  }
}
