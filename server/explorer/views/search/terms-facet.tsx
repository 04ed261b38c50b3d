// Values with counts: several can be ticked, and the counts of the others stay.

import { useEffect, useRef, useState } from 'preact/hooks';
import { countText } from '../../model/format';
import { readTerms } from '../../model/facet-results';
import { FIRST_TERMS } from '../../model/proposals';
import { NO_VALUE, type FacetChoice } from '../../model/search-state';
import { CountRow } from './count-row';
import type { FacetProps } from './facet-props';
import { tick } from './search-actions';

/** How many more are shown at a time, as a factor. */
const GROWTH = 4;
const MOST_SHOWN = 2000;
const PAUSE_MS = 250;

/** A facet of values. */
export function TermsFacet({
  search,
  plan,
  answer,
  set,
}: FacetProps & { readonly set: (parts: Partial<FacetChoice>) => void }) {
  const { choice } = plan;
  const { rows, further } = readTerms(plan, answer.facets);
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  const size = choice.size ?? FIRST_TERMS;
  const isFindable = plan.field.kind === 'keyword' || plan.field.kind === 'text';
  const hasFind =
    isFindable && ((further ?? 0) > 0 || (choice.find ?? '') !== '' || size > FIRST_TERMS);
  return (
    <>
      {hasFind && <FindValue choice={choice} set={set} />}
      <ul class="rows">
        {rows.map(({ value, count, isTicked }) => (
          <li key={value}>
            <CountRow
              label={labelOf(value, plan.field.kind)}
              title={value === NO_VALUE ? 'Documents without a value' : value}
              count={count}
              share={count / largest}
              isTicked={isTicked}
              onTick={() => tick(search, choice.field, value)}
            />
          </li>
        ))}
      </ul>
      {rows.length === 0 && <p class="muted">no values</p>}
      <p class="more">
        {(further ?? 0) > 0 && size < MOST_SHOWN && (
          <button
            type="button"
            class="plain"
            onClick={() => set({ size: Math.min(size * GROWTH, MOST_SHOWN) })}
          >
            Show more ({countText(further!)} left)
          </button>
        )}
        {size > FIRST_TERMS && (
          <button type="button" class="plain" onClick={() => set({ size: FIRST_TERMS })}>
            Show fewer
          </button>
        )}
      </p>
    </>
  );
}

function labelOf(value: string, kind: string) {
  if (value === NO_VALUE) return <em>none</em>;
  if (kind === 'boolean') return value === 'T' ? 'yes' : 'no';
  return value === '' ? <em>empty</em> : value;
}

/** Finds values by a part of them. */
function FindValue({
  choice,
  set,
}: {
  readonly choice: FacetChoice;
  readonly set: (parts: Partial<FacetChoice>) => void;
}) {
  const [find, setFind] = useState(choice.find ?? '');
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => setFind(choice.find ?? ''), [choice.find]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type="search"
      class="find"
      value={find}
      placeholder="Find a value"
      aria-label={`Find a value of ${choice.field}`}
      onInput={({ currentTarget: { value } }) => {
        setFind(value);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => set({ find: value }), PAUSE_MS);
      }}
    />
  );
}
