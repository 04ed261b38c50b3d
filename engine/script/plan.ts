// What a script of a request becomes: plain data that can be sent to the thread that runs it.

import { EngineError, illegalArgument } from '../errors';
import { type JsonObject, type JsonValue, writeJson, type SourceFilter } from '../json/index';
import type { IndexMapping } from '../mapping/index';
import type { ScriptTree } from './ast';
import type { ScriptField } from './doc-fields';
import { checkExpression, invalidExpression } from './expression-language';
import type { RequestSteps } from './limits';
import { parseStatements } from './parser';
import { parseTemplate } from './template/parse-template';
import { fieldNames } from './tree-walk';
import type { ScriptLanguage } from '../metadata/index';

const LANGUAGES: ReadonlyMap<string, ScriptLanguage> = new Map([
  ['groovy', 'groovy'],
  ['mvel', 'mvel'],
  ['expression', 'expression'],
  ['mustache', 'mustache'],
]);

/** The language of scripts that name none (reference server). */
export const DEFAULT_LANGUAGE = 'groovy';

/** A script as a request gives it. */
export interface ScriptSource {
  readonly source: string;
  /** Null: the default. */
  readonly lang: string | null;
  readonly params: JsonObject | null;
  /** What the scripts of the request have left together. */
  readonly steps: RequestSteps;
}

/** A script with what it needs of the index it is for. Plain data. */
export interface ScriptPlan {
  readonly lang: ScriptLanguage;
  readonly source: string;
  /** Parameters as the text of a JSON object. */
  readonly params: string;
  /** Fields that the script may ask for, by the names it uses. */
  readonly fields: readonly ScriptField[];
  /** Where the mapping hides parts of `_source`, by type. */
  readonly mappedSource: ReadonlyMap<string, SourceFilter>;
  /** Of the request that the plan is for; a plan is not kept beyond it. */
  readonly steps: RequestSteps;
}

/** The index that a script's field names are resolved against. */
interface ScriptIndex {
  readonly indexName: string;
  readonly mapping: IndexMapping;
  /** Types of the URL, or empty. */
  readonly types: readonly string[];
}

/** Trees kept, most recently used last. */
const TREES_KEPT = 512;
const trees = new Map<string, ScriptTree>();

/**
 * Checks a script and prepares it for running on one index.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for an unknown language,
 *         GroovyScriptCompilationException or ExpressionScriptCompilationException (all 400)
 */
export function planScript(script: ScriptSource, index: ScriptIndex): ScriptPlan {
  const lang = languageOf(script.lang);
  const tree = parseAs(lang, script.source);
  const params = script.params ?? new Map<string, JsonValue>();
  const { names, hasOthers } = fieldNames(tree, textsOf(params));
  const fields = new Map<string, ScriptField>();
  for (const name of names) {
    const field = resolve(name, index);
    if (field !== null) fields.set(name, field);
  }
  if (hasOthers) addAllFields(fields, index);
  const plan = {
    lang,
    source: script.source,
    params: writeJson(params),
    fields: [...fields.values()],
    mappedSource: hiddenSources(index.mapping),
    steps: script.steps,
  };
  if (lang === 'expression') checkExpression(tree, plan.fields, params);
  return plan;
}

/** @throws EngineError ElasticsearchIllegalArgumentException */
export function languageOf(name: string | null): ScriptLanguage {
  const lang = LANGUAGES.get(name ?? DEFAULT_LANGUAGE);
  if (lang === undefined) throw illegalArgument(`script_lang not supported [${name ?? ''}]`);
  return lang;
}

/**
 * The tree of a source, from the cache if it was parsed before.
 *
 * @throws EngineError GroovyScriptCompilationException
 */
export function parseScript(source: string): ScriptTree {
  const known = trees.get(source);
  if (known !== undefined) {
    trees.delete(source);
    trees.set(source, known);
    return known;
  }
  const tree = parseStatements(source);
  if (trees.size >= TREES_KEPT) {
    const [oldest] = trees.keys();
    if (oldest !== undefined) trees.delete(oldest);
  }
  trees.set(source, tree);
  return tree;
}

/**
 * Checks that a source can be read; what it asks for of an index is not looked at.
 *
 * @throws EngineError GroovyScriptCompilationException or ExpressionScriptCompilationException (400),
 *         MustacheException (500)
 */
export function checkSource(lang: ScriptLanguage, source: string): void {
  if (lang === 'mustache') parseTemplate(source);
  else parseAs(lang, source);
}

function parseAs(lang: ScriptLanguage, source: string): ScriptTree {
  if (lang === 'mustache') throw templatesOnly();
  if (lang !== 'expression') return parseScript(source);
  try {
    return parseScript(source);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw invalidExpression(source, 'invalid sequence of tokens');
  }
}

/** 500: what is written in mustache makes searches, and computes nothing. */
export function templatesOnly(): EngineError {
  return new EngineError('UnsupportedOperationException', '');
}

function hiddenSources(mapping: IndexMapping): ReadonlyMap<string, SourceFilter> {
  const hidden = new Map<string, SourceFilter>();
  for (const type of mapping.types) {
    const filter = mapping.sourceFilter(type);
    if (filter !== true) hidden.set(type, filter);
  }
  return hidden;
}

function textsOf(params: JsonObject): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of params) if (typeof value === 'string') texts.set(name, value);
  return texts;
}

const NO_FIELD = { field: 0, kind: null, path: '', type: 'string', stored: false } as const;

function resolve(name: string, { mapping, types, indexName }: ScriptIndex): ScriptField | null {
  if (name === '_index') return { ...NO_FIELD, name, constant: indexName };
  const mapped = mapping.find(name, types)?.mapped;
  if (mapped === undefined || mapped.type === 'object' || mapped.type === 'nested') return null;
  const { field } = mapped;
  return {
    name,
    field: field?.id ?? 0,
    kind: field?.kind ?? null,
    path: mapped.path,
    type: mapped.type,
    stored: mapped.store || mapped.type === 'meta',
    constant: null,
  };
}

/** Scripts that work out names may ask for any field. */
function addAllFields(fields: Map<string, ScriptField>, index: ScriptIndex): void {
  for (const mapped of index.mapping.match('*', index.types)) {
    for (const name of [mapped.path, mapped.indexName]) {
      if (fields.has(name)) continue;
      const field = resolve(name, index);
      if (field !== null) fields.set(name, field);
    }
  }
}
