// Adding up the shards' terms and rendering the facet (reference server).

import { EngineError } from '../errors';
import { Double, type JsonOutput } from '../json/json';
import { mergeCounted, TypeConflict } from './counted-terms';
import { refuseTooManyEntries } from './facet-limits';
import { placeOf } from './hierarchy-column';
import { entriesOf, termText, topPositions } from './terms-order';
import type { Candidates, CountedTerms, TermsPartial, TermsSpec } from './terms-spec';

/**
 * The facet of a response. `missing` and `total` count everything in scope; `other` is what the shown
 * terms leave of the total.
 *
 * @throws EngineError ReduceSearchPhaseException where indices disagree about the type of the field;
 *   FacetPhaseExecutionException for more entries than a response may have
 */
export function reduceTerms(
  specs: readonly TermsSpec[],
  partials: readonly TermsPartial[],
): JsonOutput {
  let missing = 0;
  let total = 0;
  const all: Candidates[] = [];
  for (const partial of partials) {
    missing += partial.missing;
    total += partial.total;
    if (partial.candidates !== null) all.push(partial.candidates);
  }
  const terms: JsonOutput[] = [];
  let shown = 0;
  let entries = 0;
  const counted = merged(all);
  if (counted !== null) {
    // What is excluded was read as terms of the type that the field has in an index.
    const spec = specs.find(({ termType }) => termType === counted.type)!;
    const positions = topPositions(counted, spec);
    refuseTooManyEntries(spec.name, positions.length);
    for (const position of positions) {
      shown += counted.counts[position]!;
      terms.push(entry(counted, position, spec));
    }
    entries = spec.cardinality ? entriesOf(counted, spec) : 0;
  }
  // A shard on its own knows how many there are, and gives only those that are shown, if any.
  const [only] = all.length === 1 ? all : [];
  entries = only?.entries ?? entries;
  const { showMissing, cardinality } = specs[0]!;
  if (showMissing && missing > 0) terms.push({ term: null, count: missing });
  const facet = { _type: 'terms', missing, total, other: total - shown };
  return cardinality ? { ...facet, cardinality: entries, terms } : { ...facet, terms };
}

function merged(all: readonly Candidates[]): CountedTerms | null {
  try {
    return mergeCounted(all.map(({ counted }) => counted));
  } catch (error) {
    throw error instanceof TypeConflict ? typeConflict() : error;
  }
}

function entry(counted: CountedTerms, position: number, { hierarchy }: TermsSpec): JsonOutput {
  const count = counted.counts[position]!;
  if (hierarchy === null || counted.type !== 'string')
    return { term: renderTerm(counted, position), count };
  const term = termText(counted, position);
  return { term, count, ...placeOf(term, hierarchy.separator) };
}

function renderTerm(counted: CountedTerms, position: number): JsonOutput {
  switch (counted.type) {
    case 'string':
      return termText(counted, position);
    case 'long':
      return counted.terms[position]!;
    case 'double':
      return new Double(counted.terms[position]!);
  }
}

/** Indices disagree about the type of a field. compat: 503, "[fetch], [reduce] " with its blank (reference server). */
export function typeConflict(): EngineError {
  const cause = new Error('the field is mapped with different types in the searched indices');
  cause.name = 'ClassCastException';
  return new EngineError(
    'ReduceSearchPhaseException',
    'Failed to execute phase [fetch], [reduce] ',
    { cause },
  );
}
