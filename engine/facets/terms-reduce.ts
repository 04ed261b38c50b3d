// Adding up the shards' terms and rendering the facet (reference server).

import { EngineError } from '../errors';
import { Double, type JsonOutput } from '../json/json';
import { termText, topPositions } from './terms-order';
import type { CountedTerms, TermsPartial, TermsSpec } from './terms-spec';
import { mergeStreams, streamOfList } from './text-merge';
import { ValueTable } from './value-table';

/**
 * The facet of a response. `missing` and `total` count everything in scope; `other` is what the shown
 * terms leave of the total.
 *
 * @throws EngineError ReduceSearchPhaseException where indices disagree about the type of the field
 */
export function reduceTerms(
  specs: readonly TermsSpec[],
  partials: readonly TermsPartial[],
): JsonOutput {
  let missing = 0;
  let total = 0;
  const lists: CountedTerms[] = [];
  for (const partial of partials) {
    missing += partial.missing;
    total += partial.total;
    if (partial.counted !== null) lists.push(partial.counted);
  }
  const terms: JsonOutput[] = [];
  let shown = 0;
  const counted = mergeCounted(lists);
  if (counted !== null) {
    // What is excluded was read as terms of the type that the field has in an index.
    const spec = specs.find(({ termType }) => termType === counted.type)!;
    for (const position of topPositions(counted, spec)) {
      const count = counted.counts[position]!;
      shown += count;
      terms.push({ term: renderTerm(counted, position), count });
    }
  }
  return { _type: 'terms', missing, total, other: total - shown, terms };
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

function mergeCounted(all: readonly CountedTerms[]): CountedTerms | null {
  // compat: text without a term looks like an unmapped field, which agrees with every type.
  const lists = all.filter((list) => list.type !== 'string' || list.counts.length > 0);
  const first = lists[0];
  if (first === undefined || lists.length === 1) return first ?? null;
  if (first.type === 'string') {
    return mergeStreams(
      lists.map((list) => {
        if (list.type !== 'string') throw typeConflict();
        return streamOfList(list);
      }),
    );
  }
  const sums = new ValueTable(first.type);
  for (const list of lists) {
    if (list.type === 'string' || list.type !== first.type) throw typeConflict();
    sums.addAll(list);
  }
  return sums.result();
}

/** compat: 503, "[fetch], [reduce] " with its blank (reference server). */
function typeConflict(): EngineError {
  const cause = new Error('the field is mapped with different types in the searched indices');
  cause.name = 'ClassCastException';
  return new EngineError(
    'ReduceSearchPhaseException',
    'Failed to execute phase [fetch], [reduce] ',
    { cause },
  );
}
