// Span queries that are made of others: `span_near`, `span_or`, `span_first`, `span_not`,
// `field_masking_span`, and `span_multi` over a query of terms. `span_term` is in a file of its own.
//
// Inside one another they are trees of spans; only the outermost scores and keeps its boost.

import { EngineError } from '../../../errors';
import { isJsonObject, type JsonValue } from '../../../json/index';
import { UNMAPPED_FIELD, type Query, type SpanTree, type TermsQuery } from '../../ast/query';
import { fieldOfSpans, type SpanField } from '../../ast/spans';
import {
  booleanOf,
  CommonOptions,
  floatOf,
  intOf,
  isScalar,
  misplaced,
  numberIn,
  optionName,
  type Scalar,
  type KindBody,
} from '../scope/members';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import { spanField } from './span-term';
import { shortValue } from './term';

/** `{clauses, slop, in_order, collect_payloads, boost}`. */
export const parseSpanNear: KindParser = (body, scope) => {
  let slop: number | null = null;
  let isOrdered = true;
  const form = readClauses(body, 'span_near', 'spanNear', scope, (name, value) => {
    const option = optionName(name);
    if (option === 'slop') slop = intOf(value);
    else if (option === 'in_order') isOrdered = booleanOf(value);
    else return option === 'collect_payloads';
    return true;
  });
  const { clauses, common } = form;
  if (clauses.length === 0) throw scope.error('span_near must include [clauses]');
  if (slop === null) throw scope.error('span_near must include [slop]');
  const field = sharedField(clauses);
  return finished({ type: 'near', field, clauses, slop, isOrdered }, common);
};

/** `{clauses, boost}`. */
export const parseSpanOr: KindParser = (body, scope) => {
  const { clauses, common } = readClauses(body, 'span_or', 'spanOr', scope, () => false);
  if (clauses.length === 0) throw scope.error('spanOr must include [clauses]');
  return finished({ type: 'or', field: sharedField(clauses), clauses }, common);
};

/** `{match, end, boost}`. */
export const parseSpanFirst: KindParser = (body, scope) => {
  let end = -1;
  const form = readParts(
    body,
    'span_first',
    ['match'],
    'spanFirst [match]',
    scope,
    (name, value) => {
      if (name === 'end') end = numberIn(value, intOf);
      return name === 'end';
    },
  );
  const match = form.parts.get('match');
  if (match === undefined) throw scope.error('spanFirst must have [match] span query clause');
  if (end === -1) throw scope.error('spanFirst must have [end] set for it');
  return finished({ type: 'first', match: match.tree, end }, form.common);
};

/** `{include, exclude, dist | pre, post, boost}`. */
export const parseSpanNot: KindParser = (body, scope) => {
  const distances = new Map<string, number>();
  const names = ['include', 'exclude'];
  const { parts, common } = readParts(body, 'span_not', names, 'spanNot', scope, (name, value) => {
    if (name !== 'dist' && name !== 'pre' && name !== 'post') return false;
    distances.set(name, numberIn(value, intOf));
    return true;
  });
  const include = parts.get('include')?.tree;
  const exclude = parts.get('exclude')?.tree;
  if (include === undefined) throw scope.error('spanNot must have [include] span query clause');
  if (exclude === undefined) throw scope.error('spanNot must have [exclude] span query clause');
  const dist = distances.get('dist');
  if (dist !== undefined && distances.size > 1) {
    throw scope.error('spanNot can either use [dist] or [pre] & [post] (or none)');
  }
  sharedField([include, exclude]);
  const pre = Math.max(0, dist ?? distances.get('pre') ?? 0);
  const post = Math.max(0, dist ?? distances.get('post') ?? 0);
  return finished({ type: 'not', include, exclude, pre, post }, common);
};

/** `{query, field, boost}`. Its own boost counts for nothing. */
export const parseFieldMaskingSpan: KindParser = (body, scope) => {
  const kind = 'field_masking_span';
  let field: string | null = null;
  // The bracket that closes nothing is the reference's.
  const label = '[field_masking_span] query]';
  const { parts, common } = readParts(body, kind, ['query'], label, scope, (name, value) => {
    if (name === 'field') field = shortValue(value);
    return name === 'field';
  });
  const match = parts.get('query');
  if (match === undefined) {
    throw scope.error('field_masking_span must have [query] span query clause');
  }
  if (field === null) throw scope.error('field_masking_span must have [field] set for it');
  const masked = spanField(scope.field(field));
  return finished({ type: 'masked', match: match.tree, field: masked, boost: match.boost }, common);
};

/** `{match: a query of terms}`, whose boost counts for nothing. There are no other options. */
export const parseSpanMulti: KindParser = (body, scope) => {
  const members = Array.isArray(body) ? [] : [...body];
  const [name, content] = members[0] ?? ['', null];
  if (name !== 'match' || !isJsonObject(content)) {
    throw scope.error('spanMultiTerm must have [match] multi term query clause');
  }
  const query = scope.query(content);
  const terms = query?.kind === 'named' ? query.query : query;
  if (terms === null || !isOfTerms(terms)) {
    throw scope.error('spanMultiTerm [match] must be of type multi term query');
  }
  const second = members[1];
  if (second !== undefined) throw misplaced(second[0], second[1]);
  const options = new CommonOptions();
  if (query?.kind === 'named') options.name = query.name;
  return finished({ type: 'multi', field: { id: terms.field }, query: terms }, options);
};

const OF_TERMS: Readonly<Record<TermsQuery['kind'], true>> = {
  prefix: true,
  wildcard: true,
  regexp: true,
  fuzzy: true,
  stringRange: true,
  numericRange: true,
  numberSet: true,
};

function isOfTerms(query: Query): query is TermsQuery {
  return Object.hasOwn(OF_TERMS, query.kind);
}

function finished(tree: SpanTree, { boost, name }: CommonOptions): Query {
  return named(name, { kind: 'spans', tree, boost });
}

/** A span query inside another. */
interface SpanPart {
  readonly tree: SpanTree;
  readonly boost: number;
}

/** @throws EngineError when it is another query: `label` says where it stands */
function partIn(value: JsonValue, label: string, scope: ParseScope): SpanPart {
  const query = scope.query(value);
  const spans = query?.kind === 'named' ? query.query : query;
  if (spans?.kind !== 'spans') throw scope.error(`${label} must be of type span query`);
  const { tree, boost } = spans;
  return query?.kind === 'named' ? { tree: { ...tree, name: query.name }, boost } : { tree, boost };
}

/**
 * Reads `clauses` and options. Options are values; nulls are none.
 *
 * @param label what errors call the kind where a clause is wrong
 */
function readClauses(
  body: KindBody,
  kind: string,
  label: string,
  scope: ParseScope,
  option: (name: string, value: Scalar) => boolean,
): { readonly clauses: readonly SpanTree[]; readonly common: CommonOptions } {
  const common = new CommonOptions();
  const clauses: SpanTree[] = [];
  for (const [name, value] of membersOf(body, kind, scope)) {
    if (name === 'clauses' && Array.isArray(value)) {
      value.forEach((clause, i) => {
        // compat: something before an object that is none is passed over.
        if (isScalar(clause) && isJsonObject(value[i + 1])) return;
        if (Array.isArray(clause) && isJsonObject(clause[0])) throw unsupported(kind, name, scope);
        clauses.push(partIn(clause, `${label} [clauses]`, scope).tree);
      });
    } else if (!isScalar(value) || !(option(name, value) || common.read(name, value))) {
      throw unsupported(kind, name, scope);
    }
  }
  return { clauses, common };
}

/**
 * Reads members that hold span queries, and options.
 *
 * @param label what errors call a part that is no span query; that of one of several has its name behind
 */
function readParts(
  body: KindBody,
  kind: string,
  names: readonly string[],
  label: string,
  scope: ParseScope,
  option: (name: string, value: JsonValue) => boolean,
): { readonly parts: ReadonlyMap<string, SpanPart>; readonly common: CommonOptions } {
  const common = new CommonOptions();
  const parts = new Map<string, SpanPart>();
  for (const [name, value] of membersOf(body, kind, scope)) {
    if (isJsonObject(value)) {
      if (!names.includes(name)) throw unsupported(kind, name, scope);
      const full = names.length === 1 ? label : `${label} [${name}]`;
      parts.set(name, partIn(value, full, scope));
    } else if (name === 'boost') {
      common.boost = numberIn(value, floatOf);
    } else if (name === '_name') {
      common.name = shortValue(value);
    } else if (!option(name, value)) {
      throw unsupported(kind, name, scope);
    }
  }
  return { parts, common };
}

function membersOf(
  body: KindBody,
  kind: string,
  scope: ParseScope,
): Iterable<readonly [string, JsonValue]> {
  if (Array.isArray(body)) throw unsupported(kind, 'null', scope);
  return body;
}

function unsupported(kind: string, name: string, scope: ParseScope): EngineError {
  return scope.error(`[${kind}] query does not support [${name}]`);
}

/**
 * The field that all clauses are in.
 *
 * @throws EngineError IllegalArgumentException when they are in several
 */
function sharedField(clauses: readonly SpanTree[]): SpanField | null {
  let shared: SpanField | null = null;
  for (const clause of clauses) {
    const field = fieldOfSpans(clause);
    if (shared !== null && field !== null && !isSame(shared, field)) {
      throw new EngineError('IllegalArgumentException', 'Clauses must have same field.');
    }
    shared ??= field;
  }
  return shared;
}

/** Of queries of terms in a field that is not mapped the name is not known: they pass. */
function isSame(a: SpanField, b: SpanField): boolean {
  if (a.id !== b.id) return false;
  if (a.id !== UNMAPPED_FIELD || a.unmapped === undefined) return true;
  return b.unmapped === undefined || a.unmapped === b.unmapped;
}
