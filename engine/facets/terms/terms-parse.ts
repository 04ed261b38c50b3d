// From the body of a terms facet to its spec for one index (reference server).

import { parseTermPattern } from '../../counting/index';
import { appendAll } from '../../common/index';
import { EngineError, illegalArgument } from '../../errors';
import {
  type JsonObject,
  type JsonValue,
  isScalar,
  lenientBoolean,
  lenientInteger,
} from '../../json/index';
import { type ScriptName, planScript } from '../../script/index';
import type { FacetParseContext } from '../contract/facet';
import { MemberTable } from '../contract/members';
import { excludedTerms, isUnreadable, sourceOf, typeOfSource } from './terms-source';
import type { Hierarchy, TermSearch, TermsOrder, TermSource, TermsSpec } from './terms-spec';

const DEFAULT_SIZE = 10;

const ORDERS: ReadonlyMap<string, TermsOrder> = new Map([
  ['count', 'count'],
  ['term', 'term'],
  ['reverse_count', 'reverse_count'],
  ['reverseCount', 'reverse_count'],
  ['reverse_term', 'reverse_term'],
  ['reverseTerm', 'reverse_term'],
]);

/** The members as given, before anything is looked up. */
interface Members {
  field: string | null;
  fields: string[] | null;
  from: number;
  size: number;
  order: TermsOrder;
  allTerms: boolean;
  exclude: string[];
  regex: string | null;
  regexFlags: string | null;
  prefix: string | null;
  contains: string | null;
  ignoreCase: boolean;
  ignoreAccents: boolean;
  minCount: number;
  missing: boolean;
  cardinality: boolean;
  hierarchy: Hierarchy | null;
  script: ScriptName | null;
  lang: string | null;
  params: JsonObject | null;
}

const MEMBERS = new MemberTable<Members>(
  [
    [['field'], (members, value) => (members.field = String(value))],
    [['size'], (members, value) => (members.size = lenientInteger(value, DEFAULT_SIZE))],
    // Only checked: counts are exact without it.
    [['shard_size'], (_members, value) => lenientInteger(value, 0)],
    [['from'], (members, value) => (members.from = lenientInteger(value, 0))],
    [['order', 'comparator'], (members, value) => (members.order = parseOrder(String(value)))],
    [['all_terms'], (members, value) => (members.allTerms = lenientBoolean(value, false))],
    [['regex'], (members, value) => (members.regex = String(value))],
    [['regex_flags'], (members, value) => (members.regexFlags = String(value))],
    [['prefix'], (members, value) => (members.prefix = String(value))],
    [['contains'], (members, value) => (members.contains = String(value))],
    [['ignore_case'], (members, value) => (members.ignoreCase = lenientBoolean(value, false))],
    [
      ['ignore_accents'],
      (members, value) => (members.ignoreAccents = lenientBoolean(value, false)),
    ],
    [['min_count'], (members, value) => (members.minCount = lenientInteger(value, 0))],
    [['missing'], (members, value) => (members.missing = lenientBoolean(value, false))],
    [['cardinality'], (members, value) => (members.cardinality = lenientBoolean(value, false))],
    [['execution_hint'], () => {}],
    [['lang', 'script_lang'], (members, value) => (members.lang = String(value))],
  ],
  [['script', (members, script) => (members.script = script)]],
);

/** @throws EngineError with the reference server's exception names and messages */
export function parseTerms(name: string, body: JsonObject, context: FacetParseContext): TermsSpec {
  const members = parseMembers(name, body);
  const { meter } = context;
  meter.add('terms', members.exclude.length);
  meter.add('fields', members.fields?.length ?? 1);
  if (members.script !== null) meter.add('scripts', 1);
  if (members.regex !== null) meter.checkPattern('regex', members.regex);
  const pattern =
    members.regex === null ? null : parseTermPattern(members.regex, members.regexFlags);
  const names = members.fields ?? (members.field === null ? null : [members.field]);
  const { script: scriptNamed, lang, params } = members;
  const script =
    scriptNamed === null
      ? null
      : {
          plan: planScript(context.scripts().resolve({ name: scriptNamed, lang, params }), context),
          now: context.now(),
        };
  if (names === null && script === null) {
    throw parseError(`terms facet [${name}] must have a field, fields or script parameter`);
  }
  if (members.size < 0) throw failure(name, '[size] must not be negative');
  if (members.from < 0) throw failure(name, '[from] must not be negative');
  const merged = names !== null && names.length > 1;
  const sources = (names ?? []).flatMap((field) => sourceOf(field, context) ?? []);
  const isText = names === null || (merged && sources.length > 0);
  const termType = isText ? 'string' : typeOfSource(sources[0]);
  const search = termSearch(members);
  const { hierarchy } = members;
  if (
    script !== null &&
    sources.some((source) => source.kind === 'field' && source.fieldKind === 'geo')
  )
    throw failure(name, 'a [script] cannot work on points');
  if (search !== null && termType !== 'string' && termType !== null)
    throw failure(name, '[prefix] and [contains] need a field of text');
  if (hierarchy !== null && (merged || script !== null || !isTextField(sources[0])))
    throw failure(name, '[hierarchy] needs a single field of text');
  return {
    name,
    sources,
    merged,
    termType,
    from: members.from,
    size: members.size,
    order: members.order,
    allTerms: members.allTerms,
    exclude: excludedTerms(members.exclude, termType),
    pattern: termType === 'string' ? pattern : null,
    search,
    minCount: members.minCount,
    showMissing: members.missing,
    cardinality: members.cardinality,
    hierarchy,
    unreadable: (names ?? []).find((field) => isUnreadable(field, context)) ?? null,
    // compat: of fields that are not mapped nothing is asked, so that no script runs.
    script: names !== null && sources.length === 0 ? null : script,
  };
}

function termSearch({ prefix, contains, ignoreCase, ignoreAccents }: Members): TermSearch | null {
  return prefix === null && contains === null
    ? null
    : { prefix, contains, ignoreCase, ignoreAccents };
}

/** What is not mapped or not indexed has no terms, so it may be anything. */
function isTextField(source: TermSource | undefined): boolean {
  return source?.kind !== 'field' || source.fieldKind === 'string';
}

function parseMembers(facet: string, body: JsonObject): Members {
  const members: Members = {
    field: null,
    fields: null,
    from: 0,
    size: DEFAULT_SIZE,
    order: 'count',
    allTerms: false,
    exclude: [],
    regex: null,
    regexFlags: null,
    prefix: null,
    contains: null,
    ignoreCase: false,
    ignoreAccents: false,
    minCount: 0,
    missing: false,
    cardinality: false,
    hierarchy: null,
    script: null,
    lang: null,
    params: null,
  };
  for (const [name, value] of body) {
    if (value === null) continue;
    const known = Array.isArray(value)
      ? setList(members, name, value)
      : value instanceof Map
        ? setObject(members, facet, name, value)
        : MEMBERS.read(members, name, value);
    if (!known)
      throw parseError(`unknown parameter [${name}] while parsing terms facet [${facet}]`);
  }
  return members;
}

function setList(members: Members, name: string, value: readonly JsonValue[]): boolean {
  if (name === 'exclude') appendAll(members.exclude, scalarTexts(value));
  else if (name === 'fields') members.fields = scalarTexts(value);
  else return false;
  return true;
}

function setObject(members: Members, facet: string, name: string, value: JsonObject): boolean {
  if (name === 'hierarchy') members.hierarchy = parseHierarchy(facet, value);
  else if (name === 'params') members.params = value;
  else return false;
  return true;
}

function parseHierarchy(facet: string, body: JsonObject): Hierarchy {
  let separator = '/';
  let parent: string | null = null;
  let depth = 1;
  for (const [name, value] of body) {
    if (value === null) continue;
    if (!isScalar(value)) throw failure(facet, `[hierarchy] cannot read [${name}]`);
    if (name === 'separator') separator = String(value);
    else if (name === 'parent') parent = String(value);
    else if (name === 'depth') depth = lenientInteger(value, depth);
    else throw failure(facet, `[hierarchy] has no parameter [${name}]`);
  }
  if (separator === '') throw failure(facet, '[hierarchy] needs a [separator]');
  if (depth < 1) throw failure(facet, '[hierarchy] needs a [depth] of at least 1');
  while (parent?.endsWith(separator) === true) parent = parent.slice(0, -separator.length);
  return { separator, parent: parent === '' ? null : parent, depth };
}

function parseOrder(text: string): TermsOrder {
  const order = ORDERS.get(text);
  if (order === undefined) {
    throw illegalArgument(`No type argument match for terms facet comparator [${text}]`);
  }
  return order;
}

/** The scalars of a list as text; inner lists are flattened. */
function scalarTexts(list: readonly JsonValue[]): string[] {
  const texts: string[] = [];
  for (const value of list.flat(16)) {
    if (!isScalar(value)) throw parseError('unexpected object in a list of a terms facet');
    texts.push(String(value));
  }
  return texts;
}

function failure(facet: string, message: string): EngineError {
  return new EngineError('FacetPhaseExecutionException', `Facet [${facet}]: ${message}`);
}

function parseError(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}
