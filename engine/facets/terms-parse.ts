// From the body of a terms facet to its spec for one index (reference server).

import { EngineError, illegalArgument } from '../errors';
import type { JsonNumber, JsonObject, JsonValue } from '../json/json';
import type { FacetParseContext } from './facet';
import { isScalar, lenientBoolean, lenientInteger } from '../search/lenient';
import { parseTermPattern } from './term-pattern';
import {
  termTypeOf,
  type TermsOrder,
  type TermSource,
  type TermsSpec,
  type TermType,
} from './terms-spec';

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
  size: number;
  order: TermsOrder;
  allTerms: boolean;
  exclude: string[];
  regex: string | null;
  regexFlags: string | null;
}

/** @throws EngineError with the reference server's exception names and messages */
export function parseTerms(name: string, body: JsonObject, context: FacetParseContext): TermsSpec {
  const members = parseMembers(name, body);
  const pattern =
    members.regex === null ? null : parseTermPattern(members.regex, members.regexFlags);
  const names = members.fields ?? (members.field === null ? null : [members.field]);
  if (names === null) {
    throw parseError(`terms facet [${name}] must have a field, fields or script parameter`);
  }
  if (members.size < 0) {
    throw new EngineError(
      'FacetPhaseExecutionException',
      `Facet [${name}]: [size] must not be negative`,
    );
  }
  const merged = names.length > 1;
  const sources = names.flatMap((field) => sourceOf(field, context) ?? []);
  const termType = merged && sources.length > 0 ? 'string' : typeOfSource(sources[0]);
  return {
    sources,
    merged,
    termType,
    size: members.size,
    order: members.order,
    allTerms: members.allTerms,
    exclude: excludedTerms(members.exclude, termType),
    pattern: termType === 'string' ? pattern : null,
  };
}

function parseMembers(facet: string, body: JsonObject): Members {
  const members: Members = {
    field: null,
    fields: null,
    size: DEFAULT_SIZE,
    order: 'count',
    allTerms: false,
    exclude: [],
    regex: null,
    regexFlags: null,
  };
  for (const [name, value] of body) {
    if (value === null) continue;
    const known = Array.isArray(value)
      ? setList(members, name, value)
      : value instanceof Map
        ? name === 'params'
        : setScalar(members, name, value);
    if (!known)
      throw parseError(`unknown parameter [${name}] while parsing terms facet [${facet}]`);
  }
  return members;
}

function setList(members: Members, name: string, value: readonly JsonValue[]): boolean {
  if (name === 'exclude') members.exclude = [...members.exclude, ...scalarTexts(value)];
  else if (name === 'fields') members.fields = scalarTexts(value);
  else return false;
  return true;
}

function setScalar(members: Members, name: string, value: string | boolean | JsonNumber): boolean {
  switch (name) {
    case 'field':
      members.field = String(value);
      return true;
    case 'size':
      members.size = lenientInteger(value, DEFAULT_SIZE);
      return true;
    case 'shard_size':
    case 'shardSize':
      // Only checked: counts are exact without it.
      lenientInteger(value, 0);
      return true;
    case 'all_terms':
    case 'allTerms':
      members.allTerms = lenientBoolean(value, false);
      return true;
    case 'regex':
      members.regex = String(value);
      return true;
    case 'regex_flags':
    case 'regexFlags':
      members.regexFlags = String(value);
      return true;
    case 'order':
    case 'comparator':
      members.order = parseOrder(String(value));
      return true;
    case 'execution_hint':
    case 'executionHint':
    case 'lang':
    case 'script_lang':
      return true;
    case 'script':
    case 'script_field':
    case 'scriptField':
    case 'script_id':
    case 'id':
    case 'script_file':
    case 'file':
      throw illegalArgument('scripts are not supported in facets');
    default:
      return false;
  }
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

/** Null: unmapped, which objects are, too. */
function sourceOf(name: string, context: FacetParseContext): TermSource | null {
  if (name === '_index') return { kind: 'constant', term: context.indexName };
  const mapped = context.mapping.find(name, context.types)?.mapped;
  if (mapped === undefined || mapped.type === 'object' || mapped.type === 'nested') return null;
  if (mapped.path === '_source') {
    throw illegalArgument('found no fielddata type for field [_source]');
  }
  if (mapped.type === 'binary') {
    throw new EngineError(
      'ElasticsearchIllegalStateException',
      `Field data loading is forbidden on ${name}`,
    );
  }
  const { field } = mapped;
  return field === null
    ? { kind: 'nothing' }
    : { kind: 'field', field: field.id, fieldKind: field.kind };
}

function typeOfSource(source: TermSource | undefined): TermType | null {
  switch (source?.kind) {
    case 'field':
      return termTypeOf(source.fieldKind);
    case 'constant':
      return 'string';
    default:
      return null;
  }
}

function excludedTerms(
  texts: readonly string[],
  type: TermType | null,
): (string | bigint | number)[] {
  switch (type) {
    case 'long':
      return texts.map((text) => {
        if (!/^[+-]?\d+$/.test(text)) throw notNumeric(text);
        return BigInt(text.startsWith('+') ? text.slice(1) : text);
      });
    case 'double':
      return texts.map((text) => {
        const value = Number(text);
        if (text.trim() === '' || Number.isNaN(value)) throw notNumeric(text);
        return value;
      });
    default:
      return [...texts];
  }
}

function notNumeric(text: string): EngineError {
  return new EngineError('NumberFormatException', `For input string: "${text}"`);
}

function parseError(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}
