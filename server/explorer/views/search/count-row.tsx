// A line of a facet: a tick, a value, a bar and a count.

import type { ComponentChildren } from 'preact';
import { countText } from '../../model/format';

/** A value with its count. @param share of the largest count, from 0 to 1 */
export function CountRow({
  label,
  title,
  count,
  share,
  isTicked,
  onTick,
  children,
}: {
  readonly label: ComponentChildren;
  readonly title: string;
  readonly count: number;
  readonly share: number;
  readonly isTicked: boolean;
  readonly onTick: () => void;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`count-row${count === 0 ? ' none' : ''}`}>
      {children}
      <label title={title}>
        <input type="checkbox" checked={isTicked} onChange={onTick} />
        <span class="bar" style={{ width: `${Math.max(0.5, 100 * share)}%` }} aria-hidden="true" />
        <span class="label">{label}</span>
        <span class="count">{countText(count)}</span>
      </label>
    </div>
  );
}
