// Hits as a table: a column for each field, ordered by a click on its head.

import type { Hit, Target } from '../../api/endpoints';
import { Link } from '../../components/link';
import { titleField } from '../../model/fields';
import type { SearchState } from '../../model/search-state';
import { leavesOf, type Leaf } from '../../model/values';
import { addressOf, Title } from './hit-cards';
import { Values } from './hit-values';
import { isSortable } from './result-options';
import { change } from './search-actions';

const MOST_COLUMNS = 12;

/** A table of hits. */
export function HitTable({
  search,
  target,
  hits,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly hits: readonly Hit[];
}) {
  const title = titleField(target.fields);
  const rows = hits.map((hit) => ({ hit, leaves: leavesOf(hit.source) }));
  const columns = columnsOf(rows.map(({ leaves }) => leaves)).filter((path) => path !== title);
  if (hits.length === 0) return null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of hits">
      <table>
        <thead>
          <tr>
            <Head search={search} target={target} path={title ?? '_id'} />
            {columns.map((path) => (
              <Head key={path} search={search} target={target} path={path} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ hit, leaves }) => (
            <tr key={`${hit.index} ${hit.type} ${hit.id}`}>
              <th scope="row">
                <Link to={{ view: 'search', search: { ...search, document: addressOf(hit) } }}>
                  <Title hit={hit} title={title} />
                </Link>
              </th>
              {columns.map((path) => (
                <Cell
                  key={path}
                  search={search}
                  target={target}
                  hit={hit}
                  leaf={leaves.find((leaf) => leaf.path === path)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The fields that most rows have. */
function columnsOf(rows: readonly (readonly Leaf[])[]): string[] {
  const counts = new Map<string, number>();
  for (const leaves of rows) {
    for (const { path } of leaves) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const kept = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_COLUMNS);
  return [...counts.keys()].filter((path) => kept.some(([one]) => one === path));
}

function Head({
  search,
  target,
  path,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly path: string;
}) {
  const field = target.fields.find((one) => one.path === path);
  const { sort } = search;
  const direction = sort?.field !== path ? null : sort.isDescending ? 'descending' : 'ascending';
  if (field === undefined || !isSortable(field)) return <th scope="col">{path}</th>;
  return (
    <th scope="col" aria-sort={direction ?? 'none'} class={numeric(field.kind)}>
      <button
        type="button"
        class="plain"
        onClick={() =>
          change(search, { sort: { field: path, isDescending: direction !== 'descending' } })
        }
      >
        {path}
        <span aria-hidden="true">
          {direction === null ? '' : direction === 'descending' ? ' ↓' : ' ↑'}
        </span>
      </button>
    </th>
  );
}

function numeric(kind: string): string {
  return kind === 'number' ? 'number' : '';
}

function Cell({
  search,
  target,
  hit,
  leaf,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly hit: Hit;
  readonly leaf: Leaf | undefined;
}) {
  if (leaf === undefined) return <td />;
  const kind = target.fields.find(({ path }) => path === leaf.path)?.kind ?? 'other';
  return (
    <td class={numeric(kind)}>
      <Values search={search} target={target} hit={hit} leaf={leaf} />
    </td>
  );
}
