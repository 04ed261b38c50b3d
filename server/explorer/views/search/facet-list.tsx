// The facets beside the hits.

import type { SearchAnswer, Target } from '../../api/endpoints';
import type { FacetPlan } from '../../model/facet-plan';
import { kindsFor } from '../../model/proposals';
import {
  conditionOf,
  type FacetChoice,
  type FacetKind,
  type SearchState,
} from '../../model/search-state';
import { AddFacet } from './add-facet';
import { ChartFacet } from './chart-facet';
import type { FacetProps } from './facet-props';
import { RingsFacet } from './rings-facet';
import { change, changeFacet, removeFacet } from './search-actions';
import { TermsFacet } from './terms-facet';
import { TreeFacet } from './tree-facet';

const KIND_NAMES: Readonly<Record<FacetKind, string>> = {
  terms: 'as values',
  tree: 'as a tree',
  histogram: 'as a chart',
  dates: 'as a chart',
  rings: 'as rings',
};

/** All facets, and a way to add one. */
export function FacetList({
  search,
  target,
  shown,
  plans,
  answer,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly shown: readonly FacetChoice[];
  readonly plans: readonly FacetPlan[];
  readonly answer: SearchAnswer | null;
}) {
  return (
    <aside class="facets" aria-label="Facets">
      {answer !== null &&
        plans.map((plan) => {
          const choice = shown.find((one) => isSame(one, plan.choice));
          if (choice === undefined) return null;
          // A tick is seen at once, its effect when the answer is there.
          const condition = conditionOf(search.conditions, choice);
          const props = { search, shown, plan: { ...plan, choice, condition }, answer };
          return (
            <section class="facet" key={`${choice.kind} ${choice.field}`} aria-label={choice.field}>
              <FacetHead {...props} />
              <FacetBody {...props} />
            </section>
          );
        })}
      <AddFacet search={search} target={target} shown={shown} />
      {search.facets !== null && (
        <button type="button" class="plain" onClick={() => change(search, { facets: null })}>
          Back to the proposed facets
        </button>
      )}
    </aside>
  );
}

function isSame(a: FacetChoice, b: FacetChoice): boolean {
  return a.kind === b.kind && a.field === b.field;
}

function FacetHead({ search, shown, plan }: FacetProps) {
  const { choice, field } = plan;
  const kinds = kindsFor(field).filter((kind) => kind !== choice.kind);
  return (
    <header>
      <h3>{choice.field}</h3>
      {kinds.map((kind) => (
        <button
          key={kind}
          type="button"
          class="plain quiet"
          onClick={() => change(search, { facets: turned(shown, choice, kind) })}
        >
          {KIND_NAMES[kind]}
        </button>
      ))}
      <button
        type="button"
        class="plain quiet"
        aria-label={`Remove the facet ${choice.field}`}
        onClick={() => removeFacet(search, shown, choice)}
      >
        ✕
      </button>
    </header>
  );
}

function turned(
  shown: readonly FacetChoice[],
  choice: FacetChoice,
  kind: FacetKind,
): readonly FacetChoice[] {
  return shown.map((one) => (one === choice ? { kind, field: choice.field } : one));
}

function FacetBody(props: FacetProps) {
  const { search, shown, plan } = props;
  const set = (parts: Partial<FacetChoice>) => changeFacet(search, shown, plan.choice, parts);
  switch (plan.choice.kind) {
    case 'terms':
      return <TermsFacet {...props} set={set} />;
    case 'tree':
      return <TreeFacet {...props} set={set} />;
    case 'histogram':
    case 'dates':
      return <ChartFacet {...props} />;
    case 'rings':
      return <RingsFacet {...props} set={set} />;
  }
}
