// Queries over many terms of a field: `prefix`, `wildcard`, `regexp`, `fuzzy`; filters `prefix`, `regexp`.

import { illegalArgument } from '../../../errors';
import { isJsonObject } from '../../../json/index';
import { REGEXP_FLAG } from '../../automaton/regexp-parser';
import { replaceBoost } from '../../ast/boost';
import { isNumeric, restrict, type FieldRef } from '../scope/field-ref';
import {
  CONSTANT,
  fuzzyQuery,
  parseRewrite,
  prefixQuery,
  regexpQuery,
  wildcardQuery,
} from '../fields/multi-term-fields';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import {
  type KindBody,
  booleanOf,
  CommonOptions,
  intOf,
  isCacheOption,
  isScalar,
  members,
  optionName,
  textOf,
  type Scalar,
} from '../scope/members';
import type { Query } from '../../ast/query';
import { Fuzziness } from '../scope/fuzziness';
import { shortValue, singleField } from './term';

/** `{field: value}`, or `{field: {option: ...}}` with its options. */
interface FieldForm {
  readonly field: string;
  /** The text of the short form, or null. */
  readonly short: string | null;
  readonly options: readonly { readonly name: string; readonly value: Scalar }[];
}

function fieldForm(body: KindBody, kind: string, scope: ParseScope): FieldForm {
  const [field, content] = singleField(body, kind, scope);
  if (isJsonObject(content)) {
    for (const [name, value] of content) {
      if (value !== null && !isScalar(value))
        throw scope.error(`[${kind}] query does not support [${name}]`);
    }
    return { field, short: null, options: members(content) };
  }
  return { field, short: shortValue(content), options: [] };
}

/** A query over terms with its boost, type restriction and name. */
function finished(ref: FieldRef, query: Query, options: CommonOptions): Query {
  return named(options.name, restrict(ref, replaceBoost(query, options.boost)));
}

/** `{field: text}` or `{field: {prefix|value, boost, rewrite}}`; unknown options are ignored. */
export const parsePrefix: KindParser = (body, scope) => {
  const common = new CommonOptions();
  let value: Scalar | null = null;
  let rewrite: string | null = null;
  const form = fieldForm(body, 'prefix', scope);
  for (const { name, value: given } of form.options) {
    const option = optionName(name);
    if (option === 'prefix' || option === 'value') value = given;
    else if (option === 'rewrite') rewrite = textOf(given);
    else common.read(option, given);
  }
  const prefix = form.short ?? value;
  if (prefix === null) throw scope.error('No value specified for prefix query');
  const method = parseRewrite(rewrite, CONSTANT, scope);
  const ref = scope.field(form.field);
  return finished(ref, prefixQuery(ref, prefix, method, scope), common);
};

/** `{field: text}`. There is no object form: its members are taken for fields, the last of which holds. */
export const parsePrefixFilter: KindParser = (body, scope) => {
  let field: string | null = null;
  let prefix: Scalar | null = null;
  let filterName: string | null = null;
  for (const { name, value } of members(body)) {
    if (name === '_name') filterName = textOf(value);
    else if (!isCacheOption(optionName(name))) {
      field = name;
      prefix = value;
    }
  }
  if (field === null || prefix === null) throw scope.error('No value specified for prefix filter');
  const ref = scope.field(field);
  const filter = prefixQuery(ref, prefix, CONSTANT, scope);
  const shown = isNumeric(ref)
    ? scope.shown(filter, () => `PrefixFilter(${scope.filterText(filter)})`)
    : filter;
  return named(filterName, restrict(ref, shown));
};

/** `{field: pattern}` or `{field: {wildcard|value, boost, rewrite}}`. */
export const parseWildcard: KindParser = (body, scope) => {
  const common = new CommonOptions();
  let value: Scalar | null = null;
  let rewrite: string | null = null;
  const form = fieldForm(body, 'wildcard', scope);
  for (const { name, value: given } of form.options) {
    const option = optionName(name);
    if (option === 'wildcard' || option === 'value') value = given;
    else if (option === 'rewrite') rewrite = textOf(given);
    else if (!common.read(option, given)) {
      throw scope.error(`[wildcard] query does not support [${name}]`);
    }
  }
  const pattern = form.short ?? value;
  // The reference names the wrong query here.
  if (pattern === null) throw scope.error('No value specified for prefix query');
  const method = parseRewrite(rewrite, CONSTANT, scope);
  const ref = scope.field(form.field);
  return finished(ref, wildcardQuery(ref, pattern, method, scope), common);
};

/** `{field: expression}` or `{field: {value, flags, boost, rewrite}}`; unknown options are ignored. */
export const parseRegexpQuery: KindParser = (body, scope) => {
  const common = new CommonOptions();
  let value: Scalar | null = null;
  let rewrite: string | null = null;
  let flags: number = REGEXP_FLAG.ALL;
  const form = fieldForm(body, 'regexp', scope);
  for (const { name, value: given } of form.options) {
    const option = optionName(name);
    if (option === 'value') value = given;
    else if (option === 'rewrite') rewrite = textOf(given);
    else if (option === 'flags') flags = parseFlags(textOf(given));
    // compat: each of the two is known in one spelling only, and not in the same.
    else if (name === 'flags_value') flags = flagsValue(given);
    else if (name === 'maxDeterminizedStates') intOf(given);
    else common.read(option, given);
  }
  const pattern = form.short ?? value;
  if (pattern === null) throw scope.error('No value specified for regexp query');
  const method = parseRewrite(rewrite, CONSTANT, scope);
  const ref = scope.field(form.field);
  return finished(ref, regexpQuery(ref, pattern, flags, method, scope), common);
};

/** `{field: expression}` or `{field: {value, flags}}`; of several fields the last holds. */
export const parseRegexpFilter: KindParser = (body, scope) => {
  let field: string | null = null;
  let pattern: Scalar | null = null;
  let flags: number = REGEXP_FLAG.ALL;
  let filterName: string | null = null;
  for (const member of members(body, 'object')) {
    const { name } = member;
    if (member.sort === 'object') {
      field = name;
      for (const { name: option, value: given } of members(member.value)) {
        if (option === 'value') pattern = given;
        else if (option === 'flags') flags = parseFlags(textOf(given));
        else if (option === 'flags_value') flags = flagsValue(given);
        else if (option === 'max_determinized_states') intOf(given);
        else throw scope.error(`[regexp] filter does not support [${option}]`);
      }
    } else if (name === '_name') {
      filterName = textOf(member.value);
    } else if (!isCacheOption(optionName(name))) {
      field = name;
      pattern = member.value;
    }
  }
  if (field === null || pattern === null) {
    throw scope.error('No value specified for regexp filter');
  }
  const ref = scope.field(field);
  return named(filterName, restrict(ref, regexpQuery(ref, pattern, flags, CONSTANT, scope)));
};

const FLAGS: ReadonlyMap<string, number> = new Map(Object.entries(REGEXP_FLAG));

/** `INTERVAL|COMPLEMENT`; the empty text stands for all. @throws EngineError */
function parseFlags(text: string): number {
  if (text === '') return REGEXP_FLAG.ALL;
  let flags = 0;
  for (const name of text.split('|')) {
    const flag = FLAGS.get(name.toUpperCase());
    if (flag === undefined || name === 'AUTOMATON') {
      throw illegalArgument(`Unknown regexp flag [${name}]`);
    }
    if (name.toUpperCase() === 'ALL') return REGEXP_FLAG.ALL;
    flags |= flag;
  }
  return flags;
}

function flagsValue(value: Scalar): number {
  const flags = intOf(value);
  return flags < 0 ? REGEXP_FLAG.ALL : flags & REGEXP_FLAG.ALL;
}

/** `{field: text}` or `{field: {value|term, fuzziness, prefix_length, max_expansions, ...}}`. */
export const parseFuzzy: KindParser = (body, scope) => {
  const common = new CommonOptions();
  let value: Scalar | null = null;
  let rewrite: string | null = null;
  let fuzziness = Fuzziness.AUTO;
  let prefixLength = 0;
  let maxExpansions = 50;
  let transpositions = false;
  const form = fieldForm(body, 'fuzzy', scope);
  for (const { name, value: given } of form.options) {
    const option = optionName(name);
    if (option === 'term' || option === 'value') value = given;
    else if (option === 'fuzziness' || option === 'min_similarity') fuzziness = Fuzziness.of(given);
    else if (option === 'prefix_length') prefixLength = intOf(given);
    else if (option === 'max_expansions') maxExpansions = intOf(given);
    else if (option === 'transpositions') transpositions = booleanOf(given);
    else if (option === 'rewrite') rewrite = textOf(given);
    else if (!common.read(option, given)) {
      throw scope.error(`[fuzzy] query does not support [${name}]`);
    }
  }
  const term = form.short ?? value;
  if (term === null) throw scope.error('No value specified for fuzzy query');
  const ref = scope.field(form.field);
  const query = fuzzyQuery(
    ref,
    term,
    {
      fuzziness,
      prefixLength,
      maxExpansions,
      transpositions,
      rewrite: parseRewrite(rewrite, null, scope),
    },
    scope,
  );
  return finished(ref, query, common);
};
