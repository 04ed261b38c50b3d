// `terms` (`in`): any of several values, as query and as filter, the latter with terms lookup.

import { boolQuery } from '../../ast/bool-query';
import { EngineError } from '../../../errors';
import { type JsonObject, type JsonValue, extractValues } from '../../../json/index';
import { combine } from '../fields/exists-fields';
import { isNumeric, restrict, type FieldRef } from '../scope/field-ref';
import { fielddataFilter, fielddataText, termQuery, termsFilter } from '../fields/term-fields';
import { applyMinimumShouldMatch } from '../../ast/minimum-should-match';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import { MATCH_NONE, type Query } from '../../ast/query';
import {
  booleanOf,
  CommonOptions,
  isCacheOption,
  isScalar,
  members,
  optionName,
  textOf,
  type Scalar,
} from '../scope/members';

/** `{field: [values], minimum_should_match, disable_coord, boost}`: a bool of scored terms. */
export const parseTerms: KindParser = (body, scope) => {
  const options = new CommonOptions();
  let field: string | null = null;
  let values: readonly Scalar[] = [];
  let minimum: string | null = null;
  let disableCoord = false;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'object') {
      throw scope.error(`[terms] query does not support [${name}]`);
    } else if (member.sort === 'array') {
      if (field !== null) throw scope.error('[terms] query does not support multiple fields');
      field = name;
      values = readValues(member.value, 'query', name, scope);
    } else if (option === 'disable_coord') {
      disableCoord = booleanOf(member.value);
    } else if (option === 'minimum_match' || option === 'minimum_should_match') {
      minimum = textOf(member.value);
    } else if (!options.read(option, member.value)) {
      throw scope.error(`[terms] query does not support [${name}]`);
    }
  }
  if (field === null) throw scope.error('No field specified for terms query');
  const ref = scope.field(field);
  scope.checkClauses(values.length);
  const bool: Query = boolQuery({
    should: values.map((value) => termQuery(ref, value, scope)),
    disableCoord,
    boost: options.boost,
  });
  return named(options.name, restrict(ref, applyMinimumShouldMatch(bool, minimum)));
};

function readValues(
  list: readonly JsonValue[],
  kind: 'query' | 'filter',
  name: string,
  scope: ParseScope,
): Scalar[] {
  scope.context.meter.add('terms', list.length);
  return list.map((value) => {
    if (value === null) throw scope.error(`No value specified for terms ${kind}`);
    if (!isScalar(value)) throw scope.error(`[terms] ${kind} does not support [${name}]`);
    return value;
  });
}

/** Ways to run a terms filter: whether one of the terms will do or every one is required. */
const EXECUTIONS: ReadonlyMap<string, 'any' | 'all'> = new Map([
  ['plain', 'any'],
  ['fielddata', 'any'],
  ['bool', 'any'],
  ['bool_nocache', 'any'],
  ['or', 'any'],
  ['or_nocache', 'any'],
  ['and', 'all'],
  ['and_nocache', 'all'],
]);

/** `{field: [values] | {index, type, id, path, routing}, execution}`. */
export const parseTermsFilter: KindParser = (body, scope) => {
  let field: string | null = null;
  let values: readonly Scalar[] = [];
  let execution = 'plain';
  let filterName: string | null = null;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    if (member.sort === 'array') {
      if (field !== null) throw scope.error('[terms] filter does not support multiple fields');
      field = name;
      values = readValues(member.value, 'filter', name, scope);
    } else if (member.sort === 'object') {
      field = name;
      values = lookUp(member.value, scope);
    } else if (name === 'execution') {
      execution = textOf(member.value);
    } else if (name === '_name') {
      filterName = textOf(member.value);
    } else if (!isCacheOption(optionName(name))) {
      throw scope.error(`[terms] filter does not support [${name}]`);
    }
  }
  if (field === null) {
    throw scope.error('terms filter requires a field name, followed by array of terms');
  }
  const ref = scope.field(field);
  const mode = EXECUTIONS.get(execution);
  if (values.length === 0) return named(filterName, MATCH_NONE);
  if (mode === undefined)
    throw scope.error(`terms filter execution value [${execution}] not supported`);
  const filter =
    execution === 'fielddata' && isNumeric(ref)
      ? fielddataFilter(ref, values, scope)
      : mode === 'all'
        ? everyTerm(ref, values, scope)
        : termsFilter(ref, values, scope);
  const shown = scope.shown(filter, () => executionText(execution, filter, ref, values, scope));
  return named(filterName, restrict(ref, shown));
};

/** How the reference prints a filter that is executed in some way. */
function executionText(
  execution: string,
  filter: Query,
  ref: FieldRef,
  values: readonly Scalar[],
  scope: ParseScope,
): string {
  if (execution === 'plain') return scope.filterText(filter);
  if (execution === 'fielddata') return filter.shown ?? fielddataText(ref, values, 'Bytes');
  const isKept = !execution.endsWith('_nocache');
  const terms = values.map((value) => {
    const text = scope.filterText(termsFilter(ref, [value], scope));
    return isKept ? `cache(${text})` : text;
  });
  if (EXECUTIONS.get(execution) === 'all') return terms.map((text) => `+${text}`).join(' ');
  return execution.startsWith('bool') ? `BooleanFilter(${terms.join(' ')})` : terms.join(' ');
}

function everyTerm(ref: FieldRef, values: readonly Scalar[], scope: ParseScope): Query {
  return combine(
    values.map((value) => termsFilter(ref, [value], scope)),
    [],
    [],
  );
}

/** @throws EngineError UncheckedExecutionException when the index does not exist */
function sourceOf(
  index: string,
  type: string,
  id: string,
  routing: string | undefined,
  scope: ParseScope,
): Buffer | undefined {
  try {
    return scope.context.getSource(index, type, id, routing);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(
      'UncheckedExecutionException',
      `org.elasticsearch.indices.${error.wireName}: ${error.message}`,
      { cause: error },
    );
  }
}

const LOOKUP_OPTIONS: ReadonlySet<string> = new Set([
  'index',
  'type',
  'id',
  'path',
  'routing',
  'cache',
]);

/** The values at a path of another document; a missing document or path gives none. */
function lookUp(lookup: JsonObject, scope: ParseScope): readonly Scalar[] {
  const given = new Map<string, string>();
  for (const { name, value } of members(lookup)) {
    if (!LOOKUP_OPTIONS.has(name)) {
      throw scope.error(`[terms] filter does not support [${name}] within lookup element`);
    }
    given.set(name, textOf(value));
  }
  const required = (name: string): string => {
    const value = given.get(name);
    if (value !== undefined) return value;
    throw scope.error(`[terms] filter lookup element requires specifying the ${name}`);
  };
  const type = required('type');
  const id = required('id');
  const path = required('path');
  const index = given.get('index') ?? scope.context.indexName;
  const source = sourceOf(index, type, id, given.get('routing'), scope);
  const values = source === undefined ? [] : extractValues(source, path);
  scope.context.meter.add('terms', values.length);
  return values;
}
