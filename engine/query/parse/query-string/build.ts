// From the syntax tree of query_string to queries: fields are resolved, text is analyzed, clauses are
// combined left to right without precedence (reference server).

import { boolQuery } from '../../ast/bool-query';
import { EngineError } from '../../../errors';
import { Fuzziness } from '../scope/fuzziness';
import { existsFilter, missingFilter } from '../fields/exists-fields';
import { isDate, isNumeric, restrict, takesValues, type FieldRef } from '../scope/field-ref';
import { fuzzyQuery, prefixQuery, regexpQuery } from '../fields/multi-term-fields';
import { leniently, rangeQuery } from '../fields/range-fields';
import { termQuery } from '../fields/term-fields';
import { searchAnalyzer, textQuery, tokenQuery } from '../fields/text-fields';
import { REGEXP_FLAG } from '../../automaton/regexp-parser';
import { withBoost, type ParseScope } from '../scope/parse-scope';
import { MATCH_ALL, UNMAPPED_FIELD, type Query } from '../../ast/query';
import { QuerySyntaxError } from './lexer';
import type { QueryStringOptions } from './options';
import { parseSyntax, type Clause, type SyntaxNode } from './parser';
import { analyzedPattern, analyzedPrefixes } from './wildcards';
import { completeNegative } from '../../ast/minimum-should-match';

/**
 * The query of a text; null when analysis left nothing of it. Clauses are built while the text is read:
 * a value that does not fit its field is reported before a syntax error behind it.
 *
 * @throws EngineError when a value does not fit its field, QuerySyntaxError for a malformed text or a
 *         leading wildcard that is not allowed, NestingError
 */
export function buildQuery(
  text: string,
  options: QueryStringOptions,
  scope: ParseScope,
): Query | null {
  const builder = new Builder(options, scope);
  return builder.build(parseSyntax(text, (leaf) => builder.addLeaf(leaf)));
}

/** A bool clause being collected; its occurrence may still change when the next one arrives. */
interface Collected {
  occur: 'must' | 'should' | 'mustNot';
  readonly query: Query;
}

class Builder {
  private readonly fields: ReadonlyMap<string, number | null>;
  /** The one default field, or null when several were given, or none that exists. */
  private readonly defaultField: string | null;
  private readonly leaves = new Map<SyntaxNode, Query | null>();

  constructor(
    private readonly options: QueryStringOptions,
    private readonly scope: ParseScope,
  ) {
    this.fields = options.fields ?? new Map([[options.defaultField, null]]);
    const [first, second] = this.fields.keys();
    this.defaultField = second === undefined ? (first ?? null) : null;
  }

  addLeaf(leaf: SyntaxNode): void {
    this.leaves.set(leaf, this.build(leaf));
  }

  build(node: SyntaxNode): Query | null {
    const known = this.leaves.get(node);
    if (known !== undefined) return known;
    const query = this.buildBare(node);
    return query === null || node.boost === null ? query : withBoost(query, node.boost);
  }

  private buildBare(node: SyntaxNode): Query | null {
    switch (node.kind) {
      case 'group':
        return this.group(node.clauses);
      case 'word':
        return this.word(node.field, node.text);
      case 'quoted':
        return this.quoted(node.field, node.text, node.slop ?? this.options.phraseSlop);
      case 'prefix':
        return this.prefix(node.field, node.text);
      case 'wildcard':
        return this.wildcard(node.field, node.pattern);
      case 'regexp':
        return this.perField(node.field, (field) => this.regexp(field, node.pattern));
      case 'fuzzy':
        return this.perField(node.field, (field) =>
          this.fuzzy(field, node.text, node.similarity ?? this.options.fuzziness),
        );
      case 'range':
        return this.perField(node.field, (field) => this.range(field, node));
    }
  }

  // Groups

  private group(clauses: readonly Clause[]): Query | null {
    const collected: Collected[] = [];
    let first: Query | null = null;
    for (const clause of clauses) {
      const query = this.build(clause.node);
      if (clause === clauses[0] && clause.modifier === 'none') first = query;
      this.addClause(collected, clause, query);
    }
    if (collected.length === 1 && first !== null) return first;
    return this.bool(collected, false);
  }

  private addClause(collected: Collected[], clause: Clause, query: Query | null): void {
    const { conjunction } = clause;
    const orByDefault = this.options.defaultOperator === 'or';
    const previous = collected[collected.length - 1];
    if (previous !== undefined && previous.occur !== 'mustNot') {
      if (conjunction === 'and') previous.occur = 'must';
      if (conjunction === 'or' && !orByDefault) previous.occur = 'should';
    }
    if (query === null) return;
    const required = orByDefault
      ? clause.modifier === 'required' || conjunction === 'and'
      : conjunction !== 'or';
    const occur = clause.modifier === 'prohibited' ? 'mustNot' : required ? 'must' : 'should';
    collected.push({ occur, query });
    this.scope.checkClauses(collected.length);
  }

  /** Null without clauses. */
  private bool(collected: readonly Collected[], disableCoord: boolean): Query | null {
    if (collected.length === 0) return null;
    const of = (occur: Collected['occur']): Query[] =>
      collected.filter((clause) => clause.occur === occur).map(({ query }) => query);
    return completeNegative(
      boolQuery({
        must: of('must'),
        should: of('should'),
        mustNot: of('mustNot'),
        order: collected.map(({ occur }) => occur),
        disableCoord,
      }),
    );
  }

  // Fields

  /** The names a clause is about; patterns are expanded. */
  private namesOf(field: string | null): readonly string[] {
    const name = field ?? this.defaultField;
    if (name === null) return [...this.fields.keys()];
    if (!name.includes('*')) return [name];
    const { mapping, types, meter } = this.scope.context;
    meter.patterns.add(mapping.fieldCount);
    return [...new Set(mapping.match(name, types).map((mapped) => mapped.indexName))];
  }

  /** One query, or the best of the queries of several fields. */
  private perField(field: string | null, build: (name: string) => Query | null): Query | null {
    const names = this.namesOf(field);
    this.scope.context.meter.add('queries', names.length);
    const [first, second] = names;
    // A single field keeps its own boost: the one given with its name does not count.
    if (first !== undefined && second === undefined)
      return leniently(this.options, () => build(first));
    return this.bestOf(names, build);
  }

  private bestOf(names: readonly string[], build: (name: string) => Query | null): Query | null {
    const queries: Query[] = [];
    for (const name of names) {
      const query = leniently(this.options, () => build(name));
      if (query !== null) queries.push(this.withFieldBoost(name, query));
    }
    if (queries.length === 0) return null;
    const { tieBreaker } = this.options;
    if (this.options.useDisMax) return { kind: 'disMax', queries, tieBreaker, boost: 1 };
    this.scope.checkClauses(queries.length);
    return this.bool(
      queries.map((query): Collected => ({ occur: 'should', query })),
      true,
    );
  }

  private withFieldBoost(name: string, query: Query): Query {
    const boosted = [...this.fields.values()].some((boost) => boost !== null);
    return boosted ? withBoost(query, this.fields.get(name) ?? 1) : query;
  }

  // Leaves

  private word(field: string | null, text: string): Query | null {
    const special = this.existence(field, text);
    if (special !== undefined) return special;
    return this.perField(field, (name) => this.fieldText(name, text, false, 0));
  }

  private quoted(field: string | null, text: string, slop: number): Query | null {
    const special = this.existence(field, text);
    if (special !== undefined) return special;
    // Unlike words, quoted text takes the boost of a single field.
    const names = this.namesOf(field);
    this.scope.context.meter.add('queries', names.length);
    return this.bestOf(names, (name) => this.fieldText(name, text, true, slop));
  }

  /** `_exists_:name` and `_missing_:name`; undefined for other fields. */
  private existence(field: string | null, name: string): Query | null | undefined {
    if (field !== '_exists_' && field !== '_missing_') return undefined;
    const filter =
      field === '_exists_'
        ? existsFilter(name, this.scope)
        : missingFilter(name, true, false, this.scope);
    return filter === null ? null : { kind: 'constantScore', query: filter, boost: 1 };
  }

  private fieldText(name: string, text: string, quoted: boolean, slop: number): Query | null {
    if (!quoted && text.length > 1 && /^[<>]/.test(text)) return this.comparison(name, text);
    const ref = this.fieldRef(name, quoted);
    if (takesValues(ref)) return restrict(ref, termQuery(ref, text, this.scope));
    const forced = quoted
      ? (this.options.quoteAnalyzer ?? this.options.analyzer)
      : this.options.analyzer;
    const query = textQuery(
      ref,
      text,
      {
        analyzer: forced ?? searchAnalyzer(ref, this.scope),
        operator: this.options.defaultOperator,
        phrase: quoted || this.options.autoGeneratePhraseQueries,
        slop: quoted ? slop : this.options.phraseSlop,
        term: (term) => tokenQuery(ref, term),
      },
      this.scope,
    );
    return query === null ? null : restrict(ref, query);
  }

  private fieldRef(name: string, quoted: boolean): FieldRef {
    const { quoteFieldSuffix } = this.options;
    if (quoted && quoteFieldSuffix !== null) {
      const { mapping, types } = this.scope.context;
      const suffixed = name + quoteFieldSuffix;
      if (mapping.find(suffixed, types) !== null) return this.scope.field(suffixed);
    }
    return this.scope.field(name);
  }

  /** `field:>5`, `field:<=5`. */
  private comparison(name: string, text: string): Query | null {
    const inclusive = text.length > 2 && text[1] === '=';
    const bound = text.slice(inclusive ? 2 : 1);
    return text.startsWith('>')
      ? this.range(name, { from: bound, to: null, includeFrom: inclusive, includeTo: true })
      : this.range(name, { from: null, to: bound, includeFrom: true, includeTo: inclusive });
  }

  private range(
    name: string,
    bounds: { from: string | null; to: string | null; includeFrom: boolean; includeTo: boolean },
  ): Query | null {
    const ref = this.scope.field(name);
    const cased = (text: string | null): string | null =>
      text === null || ref.mapped === null || isNumeric(ref) ? text : this.lowerCased(text);
    const spec = {
      ...bounds,
      from: cased(bounds.from),
      to: cased(bounds.to),
      format: null,
      timeZone: isDate(ref) ? this.options.timeZone : null,
    };
    return restrict(ref, rangeQuery(ref, spec, 'query', this.scope));
  }

  private lowerCased(text: string): string {
    return this.options.lowercaseExpandedTerms ? text.toLowerCase() : text;
  }

  private prefix(field: string | null, text: string): Query | null {
    if (!this.options.allowLeadingWildcard && text.startsWith('*')) {
      throw new QuerySyntaxError("'*' not allowed as first character in PrefixQuery");
    }
    return this.perField(field, (name) => {
      const ref = this.scope.field(name);
      const { rewrite } = this.options;
      // Type names are words like others here.
      const isValue = takesValues(ref) && ref.special !== '_type';
      if (isValue) return restrict(ref, prefixQuery(ref, text, rewrite, this.scope));
      const prefixes = this.options.analyzeWildcard
        ? analyzedPrefixes(this.checkedText(text), this.analyzerOf(ref), this.scope.tokenBudget)
        : [text];
      const queries = prefixes.map((prefix): Collected => ({
        occur: 'should',
        query: prefixQuery(ref, this.lowerCased(prefix), rewrite, this.scope),
      }));
      this.scope.checkClauses(queries.length);
      const query = queries.length === 1 ? queries[0]!.query : this.bool(queries, true);
      return query === null ? null : restrict(ref, query);
    });
  }

  private checkedText(text: string): string {
    this.scope.context.meter.add('text', text.length);
    return text;
  }

  private analyzerOf(ref: FieldRef) {
    return this.options.analyzer ?? searchAnalyzer(ref, this.scope);
  }

  private wildcard(field: string | null, pattern: string): Query | null {
    if (pattern === '*' && (field === null || field === '*' || field === this.defaultField)) {
      const name = field ?? this.defaultField;
      if (name === null || name === '*' || name === '_all') return MATCH_ALL;
      return { kind: 'constantScore', query: existsFilter(name, this.scope), boost: 1 };
    }
    if (!this.options.allowLeadingWildcard && /^[*?]/.test(pattern)) {
      throw new QuerySyntaxError("'*' or '?' not allowed as first character in WildcardQuery");
    }
    const cased = this.lowerCased(pattern);
    this.scope.context.meter.checkPattern('wildcard', pattern);
    return this.perField(field, (name) => {
      const ref = this.scope.field(name);
      const analyzed = this.options.analyzeWildcard
        ? analyzedPattern(this.checkedText(cased), this.analyzerOf(ref), this.scope.tokenBudget)
        : cased;
      // Unlike the wildcard query, this never reads the pattern as a number.
      const id = takesValues(ref) && ref.special !== '_type' ? 0 : ref.id;
      return restrict(ref, {
        kind: 'wildcard',
        field: id,
        pattern: analyzed,
        boost: 1,
        rewrite: this.options.rewrite,
      });
    });
  }

  private regexp(name: string, pattern: string): Query | null {
    const ref = this.scope.field(name);
    const { rewrite } = this.options;
    // compat: unlike all others, expressions are looked up under the name as it was given.
    const isIndexed = isNumeric(ref) || ref.mapped?.indexName === name;
    const searched = isIndexed ? ref : { ...ref, id: UNMAPPED_FIELD };
    const flags = REGEXP_FLAG.ALL;
    return restrict(
      ref,
      regexpQuery(searched, this.lowerCased(pattern), flags, rewrite, this.scope),
    );
  }

  private fuzzy(name: string, text: string, similarity: string): Query | null {
    const ref = this.scope.field(name);
    const options = {
      fuzziness: Fuzziness.of(similarity),
      prefixLength: this.options.fuzzyPrefixLength,
      maxExpansions: this.options.fuzzyMaxExpansions,
      transpositions: false,
      rewrite: ref.mapped === null ? this.options.fuzzyRewrite : null,
    };
    return restrict(ref, fuzzyQuery(ref, this.lowerCased(text), options, this.scope));
  }
}

/** A syntax error as a response shows it: the text that could not be parsed, and twice why. */
export function parseFailure(
  text: string,
  error: EngineError,
  scope: ParseScope,
  reason = error.message,
): EngineError {
  const cause = new EngineError('ParseException', `Cannot parse '${text}': ${reason}`, {
    cause: error,
  });
  return scope.error(`Failed to parse query [${text}]`, cause);
}
