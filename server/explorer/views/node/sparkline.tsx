// A figure over the last two minutes.

const WIDTH = 200;
const HEIGHT = 44;

/** A line, and its newest value. */
export function Sparkline({
  name,
  values,
  text,
}: {
  readonly name: string;
  readonly values: readonly number[];
  readonly text: (value: number) => string;
}) {
  const largest = Math.max(1e-9, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, i) =>
      `${(i * step).toFixed(1)},${(HEIGHT - 1 - (value / largest) * (HEIGHT - 4)).toFixed(1)}`,
  );
  const newest = values.at(-1);
  return (
    <figure class="sparkline">
      <figcaption>
        <span class="muted">{name}</span>
        <strong>{newest === undefined ? '–' : text(newest)}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {points.length > 1 && (
          <>
            <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
            <polyline points={points.join(' ')} />
          </>
        )}
      </svg>
      <span class="muted most">most {text(values.length === 0 ? 0 : largest)}</span>
    </figure>
  );
}
