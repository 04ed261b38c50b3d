// Random span queries on the fields of test documents.

import fc from 'fast-check';
import type { Rewrite, SpanTree } from '../../engine/query/ast/query';
import { fieldOfSpans } from '../../engine/query/ast/spans';

const TERMS = ['a', 'b', 'ab', 'ba', 'abc', 'abd', 'absent'];

const rewrite: fc.Arbitrary<Rewrite> = fc.constantFrom(
  { method: 'constant' },
  { method: 'topTerms', size: 2, boost: false },
);

/** Trees over the terms of a field. */
export function spansOfField(id: number): fc.Arbitrary<SpanTree> {
  return spans({ id }, TERMS, 3);
}

type Field = { readonly id: number };

function leaf(field: Field, terms: readonly string[]): fc.Arbitrary<SpanTree> {
  const term = fc
    .constantFrom(...terms)
    .map((each): SpanTree => ({ type: 'term', field, term: each }));
  if (terms.length < TERMS.length) return term;
  const { id } = field;
  const multi = fc
    .oneof(
      fc.record({
        kind: fc.constant('prefix' as const),
        field: fc.constant(id),
        prefix: fc.constantFrom('', 'a', 'ab', 'q'),
        boost: fc.constant(1),
        rewrite,
      }),
      fc.record({
        kind: fc.constant('wildcard' as const),
        field: fc.constant(id),
        pattern: fc.constantFrom('?b', 'a*', 'q*'),
        boost: fc.constant(1),
        rewrite,
      }),
      fc.record({
        kind: fc.constant('fuzzy' as const),
        field: fc.constant(id),
        term: fc.constantFrom('ab', 'abc'),
        maxEdits: fc.constantFrom(1, 2),
        prefixLength: fc.constant(0),
        maxExpansions: fc.constantFrom(2, 50),
        transpositions: fc.constant(false),
        boost: fc.constant(1),
        rewrite: fc.constant(null),
      }),
    )
    .map((query): SpanTree => ({ type: 'multi', field, query }));
  return fc.oneof({ weight: 3, arbitrary: term }, { weight: 1, arbitrary: multi });
}

/** Clauses of spans that may stand in any order share no terms: which of two alike moves first is open. */
function spans(field: Field, terms: readonly string[], depth: number): fc.Arbitrary<SpanTree> {
  if (depth === 0) return leaf(field, terms);
  const child = spans(field, terms, depth - 1);
  const clauses = fc.array(child, { minLength: 1, maxLength: 3 });
  const slop = fc.constantFrom(-1, 0, 0, 1, 2, 5);
  const choices: fc.Arbitrary<SpanTree>[] = [
    leaf(field, terms),
    fc.record({ type: fc.constant('or' as const), field: fc.constant(field), clauses }),
    fc.record({
      type: fc.constant('near' as const),
      field: fc.constant(field),
      clauses,
      slop,
      isOrdered: fc.constant(true),
    }),
    fc.record({
      type: fc.constant('first' as const),
      match: child,
      end: fc.integer({ min: 0, max: 6 }),
    }),
    fc.record({
      type: fc.constant('not' as const),
      include: child,
      exclude: child,
      pre: fc.integer({ min: 0, max: 2 }),
      post: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({
      type: fc.constant('masked' as const),
      match: child,
      field: fc.constant(field),
      boost: fc.constantFrom(1, 2),
    }),
  ];
  if (terms.length > 1) {
    const middle = terms.length >> 1;
    const halves = fc.tuple(
      spans(field, terms.slice(0, middle), depth - 1),
      spans(field, terms.slice(middle), depth - 1),
    );
    choices.push(
      fc.tuple(halves, slop).map(([parts, each]): SpanTree => ({
        type: 'near',
        field: fieldOfSpans(parts[0]),
        clauses: parts,
        slop: each,
        isOrdered: false,
      })),
    );
  }
  return fc.oneof(...choices);
}
