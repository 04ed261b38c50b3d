// What narrows the search, each with a way to take it off.

import type { Target } from '../../api/endpoints';
import { countText, dateText, numberText, ringText } from '../../model/format';
import { NO_VALUE, type Condition, type SearchState } from '../../model/search-state';
import { change, changeCondition } from './search-actions';

interface Chip {
  readonly label: string;
  readonly rest: Condition;
}

/** A chip for every value, range and ring. */
export function Conditions({
  search,
  target,
}: {
  readonly search: SearchState;
  readonly target: Target;
}) {
  if (search.conditions.length === 0) return null;
  const chips = search.conditions.flatMap((condition) => chipsOf(condition, target));
  return (
    <ul class="chips" aria-label="Narrowed by">
      {chips.map(({ label, rest }) => (
        <li key={label}>
          <button
            type="button"
            aria-label={`Take off ${label}`}
            onClick={() => changeCondition(search, rest)}
          >
            {label} <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" class="plain" onClick={() => change(search, { conditions: [] })}>
            Clear all {countText(chips.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

function chipsOf(condition: Condition, target: Target): Chip[] {
  const { field } = condition;
  switch (condition.kind) {
    case 'in':
    case 'under':
      return condition.values.map((value) => ({
        label: `${field}: ${value === NO_VALUE ? 'none' : value || '(empty)'}`,
        rest: { ...condition, values: condition.values.filter((one) => one !== value) },
      }));
    case 'range': {
      const isDate = target.fields.some(({ path, kind }) => path === field && kind === 'date');
      const figures = target.survey.figures.get(field);
      const axis = figures && { from: figures.min, to: figures.max };
      const text = (value: number) =>
        isDate
          ? dateText(value, value % 86_400_000 === 0 ? 86_400_000 : 1)
          : numberText(value, axis);
      const { from, to } = condition;
      const range =
        from === null
          ? `below ${text(to ?? 0)}`
          : to === null
            ? `from ${text(from)}`
            : `${text(from)} – ${text(to)}`;
      return [{ label: `${field}: ${range}`, rest: { ...condition, from: null, to: null } }];
    }
    case 'near':
      return condition.rings.map((ring) => ({
        label: `${field}: ${ringText(ring)} of ${condition.origin}`,
        rest: { ...condition, rings: condition.rings.filter((one) => one !== ring) },
      }));
  }
}
