// `nested`: root documents by what their nested objects match, as query and as filter.

import type { JsonObject } from '../../../json/index';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import {
  type KindBody,
  booleanOf,
  CommonOptions,
  isCacheOption,
  members,
  optionName,
  textOf,
} from '../scope/members';
import type { Query, ScoreMode } from '../../ast/query';

const SCORE_MODES: ReadonlyMap<string, ScoreMode> = new Map([
  ['avg', 'avg'],
  ['max', 'max'],
  ['sum', 'sum'],
  ['total', 'sum'],
  ['none', 'none'],
]);

interface NestedForm {
  readonly path: string | null;
  readonly inner: { readonly kind: 'query' | 'filter'; readonly body: JsonObject } | null;
  readonly scoreMode: ScoreMode;
  readonly join: boolean;
  /** How the matching objects are shown below hits; null: they are not. */
  readonly innerHits: JsonObject | null;
  readonly common: CommonOptions;
}

/** `{path, query|filter, score_mode, boost, inner_hits}`. */
export const parseNested: KindParser = (body, scope) => {
  const form = readForm(body, 'query', scope);
  return parseInner(form, form.scoreMode, scope);
};

/**
 * `{path, query|filter, join, inner_hits}`. Without `join` it is the inner filter alone: for places that
 * already look at nested documents.
 */
export const parseNestedFilter: KindParser = (body, scope) =>
  parseInner(readForm(body, 'filter', scope), 'none', scope);

function readForm(body: KindBody, kind: 'query' | 'filter', scope: ParseScope): NestedForm {
  const common = new CommonOptions();
  let path: string | null = null;
  let inner: NestedForm['inner'] = null;
  let scoreMode: ScoreMode = 'avg';
  let join = true;
  let innerHits: JsonObject | null = null;
  for (const member of members(body, 'object')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'object' && name === 'inner_hits') {
      innerHits = member.value;
    } else if (member.sort === 'object') {
      if (name !== 'query' && name !== 'filter') {
        throw scope.error(`[nested] ${kind} does not support [${name}]`);
      }
      inner = { kind: name, body: member.value };
    } else if (option === 'path') {
      path = textOf(member.value);
    } else if (option === 'score_mode' && kind === 'query') {
      const text = textOf(member.value);
      const mode = SCORE_MODES.get(text);
      if (mode === undefined) {
        throw scope.error(`illegal score_mode for nested query [${text}]`);
      }
      scoreMode = mode;
    } else if (option === 'join' && kind === 'filter') {
      join = booleanOf(member.value);
    } else if (
      !common.read(option, member.value) &&
      !(kind === 'filter' && isCacheOption(option))
    ) {
      throw scope.error(`[nested] ${kind} does not support [${name}]`);
    }
  }
  return { path, inner, scoreMode, join, innerHits, common };
}

function parseInner(form: NestedForm, scoreMode: ScoreMode, scope: ParseScope): Query | null {
  const { path, inner, common } = form;
  if (inner === null) throw scope.error("[nested] requires either 'query' or 'filter' field");
  if (path === null) throw scope.error("[nested] requires 'path' field");
  const { mapping, types } = scope.context;
  const object = mapping.nestedObject(path, types);
  if (object === null) {
    throw scope.error(`[nested] failed to find nested object under path [${path}]`);
  }
  if (object === 'plain') {
    throw scope.error(`[nested] nested object under path [${path}] is not of nested type`);
  }
  const below = scope.inNested(object.path);
  const query = inner.kind === 'filter' ? below.filter(inner.body) : below.query(inner.body);
  if (query === null) return null;
  const content: Query =
    inner.kind === 'filter' ? { kind: 'constantScore', query, boost: 1 } : query;
  if (form.innerHits !== null) {
    const target = {
      kind: 'nested',
      path: object.path,
      parentPath: scope.nestedPath,
    } as const;
    scope.context.addInnerHits?.({ target, query: content, options: form.innerHits });
  }
  if (!form.join) return named(common.name, content);
  return named(common.name, {
    kind: 'nested',
    path: object.path,
    query: content,
    scoreMode,
    boost: common.boost,
    parentPath: scope.nestedPath,
  });
}
