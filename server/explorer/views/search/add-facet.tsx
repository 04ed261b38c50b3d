// Adds a facet on any field that can have one.

import type { Target } from '../../api/endpoints';
import type { Field } from '../../model/fields';
import { furtherFields, newFacet } from '../../model/proposals';
import type { FacetChoice, SearchState } from '../../model/search-state';
import { change } from './search-actions';

/** A list of fields to choose from. */
export function AddFacet({
  search,
  target,
  shown,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly shown: readonly FacetChoice[];
}) {
  const fields = furtherFields(target.fields, shown);
  if (fields.length === 0) return null;
  const add = (path: string) => {
    const field = fields.find((one) => one.path === path);
    const facet = field === undefined ? null : newFacet(field, target.survey);
    if (facet !== null) change(search, { facets: [facet, ...shown] });
  };
  return (
    <select
      class="add-facet"
      value=""
      aria-label="Add a facet"
      onChange={({ currentTarget }) => {
        add(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">Add a facet …</option>
      {fields.map((field) => (
        <option key={field.path} value={field.path}>
          {field.path} ({describe(field)})
        </option>
      ))}
    </select>
  );
}

function describe({ kind, type, isPartial }: Field): string {
  return `${kind === 'text' ? 'words' : type}${isPartial ? ', not in all indices' : ''}`;
}
