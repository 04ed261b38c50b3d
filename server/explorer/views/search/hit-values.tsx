// Values of a hit, with marked words and with what can be done with them.

import type { Hit, Target } from '../../api/endpoints';
import { Marked } from '../../components/marked';
import type { Field } from '../../model/fields';
import { placeIn, placeText } from '../../model/geo';
import { unmarked } from '../../model/marks';
import { conditionOf, type SearchState } from '../../model/search-state';
import { valueText, type Leaf } from '../../model/values';
import { change, tick } from './search-actions';

/** Values of a list that are shown. */
const MOST_VALUES = 12;
/** Characters of a text that are shown. */
const MOST_TEXT = 320;

/** The values of one field of a hit. */
export function Values({
  search,
  target,
  hit,
  leaf,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly hit: Hit;
  readonly leaf: Leaf;
}) {
  const field = target.fields.find(({ path }) => path === leaf.path);
  const marks = hit.marks.get(leaf.path) ?? [];
  const shown = leaf.values.slice(0, MOST_VALUES);
  if (field?.kind === 'text' && marks.length > 0) return <Fragments leaf={leaf} marks={marks} />;
  return (
    <>
      {shown.map((value, i) => (
        <>
          {i > 0 && ' '}
          <Value search={search} field={field} value={value} marks={marks} />
        </>
      ))}
      {leaf.values.length > shown.length && (
        <span class="muted"> and {leaf.values.length - shown.length} more</span>
      )}
    </>
  );
}

/** A short text whole, a long one by the parts around its marked words. */
function Fragments({ leaf, marks }: { readonly leaf: Leaf; readonly marks: readonly string[] }) {
  const whole = leaf.values.map(valueText).join(' ');
  const isWhole = marks.length === 1 && unmarked(marks[0]!).length >= whole.length;
  return (
    <span>
      {!isWhole && !whole.startsWith(unmarked(marks[0]!)) && '… '}
      <Marked text={marks.join(' … ')} />
      {!isWhole && !whole.endsWith(unmarked(marks.at(-1)!)) && ' …'}
    </span>
  );
}

function Value({
  search,
  field,
  value,
  marks,
}: {
  readonly search: SearchState;
  readonly field: Field | undefined;
  readonly value: unknown;
  readonly marks: readonly string[];
}) {
  const text = valueText(value);
  const marked = marks.find((one) => unmarked(one) === text) ?? text;
  if (field?.kind === 'keyword' && text.length < 100) {
    const condition = conditionOf(search.conditions, { kind: 'terms', field: field.path });
    const isTicked = condition?.kind === 'in' && condition.values.includes(text);
    return (
      <button
        type="button"
        class="value"
        aria-pressed={isTicked}
        title={`Only ${field.path} ${text}`}
        onClick={() => tick(search, field.path, text)}
      >
        <Marked text={marked} />
      </button>
    );
  }
  const place = field?.kind === 'geo_point' ? placeIn(value) : null;
  if (field !== undefined && place !== null) {
    return (
      <button
        type="button"
        class="value"
        title="Measure distances from here"
        onClick={() => measureFrom(search, field.path, placeText(place))}
      >
        {placeText(place)}
      </button>
    );
  }
  return (
    <span>
      {marked.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : <Marked text={marked} />}
    </span>
  );
}

/** Puts the rings of a field around a place. */
function measureFrom(search: SearchState, field: string, origin: string): void {
  const conditions = search.conditions.filter(
    ({ kind, field: other }) => kind !== 'near' || other !== field,
  );
  const facet = { kind: 'rings', field, origin } as const;
  const others = (search.facets ?? []).filter(
    (one) => one.kind !== facet.kind || one.field !== field,
  );
  change(search, { conditions, facets: [facet, ...others] });
}
