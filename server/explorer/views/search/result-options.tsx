// How hits are ordered and laid out.

import type { Target } from '../../api/endpoints';
import type { Field } from '../../model/fields';
import type { SearchState } from '../../model/search-state';
import { change } from './search-actions';

/** Whether hits can be ordered by a field. */
export function isSortable({ kind, nested }: Field): boolean {
  return nested === null && ['number', 'date', 'keyword', 'boolean', 'ip'].includes(kind);
}

/** Order, layout and hits per page. */
export function ResultOptions({
  search,
  target,
}: {
  readonly search: SearchState;
  readonly target: Target;
}) {
  const { sort, layout } = search;
  const fields = target.fields.filter(isSortable);
  return (
    <div class="options">
      <label>
        Sort{' '}
        <select
          value={sort?.field ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change(search, {
              sort:
                value === '' ? null : { field: value, isDescending: sort?.isDescending ?? true },
            })
          }
        >
          <option value="">best first</option>
          {fields.map(({ path }) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
      </label>
      {sort !== null && (
        <button
          type="button"
          class="plain"
          aria-label={sort.isDescending ? 'Descending; reverse' : 'Ascending; reverse'}
          onClick={() => change(search, { sort: { ...sort, isDescending: !sort.isDescending } })}
        >
          {sort.isDescending ? '↓' : '↑'}
        </button>
      )}
      <label>
        Show{' '}
        <select
          value={String(search.size)}
          onChange={({ currentTarget: { value } }) => change(search, { size: Number(value) })}
        >
          {[10, 20, 50, 100].map((size) => (
            <option key={size} value={String(size)}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <div class="switch" role="group" aria-label="Layout">
        {(['cards', 'table'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={layout === one}
            onClick={() => change(search, { layout: one })}
          >
            {one === 'cards' ? 'Cards' : 'Table'}
          </button>
        ))}
      </div>
    </div>
  );
}
