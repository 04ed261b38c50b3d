// Levels of paths as a tree: a level that is ticked finds everything below it.

import { readTree, type TreeNode } from '../../model/facet-results';
import { LEVEL_SIZE, separatorIn } from '../../model/facet-plan';
import { toggled, type FacetChoice } from '../../model/search-state';
import { CountRow } from './count-row';
import type { FacetProps } from './facet-props';
import { changeCondition } from './search-actions';

/** What levels may end with, besides what was found. */
const SEPARATORS = ['/', '::', '>', ' > ', '.', '|', '-'];

type TreeProps = FacetProps & { readonly set: (parts: Partial<FacetChoice>) => void };

/** A facet of paths. */
export function TreeFacet(props: TreeProps) {
  const { plan, answer, set } = props;
  const nodes = readTree(plan, answer.facets);
  const { size } = plan.choice;
  const separator = separatorIn(plan.choice);
  const largest = Math.max(1, ...nodes.map(({ count }) => count));
  return (
    <>
      <ul class="rows tree" role="tree" aria-label={plan.choice.field}>
        {nodes.map((node) => (
          <Node key={node.value} {...props} node={node} largest={largest} level={1} />
        ))}
      </ul>
      {size !== undefined || nodes.length < LEVEL_SIZE ? null : (
        <p class="more">
          <button type="button" class="plain" onClick={() => set({ size: 1000 })}>
            Show more
          </button>
        </p>
      )}
      <label class="separator muted">
        levels end with{' '}
        <select
          value={separator}
          onChange={({ currentTarget: { value } }) => set({ separator: value, open: [] })}
        >
          {[...new Set([separator, ...SEPARATORS])].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function Node({
  node,
  largest,
  level,
  ...props
}: TreeProps & {
  readonly node: TreeNode;
  readonly largest: number;
  readonly level: number;
}) {
  const { search, plan, set } = props;
  const { choice, condition } = plan;
  const { value, label, count, isTicked, children } = node;
  const isOpen = (choice.open ?? []).includes(value);
  const values = toggled(condition?.kind === 'under' ? condition.values : [], value);
  const separator = separatorIn(choice);
  return (
    <li role="treeitem" aria-level={level} aria-expanded={isOpen} aria-selected={isTicked}>
      <CountRow
        label={label}
        title={value}
        count={count}
        share={count / largest}
        isTicked={isTicked}
        onTick={() =>
          changeCondition(search, { kind: 'under', field: choice.field, separator, values })
        }
      >
        <button
          type="button"
          class="twist"
          aria-label={`${isOpen ? 'Close' : 'Open'} ${value}`}
          onClick={() => set({ open: toggled(choice.open ?? [], value) })}
        >
          {isOpen ? '▾' : '▸'}
        </button>
      </CountRow>
      {isOpen && children !== null && (
        <ul role="group" class="rows">
          {children.map((child) => (
            <Node key={child.value} {...props} node={child} largest={largest} level={level + 1} />
          ))}
          {children.length === 0 && <li class="muted leaf">nothing below</li>}
        </ul>
      )}
    </li>
  );
}
