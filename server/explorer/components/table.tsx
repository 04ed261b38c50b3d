// Tables of figures, wider than a phone if they must be.

import type { ComponentChildren } from 'preact';

/** A column: its name alone, or how it differs from one of words. */
type Column =
  | string
  | {
      readonly name: string;
      /** `number`: figures, to the right; `wide`: takes what room there is. */
      readonly kind: 'number' | 'wide';
      /** Read out, not shown. */
      readonly isSpoken?: boolean;
    };

/** A column of figures. */
export const figures = (name: string): Column => ({ name, kind: 'number' });

/** A table that scrolls by itself. @param children its rows */
export function Table({
  columns,
  children,
}: {
  readonly columns: readonly Column[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {columns.map((column) => {
              if (typeof column === 'string') return <th scope="col">{column}</th>;
              const { name, kind, isSpoken = false } = column;
              return isSpoken ? (
                <th scope="col" class={kind} aria-label={name} />
              ) : (
                <th scope="col" class={kind}>
                  {name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
