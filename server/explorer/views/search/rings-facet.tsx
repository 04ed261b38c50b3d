// Distances from a place as rings around it.

import { useEffect, useState } from 'preact/hooks';
import { countOf, ringText } from '../../model/format';
import { readRings, type RingRow } from '../../model/facet-results';
import { readPlace } from '../../model/geo';
import { isSameRing, toggled, type FacetChoice, type Ring } from '../../model/search-state';
import { CountRow } from './count-row';
import type { FacetProps } from './facet-props';
import { changeCondition } from './search-actions';

const SIZE = 120;

/** A facet of distances. */
export function RingsFacet({
  search,
  plan,
  answer,
  set,
}: FacetProps & { readonly set: (parts: Partial<FacetChoice>) => void }) {
  const rows = readRings(plan, answer.facets);
  const { field } = plan.choice;
  const { condition, origin } = plan;
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  if (origin === null) return null;
  const tickRing = (ring: Ring) => {
    const ticked = condition?.kind === 'near' ? condition.rings : [];
    const rings = toggled(ticked, ring, isSameRing);
    changeCondition(search, { kind: 'near', field, origin, rings });
  };
  return (
    <>
      <Picture rows={rows} largest={largest} onTick={tickRing} />
      <ul class="rows">
        {rows.map(({ ring, count, isTicked }) => (
          <li key={ringText(ring)}>
            <CountRow
              label={ringText(ring)}
              title={`${ringText(ring)} of ${origin}`}
              count={count}
              share={count / largest}
              isTicked={isTicked}
              onTick={() => tickRing(ring)}
            />
          </li>
        ))}
      </ul>
      <Origin
        field={field}
        origin={origin}
        set={(place) => {
          if (condition?.kind === 'near') changeCondition(search, { ...condition, origin: place });
          else set({ origin: place });
        }}
      />
    </>
  );
}

function Picture({
  rows,
  largest,
  onTick,
}: {
  readonly rows: readonly RingRow[];
  readonly largest: number;
  readonly onTick: (ring: Ring) => void;
}) {
  const step = SIZE / 2 / rows.length;
  return (
    <svg class="rings" viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
      {rows
        .map((row, i) => ({ ...row, radius: (i + 0.5) * step }))
        .map(({ ring, count, isTicked, radius }) => (
          <circle
            key={radius}
            class={isTicked ? 'ring ticked' : 'ring'}
            cx={SIZE / 2}
            cy={SIZE / 2}
            r={radius}
            stroke-width={step - 1.5}
            stroke-opacity={0.1 + (0.8 * count) / largest}
            onClick={() => onTick(ring)}
          >
            <title>{`${ringText(ring)}: ${countOf(count, 'document')}`}</title>
          </circle>
        ))}
    </svg>
  );
}

/** The place that rings are around. */
function Origin({
  field,
  origin,
  set,
}: {
  readonly field: string;
  readonly origin: string;
  readonly set: (origin: string) => void;
}) {
  const [text, setText] = useState(origin);
  useEffect(() => setText(origin), [origin]);
  const submit = () => {
    const place = readPlace(text);
    if (place === null) setText(origin);
    else if (text !== origin) set(`${place.lat},${place.lon}`);
  };
  return (
    <label class="origin muted">
      around{' '}
      <input
        type="text"
        value={text}
        aria-label={`Latitude and longitude that ${field} is measured from`}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={submit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') submit();
        }}
      />
    </label>
  );
}
