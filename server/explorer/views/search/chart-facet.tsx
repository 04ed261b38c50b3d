// Numbers and dates as a chart, in which a range is dragged, with their figures.

import { useRef, useState } from 'preact/hooks';
import { dateText, numberText, countOf } from '../../model/format';
import { readBars, type BarsResult } from '../../model/facet-results';
import { edgesOf, nearestEdge, type Axis } from '../../model/scale';
import { RangeInputs } from './range-inputs';
import type { FacetProps } from './facet-props';
import { changeCondition } from './search-actions';

const WIDTH = 240;
const HEIGHT = 56;

/** From where to where, on the axis. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A facet of numbers or dates. */
export function ChartFacet({ search, plan, answer }: FacetProps) {
  const { axis, choice, condition } = plan;
  const svg = useRef<SVGSVGElement>(null);
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number } | null>(null);
  if (axis === null) return null;
  const isDate = choice.kind === 'dates';
  const result = readBars(plan, answer.facets);
  const edges = edgesOf(axis);
  const range = condition?.kind === 'range' ? condition : null;
  const chosen: Span | null =
    drag !== null
      ? { from: Math.min(drag.start, drag.end), to: Math.max(drag.start, drag.end) }
      : range && { from: range.from ?? axis.from, to: range.to ?? axis.to };
  const text = (value: number) => (isDate ? dateText(value, axis.step) : numberText(value, axis));
  const set = (from: number | null, to: number | null) =>
    changeCondition(search, { kind: 'range', field: choice.field, from, to });
  const valueAt = (event: PointerEvent): number => {
    const box = svg.current!.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return nearestEdge(edges, axis.from + share * (axis.to - axis.from));
  };
  return (
    <div class="chart">
      <svg
        ref={svg}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${choice.field} from ${text(axis.from)} to ${text(axis.to)}; drag for a range`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ start: valueAt(event), end: valueAt(event) });
        }}
        onPointerMove={(event) => {
          if (drag !== null) setDrag({ ...drag, end: valueAt(event) });
        }}
        onPointerCancel={() => setDrag(null)}
        onPointerUp={() => {
          setDrag(null);
          if (drag === null || chosen === null) return;
          if (chosen.from === chosen.to) return set(null, null);
          // An end of the axis is no bound: values may lie beyond it.
          set(
            chosen.from <= axis.from ? null : chosen.from,
            chosen.to >= axis.to ? null : chosen.to,
          );
        }}
      >
        {chosen !== null && <Selection span={chosen} axis={axis} />}
        <Bars result={result} axis={axis} chosen={chosen} text={text} />
      </svg>
      <div class="axis muted" aria-hidden="true">
        <span>{text(axis.from)}</span>
        <span>
          {drag !== null && chosen !== null && `${text(chosen.from)} – ${text(chosen.to)}`}
        </span>
        <span>{text(axis.to)}</span>
      </div>
      <RangeInputs
        field={choice.field}
        isDate={isDate}
        from={range?.from ?? null}
        to={range?.to ?? null}
        set={set}
      />
      <Figures result={result} isDate={isDate} axis={axis} />
    </div>
  );
}

function x(value: number, { from, to }: Axis): number {
  return ((Math.min(Math.max(value, from), to) - from) / (to - from)) * WIDTH;
}

function Selection({ span, axis }: { readonly span: Span; readonly axis: Axis }) {
  const left = x(span.from, axis);
  return <rect class="selection" x={left} y={0} width={x(span.to, axis) - left} height={HEIGHT} />;
}

function Bars({
  result,
  axis,
  chosen,
  text,
}: {
  readonly result: BarsResult;
  readonly axis: Axis;
  readonly chosen: Span | null;
  readonly text: (value: number) => string;
}) {
  const largest = Math.max(1, ...result.bars.map(({ count }) => count));
  return (
    <>
      {result.bars.map(({ from, to, count }) => {
        // A bar of few stays visible beside one of very many.
        const height = Math.max(1.5, (count / largest) * (HEIGHT - 2));
        const left = x(from, axis);
        const isIn = chosen === null || (from < chosen.to && to > chosen.from);
        return (
          <rect
            key={from}
            class={isIn ? 'bar' : 'bar out'}
            x={left}
            y={HEIGHT - height}
            width={Math.max(0.8, x(to, axis) - left - 0.8)}
            height={height}
          >
            <title>{`${text(from)} – ${text(to)}: ${countOf(count, 'document')}`}</title>
          </rect>
        );
      })}
    </>
  );
}

function Figures({
  result: { figures, beyond },
  isDate,
  axis,
}: {
  readonly result: BarsResult;
  readonly isDate: boolean;
  readonly axis: Axis;
}) {
  if (figures === null) return <p class="muted">no values</p>;
  const { min, max, mean, deviation, total, count } = figures;
  const text = (value: number) => (isDate ? dateText(value, 86_400_000) : numberText(value, axis));
  const rows: readonly (readonly [string, string])[] = isDate
    ? [
        ['first', text(min)],
        ['last', text(max)],
        ['mean', text(mean)],
        ['values', numberText(count)],
      ]
    : [
        ['min', text(min)],
        ['max', text(max)],
        ['mean', numberText(mean)],
        ['deviation', numberText(deviation)],
        ['sum', numberText(total)],
        ['values', numberText(count)],
      ];
  return (
    <>
      {beyond > 0 && <p class="muted">{countOf(beyond, 'document')} beyond the chart</p>}
      <dl class="figures">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
