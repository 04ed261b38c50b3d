// `fuzzy_like_this` and `fuzzy_like_this_field`: the words of a text and words like them, the best of all.

import type { Analyzer } from '../../../analysis/index';
import { illegalArgument } from '../../../errors';
import { isJsonObject } from '../../../json/index';
import { isNumeric, type FieldRef } from '../scope/field-ref';
import { searchAnalyzer } from '../fields/text-fields';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import type { FuzzyWord, Query } from '../../ast/query';
import { editsOf, Fuzziness, MAX_EDITS } from '../scope/fuzziness';
import {
  booleanOf,
  CommonOptions,
  firstMember,
  intOf,
  isScalar,
  members,
  optionNameBut,
  textOf,
  type Scalar,
} from '../scope/members';

/** compat: in its other spelling it is `ignoreTF`. */
const EXACT_OPTIONS: ReadonlySet<string> = new Set(['ignore_tf']);

const HALF_SIMILAR = 0.5;

class FuzzyOptions {
  readonly common = new CommonOptions();
  text: string | null = null;
  maxQueryTerms = 25;
  fuzziness: Fuzziness | null = null;
  prefixLength = 0;
  ignoresFrequency = false;
  analyzer: Analyzer | null = null;
  failsOnUnsupported = true;

  constructor(private readonly scope: ParseScope) {}

  read(name: string, value: Scalar): boolean {
    switch (name === 'ignoreTF' ? 'ignore_tf' : optionNameBut(name, EXACT_OPTIONS)) {
      case 'like_text':
        this.text = textOf(value);
        return true;
      case 'max_query_terms':
        this.maxQueryTerms = intOf(value);
        return true;
      case 'fuzziness':
      case 'min_similarity':
        this.fuzziness = wholeEdits(value);
        return true;
      case 'prefix_length':
        this.prefixLength = intOf(value);
        return true;
      case 'ignore_tf':
        this.ignoresFrequency = booleanOf(value);
        return true;
      case 'analyzer':
        this.analyzer = this.scope.context.mapping.analyzer(textOf(value));
        return true;
      case 'fail_on_unsupported_field':
        this.failsOnUnsupported = booleanOf(value);
        return true;
      default:
        return this.common.read(name, value);
    }
  }
}

/** `{fields, like_text, fuzziness, prefix_length, max_query_terms, ...}`. */
export const parseFuzzyLikeThis: KindParser = (body, scope) => {
  const options = new FuzzyOptions(scope);
  let fields: string[] | null = null;
  for (const member of members(body, 'array')) {
    if (member.sort === 'array') {
      if (member.name !== 'fields') throw unsupported('flt', member.name, scope);
      scope.context.meter.add('fields', member.value.length);
      fields = member.value.filter(isScalar).map(textOf);
    } else if (!options.read(member.name, member.value)) {
      throw unsupported('flt', member.name, scope);
    }
  }
  if (options.text === null) {
    throw scope.error("fuzzy_like_this requires 'like_text' to be specified");
  }
  if (fields?.length === 0) throw scope.error("fuzzy_like_this requires 'fields' to be non-empty");
  const names = fields ?? [scope.context.defaultField];
  const least = options.fuzziness?.leastSimilarity() ?? MAX_EDITS;
  return build(names, 'fuzzy_like_this', options, least, scope);
};

/** `{field: {like_text, ...}}`. */
export const parseFuzzyLikeThisField: KindParser = (body, scope) => {
  const [field, content] = firstMember(body) ?? [null, null];
  if (field === null) throw scope.error('[flt_field] query malformed, no field');
  if (!isJsonObject(content)) {
    throw scope.error('[flt_field] query malformed, no start_object');
  }
  const options = new FuzzyOptions(scope);
  for (const { name, value } of members(content)) {
    if (!options.read(name, value)) throw unsupported('flt_field', name, scope);
  }
  if (options.text === null) {
    throw scope.error("fuzzy_like_This_field requires 'like_text' to be specified");
  }
  // compat: unlike the query on several fields it goes by similarities only.
  const least = options.fuzziness?.similarityInWord() ?? HALF_SIMILAR;
  return build([field], 'fuzzy_like_this_field', options, least, scope);
};

function wholeEdits(value: Scalar): Fuzziness {
  const fuzziness = Fuzziness.of(value);
  if (fuzziness !== Fuzziness.AUTO) {
    const number = fuzziness.asDouble();
    if (number >= 1 && !Number.isInteger(number)) {
      throw illegalArgument('fractional edit distances are not allowed');
    }
  }
  return fuzziness;
}

function unsupported(query: string, name: string, scope: ParseScope): Error {
  return scope.error(`[${query}] query does not support [${name}]`);
}

function build(
  fields: readonly string[],
  kind: string,
  options: FuzzyOptions,
  least: number,
  scope: ParseScope,
): Query | null {
  const refs = fields
    .map((name) => scope.field(name))
    .filter((ref) => {
      if (!isNumeric(ref)) return true;
      if (!options.failsOnUnsupported) return false;
      throw illegalArgument(`${kind} doesn't support binary/numeric fields: [${ref.name}]`);
    });
  if (refs.length === 0) return null;
  const words = refs.flatMap((ref) => wordsOf(ref, options, least, scope));
  const query: Query = {
    kind: 'fuzzyWords',
    words,
    maxQueryTerms: options.maxQueryTerms,
    prefixLength: options.prefixLength,
    ignoresFrequency: options.ignoresFrequency,
    boost: options.common.boost,
  };
  return named(options.common.name, query);
}

/** The distinct words of the text in a field. @param least see {@link Fuzziness.leastSimilarity} */
function wordsOf(
  ref: FieldRef,
  options: FuzzyOptions,
  least: number,
  scope: ParseScope,
): FuzzyWord[] {
  const analyzer = options.analyzer ?? searchAnalyzer(ref, scope);
  const words = new Set<string>();
  scope.context.meter.add('text', options.text?.length ?? 0);
  analyzer.forEachTerm(options.text ?? '', (term) => words.add(term), scope.tokenBudget);
  // Each is compared with the terms of a shard.
  scope.checkClauses(words.size);
  const minSimilarity = least < 1 ? least : 0;
  return [...words].map((word) => {
    const maxEdits = editsOf(least, Array.from(word).length);
    return { field: ref.id, word, maxEdits, minSimilarity };
  });
}
