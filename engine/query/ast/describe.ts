// Queries as Lucene prints them, for people who ask what became of their request: before they are scored
// (`_validate`), and as the parts of an explanation, when terms have been looked up.

import { formatFloat, javaHashText, parseJsonObject } from '../../json/index';
import type { FieldId } from '../../metadata/index';
import { replaceBoost } from './boost';
import { canonicalText } from './canonical';
import { inOrder } from './clause-order';
import type { Query, QueryKind, SpanTree } from './query';
import type { WeightedFunction } from './score-function';
import { simplify } from './simplify';
import { spanParts, type SpanField } from './spans';
import type { QueryOf } from './traits';

/** What texts need that is not in the tree. */
export interface TextContext {
  /** The name under which a field is indexed. */
  readonly nameOf: (field: FieldId) => string;
  /**
   * The terms that a query stands for with a constant score, if the reference makes a query of them; null: it
   * makes a filter. Absent: texts of queries that are not looked up yet.
   */
  readonly termsOf?: (query: SelectionQuery) => readonly string[] | null;
}

/** Queries for all terms or numbers of a field that they select. */
export type SelectionQuery = QueryOf<
  'prefix' | 'wildcard' | 'regexp' | 'fuzzy' | 'stringRange' | 'numericRange'
>;

type Texts = {
  readonly [Kind in QueryKind]: (query: QueryOf<Kind>, context: TextContext) => string;
};

/** The text of a query. */
export function describeQuery(query: Query, context: TextContext): string {
  return textIn(QUERY_TEXTS, query, context);
}

/** The text of a query that only its documents are asked of. */
export function describeFilter(query: Query, context: TextContext): string {
  return query.shown ?? textIn(FILTER_TEXTS, query, context);
}

/** What stands for the filters that leave nested documents out. */
export const ROOTS_TEXT = `org.elasticsearch.index.search.nested.NonNestedDocsFilter@${hashOf('roots')}`;

function textIn(texts: Texts, query: Query, context: TextContext): string {
  const text = texts[query.kind] as unknown as (query: Query, context: TextContext) => string;
  return text(query, context);
}

/** As filters; what is kept says so by {@link Query.shown}. */
const FILTER_TEXTS: Texts = {
  matchAll: () => '*:*',
  matchNone: () => 'MatchNoDocsFilter',
  term: (query, context) => `${nameIn(query, context)}:${query.term}`,
  termSet: (query, context) => listed(nameIn(query, context), query.terms),
  numberSet: (query, context) => listed(nameIn(query, context), query.values),
  numericRange: selectionText,
  stringRange: selectionText,
  prefix: (query, context) => `PrefixFilter(${nameIn(query, context)}:${query.prefix})`,
  wildcard: selectionText,
  regexp: (query, context) => `${nameIn(query, context)}:${query.pattern}`,
  fuzzy: selectionText,
  phrase: wrapped,
  phrasePrefix: wrapped,
  spans: wrapped,
  bool: (query, context) => {
    const clauses = inOrder(query, (occur, i) => {
      return SIGNS[occur] + describeFilter(query[occur][i]!, context);
    });
    return `BooleanFilter(${clauses.join(' ')})`;
  },
  blended: wrapped,
  commonTerms: wrapped,
  similar: wrapped,
  fuzzyWords: wrapped,
  disMax: wrapped,
  constantScore: wrapped,
  filtered: wrapped,
  boosting: wrapped,
  exists: ({ fields }, { nameOf }) =>
    `BooleanFilter(${fields.map((field) => `_field_names:${nameOf(field)}`).join(' ')})`,
  nested: wrapped,
  hasChild: customWrapped,
  hasParent: customWrapped,
  uids: ({ uids }) => listed('_uid', uids),
  types: ({ types }) => `cache(${listed('_type', types)})`,
  geo: ({ field }, { nameOf }) => `GeoFilter(${nameOf(field)})`,
  geoShape: ({ shape, relation }) => {
    const name = relation === 'within' ? 'Within' : 'Intersects';
    return `${SPATIAL}prefix.${name}PrefixTreeFilter@${hashOf(shape)}`;
  },
  sequences: ({ after, upTo }) => `SequencesFilter(${after}, ${upTo})`,
  limit: ({ count }) => `org.elasticsearch.common.lucene.search.LimitFilter@${hashOf(count)}`,
  functionScore: wrapped,
  script: ({ script }) => `ScriptFilter(${script.source})`,
  named: ({ query }, context) => describeFilter(query, context),
};

const QUERY_TEXTS: Texts = {
  matchAll: ({ boost, shown }) => {
    if (boost !== 1) return `*:*${boosted(boost)}`;
    return shown ?? 'ConstantScore(*:*)';
  },
  matchNone: () => 'MatchNoDocsQuery',
  term: (query, context) => {
    const { term, boost, scored } = query;
    const text = `${nameIn(query, context)}:${term}`;
    return (scored ? text : `ConstantScore(${text})`) + boosted(boost);
  },
  termSet: ofFilter,
  numberSet: ofFilter,
  numericRange: selected,
  stringRange: selected,
  prefix: selected,
  wildcard: selected,
  regexp: selected,
  fuzzy: selected,
  phrase: (query, context) => {
    const { slots, slop, boost } = query;
    // One place comes to any of its terms.
    if (slots.length === 1 && context.termsOf !== undefined) {
      return describeQuery(simplify(query), context);
    }
    const places = slots.map(({ terms, position }) => ({ text: alternatives(terms), position }));
    const words = `${nameIn(query, context)}:"${spaced(places)}"`;
    return `${words}${slop === 0 ? '' : `~${slop}`}${boosted(boost)}`;
  },
  phrasePrefix: (query, context) => {
    const { slots, prefixes, slop, boost } = query;
    const words = [...slots.map(({ terms }) => terms), prefixes].map((terms, i) => {
      const text = alternatives(terms);
      return i < slots.length ? text : `${text}*`;
    });
    const text = `${nameIn(query, context)}:"${words.join(' ')}"`;
    return `${text}${slop === 0 ? '' : `~${slop}`}${boosted(boost)}`;
  },
  spans: ({ tree, boost }, context) => `${spansText(tree, context)}${boosted(boost)}`,
  bool: (query, context) => {
    const { minimumShouldMatch: minimum, boost } = query;
    const clauses = inOrder(query, (occur, i) => {
      return SIGNS[occur] + enclosed(query[occur][i]!, context);
    });
    const text = clauses.join(' ');
    if (minimum === 0 && boost === 1) return text;
    return `(${text})${minimum === 0 ? '' : `~${minimum}`}${boosted(boost)}`;
  },
  blended: ({ terms, boost }, { nameOf }) => {
    const each = terms.map((it) => `${nameOf(it.field)}:${it.term}${boosted(it.boost)}`);
    return `blended(terms:[${each.join(', ')}])${boosted(boost)}`;
  },
  commonTerms: (query, context) => {
    const { terms, boost } = query;
    const name = nameIn(query, context);
    const text = terms.map((term) => `${name}:${term}`).join(', ');
    return boost === 1 ? text : `(${text})${boosted(boost)}`;
  },
  similar: ({ shown }) => shown ?? 'like:[]',
  fuzzyWords: () => 'null',
  disMax: ({ queries, tieBreaker, boost }, context) => {
    const parts = queries.map((part) => enclosed(part, context));
    const tie = tieBreaker === 0 ? '' : `~${formatFloat(tieBreaker)}`;
    return `(${parts.join(' | ')})${tie}${boosted(boost)}`;
  },
  constantScore: ({ query, boost, ofQuery }, context) => {
    const inner = ofQuery ? describeQuery(query, context) : describeFilter(query, context);
    return `ConstantScore(${inner})${boosted(boost)}`;
  },
  filtered: ({ query, filter, boost }, context) => {
    const text = describeFilter(filter, context);
    const isLookedUp = context.termsOf !== undefined;
    if (query.kind === 'matchAll' && (isLookedUp || isConstant(query))) {
      return `ConstantScore(${text})${boosted(Math.fround(boost * query.boost))}`;
    }
    return `filtered(${describeQuery(query, context)})->${text}${boosted(boost)}`;
  },
  boosting: ({ positive, negative }, context) => {
    if (context.termsOf !== undefined) {
      return `+${enclosed(positive, context)} ${enclosed(negative, context)}`;
    }
    const other = describeQuery(replaceBoost(negative, 0), context);
    return `${describeQuery(positive, context)}/${other}`;
  },
  exists: ofFilter,
  nested: ({ path, query }, context) => {
    const inner = describeQuery(query, context);
    return `ToParentBlockJoinQuery (filtered(${inner})->cache(_type:__${path}))`;
  },
  hasChild: (query, context) => {
    const { parentType, minChildren, maxChildren, scoreMode, boost } = query;
    const family = `${relatedType(query.query)}/${parentType}`;
    const inner = `(${describeQuery(relatedQuery(query.query), context)})`;
    if (query.alwaysWeighs) return `score_child[${family}]${inner}${boosted(boost)}`;
    if (scoreMode === 'none' && minChildren <= 1 && maxChildren === Infinity) {
      return `child_filter[${family}]${inner}`;
    }
    const limits = `min(${minChildren}) max(${Math.min(maxChildren, MAX_INT)})`;
    return `ChildrenQuery[${limits}of ${family}]${inner}${boosted(boost)}`;
  },
  hasParent: ({ parentType, query, scored, boost }, context) => {
    const inner = `[${parentType}](${describeQuery(relatedQuery(query), context)})`;
    return scored ? `ParentQuery${inner}${boosted(boost)}` : `parent_filter${inner}`;
  },
  uids: ofFilter,
  types: ({ types, boost }) => `ConstantScore(cache(${listed('_type', types)}))${boosted(boost)}`,
  geo: ofFilter,
  geoShape: ofFilter,
  sequences: ofFilter,
  limit: ofFilter,
  functionScore: ({ query, functions, boost }, context) => {
    const [first, second] = functions;
    const inner = describeQuery(query, context);
    if (second === undefined && (first?.filter ?? null) === null) {
      const text = first === undefined ? 'null' : functionText(first);
      return `function score (${inner},function=${text})${boosted(boost)}`;
    }
    const parts = functions.map((entry) => {
      const filter = entry.filter === null ? '*:*' : describeFilter(entry.filter, context);
      return `{filter(${filter}), function [${functionText(entry)}]}`;
    });
    return `function score (${inner}, functions: [${parts.join('')}])${boosted(boost)}`;
  },
  script: ofFilter,
  named: ({ query }, context) => describeQuery(query, context),
};

const MAX_INT = 2147483647;

/** Boosts inside of spans are left out: they count for nothing. */
function spansText(tree: SpanTree, context: TextContext): string {
  const parts = spanParts(tree).map((part) => spansText(part, context));
  switch (tree.type) {
    case 'term':
      return `${spanFieldName(tree.field, context)}:${tree.term}`;
    case 'multi': {
      const terms = describeQuery({ ...tree.query, boost: 1 }, context);
      return `SpanMultiTermQueryWrapper(${terms})`;
    }
    case 'or':
      return `spanOr([${parts.join(', ')}])`;
    case 'near':
      return `spanNear([${parts.join(', ')}], ${tree.slop}, ${tree.isOrdered})`;
    case 'first':
      return `spanFirst(${parts[0]}, ${tree.end})`;
    case 'not':
      return `spanNot(${parts.join(', ')}, ${tree.pre}, ${tree.post})`;
    case 'masked':
      return `mask(${parts[0]}) as ${spanFieldName(tree.field, context)}`;
  }
}

function spanFieldName({ id, unmapped }: SpanField, { nameOf }: TextContext): string {
  return unmapped ?? nameOf(id);
}

const SIGNS = { must: '+', should: '', mustNot: '-' } as const;

/** A filter in place of a query. */
function ofFilter(query: Query, context: TextContext): string {
  const boost = 'boost' in query ? query.boost : 1;
  return `ConstantScore(${describeFilter(query, context)})${boosted(boost)}`;
}

/** A query in place of a filter. */
function wrapped(query: Query, context: TextContext): string {
  return `QueryWrapperFilter(${describeQuery(query, context)})`;
}

/** The same of queries that the reference does not keep as filters. */
function customWrapped(query: Query, context: TextContext): string {
  return `CustomQueryWrappingFilter(${describeQuery(query, context)})`;
}

/** The inner query of parents and children, restricted to a type, without what takes its scores away. */
function relatedQuery(query: Query): Query {
  return query.kind === 'constantScore' && query.query.kind === 'filtered' ? query.query : query;
}

function relatedType(query: Query): string {
  const inner = relatedQuery(query);
  const filter = inner.kind === 'filtered' ? inner.filter : inner;
  return filter.kind === 'types' ? filter.types.join(' ') : '';
}

/** Before terms are looked up the query itself; then what scores all documents with one of them alike. */
function selected(query: SelectionQuery, context: TextContext): string {
  const text = selectionText(query, context) + boosted(query.boost);
  if (context.termsOf === undefined) return text;
  const terms = context.termsOf(query);
  const name = nameIn(query, context);
  const inner = terms === null ? text : listed(name, terms);
  return `ConstantScore(${inner})${boosted(query.boost)}`;
}

function selectionText(query: SelectionQuery, context: TextContext): string {
  if (query.shown !== undefined) return query.shown;
  const name = nameIn(query, context);
  switch (query.kind) {
    case 'prefix':
      return `${name}:${query.prefix}*`;
    case 'wildcard':
      return `${name}:${query.pattern}`;
    case 'regexp':
      return `${name}:/${query.pattern}/`;
    case 'fuzzy':
      return `${name}:${query.term}~${query.maxEdits}`;
    case 'stringRange':
      return `${name}:${rangeText(query)}`;
    case 'numericRange':
      return `${name}:${rangeText({ ...query, includeFrom: true, includeTo: true })}`;
  }
}

/** The bounds of a range. */
export function rangeText<Bound>(range: {
  readonly from: Bound | null;
  readonly to: Bound | null;
  readonly includeFrom: boolean;
  readonly includeTo: boolean;
}): string {
  const from = `${range.includeFrom ? '[' : '{'}${String(range.from ?? '*')}`;
  return `${from} TO ${String(range.to ?? '*')}${range.includeTo ? ']' : '}'}`;
}

function nameIn(
  query: { readonly field: FieldId; readonly fieldName?: string },
  { nameOf }: TextContext,
): string {
  return query.fieldName ?? nameOf(query.field);
}

function listed(name: string, values: readonly (string | number | bigint)[]): string {
  return values.map((value) => `${name}:${value}`).join(' ');
}

function alternatives(terms: readonly string[]): string {
  return terms.length === 1 ? terms[0]! : `(${terms.join(' ')})`;
}

/** The words of a phrase, with a mark for each place that has none. */
function spaced(places: readonly { readonly text: string; readonly position: number }[]): string {
  let text = '';
  let next = 0;
  for (const place of places) {
    // A far position must not make a long text.
    const holes = Math.min(Math.max(0, place.position - next), MAX_HOLES);
    text += `${text === '' ? '' : ' '}${'? '.repeat(holes)}${place.text}`;
    next = place.position + 1;
  }
  return text;
}

const MAX_HOLES = 1_000;

/** A part of another query: bool queries stand in brackets there. */
function enclosed(query: Query, context: TextContext): string {
  const text = describeQuery(query, context);
  const { kind } = isNamed(query);
  const isBool = kind === 'bool' || (kind === 'boosting' && context.termsOf !== undefined);
  return isBool ? `(${text})` : text;
}

function isNamed(query: Query): Query {
  return query.kind === 'named' ? isNamed(query.query) : query;
}

/** Whether all documents are meant by a filter that the reference keeps for that. */
function isConstant({ boost, shown }: QueryOf<'matchAll'>): boolean {
  return boost === 1 && shown === undefined;
}

const SPATIAL = 'org.apache.lucene.spatial.';
const FUNCTIONS = 'org.elasticsearch.common.lucene.search.function.';
const DECAY = 'org.elasticsearch.index.query.functionscore.DecayFunctionParser$';

function functionText({ function: definition, weight }: WeightedFunction<unknown>): string {
  if (weight !== null) return `${FUNCTIONS}WeightFactorFunction@${hashOf(definition)}`;
  switch (definition.kind) {
    case 'constant':
      return `boost[${formatFloat(definition.value ?? 1)}]`;
    case 'script': {
      const { source, params } = definition.script;
      const given = params === '{}' ? 'null' : javaHashText(parseJsonObject(params));
      return `script[${source}], params [${given}]`;
    }
    case 'fieldValue':
      return `${FUNCTIONS}FieldValueFactorFunction@${hashOf(definition)}`;
    case 'decay': {
      const kind = typeof definition.origin === 'number' ? 'Numeric' : 'Geo';
      return `${DECAY}${kind}FieldDataScoreFunction@${hashOf(definition)}`;
    }
    case 'random':
      return `${FUNCTIONS}RandomScoreFunction@${hashOf(definition)}`;
  }
}

/** What stands where the reference has the address of an object. */
function hashOf(what: object | string | number): string {
  const text = typeof what === 'object' ? canonicalText(what) : String(what);
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(16);
}

function boosted(boost: number): string {
  return boost === 1 ? '' : `^${formatFloat(boost)}`;
}
