// Adding up the shards' terms and rendering the facet (reference server).

import type { CountedNumbers } from '../../counting/index';
import { EntryList, memberLead, type JsonOutput } from '../../json/index';
import { mergeCounted } from './counted-terms';
import { refuseTooManyEntries } from '../contract/facet-limits';
import { placeOf } from './hierarchy-column';
import { entriesOf, termText, topPositions } from './terms-order';
import type { Candidates, CountedTerms, TermsPartial, TermsSpec } from './terms-spec';

/**
 * The facet of a response. `missing` and `total` count everything in scope; `other` is what the shown
 * terms leave of the total.
 *
 * @throws TypeConflict where indices disagree about the type of the field;
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
  const { size, showMissing, cardinality } = specs[0]!;
  // compat: where no terms are asked for, their types need not agree.
  const isAsked = size > 0 || cardinality;
  const list = new EntryList();
  let shown = 0;
  let entries = 0;
  const counted = isAsked ? merged(all) : null;
  if (counted !== null) {
    // What is excluded was read as terms of the type that the field has in an index.
    const spec = specs.find(({ termType }) => termType === counted.type)!;
    const positions = topPositions(counted, spec);
    refuseTooManyEntries(spec.name, positions.length);
    for (const position of positions) {
      shown += counted.counts[position]!;
      writeEntry(list, counted, position, spec);
    }
    entries = spec.cardinality ? entriesOf(counted, spec) : 0;
  }
  // A shard on its own knows how many there are, and gives only those that are shown, if any.
  const [only] = all.length === 1 ? all : [];
  entries = only?.entries ?? entries;
  if (showMissing && missing > 0) {
    list.open(NO_TERM);
    list.integer(missing);
    list.close();
  }
  const terms = list.rendered();
  const facet = { _type: 'terms', missing, total, other: total - shown };
  return cardinality ? { ...facet, cardinality: entries, terms } : { ...facet, terms };
}

function merged(all: readonly Candidates[]): CountedTerms | null {
  return mergeCounted(all.map(({ counted }) => counted));
}

const TERM = memberLead('{"term":');
const NO_TERM = memberLead('{"term":null,"count":');
const COUNT = memberLead(',"count":');
const DEPTH = memberLead(',"depth":');
const PARENT = memberLead(',"parent":');

function writeEntry(
  list: EntryList,
  counted: CountedTerms,
  position: number,
  { hierarchy }: TermsSpec,
): void {
  list.open(TERM);
  if (counted.type === 'string') list.string(termText(counted, position));
  else writeNumber(list, counted, position);
  list.member(COUNT);
  list.integer(counted.counts[position]!);
  if (hierarchy !== null && counted.type === 'string') {
    const { depth, parent } = placeOf(termText(counted, position), hierarchy.separator);
    list.member(DEPTH);
    list.integer(depth);
    list.member(PARENT);
    if (parent === null) list.text('null');
    else list.string(parent);
  }
  list.close();
}

function writeNumber(list: EntryList, counted: CountedNumbers, position: number): void {
  if (counted.type === 'double') list.double(counted.terms[position]!);
  else list.long(counted.terms, position);
}
