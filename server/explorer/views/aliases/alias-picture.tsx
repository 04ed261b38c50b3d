// Names at both sides, and a line for every index of an alias. Rows have one height, so that lines meet them.

import { Link } from '../../components/link';
import type { AliasGraph, AliasLink } from '../../model/alias-graph';

/** As in the style sheet. */
const ROW = 44;
const WIDTH = 160;

/** The picture. */
export function AliasPicture({
  graph,
  find,
  chosen,
}: {
  readonly graph: AliasGraph;
  readonly find: string;
  readonly chosen: string | null;
}) {
  const { aliases, indices, links } = graph;
  const height = Math.max(aliases.length, indices.length) * ROW;
  const middle = (list: readonly string[], name: string) =>
    list.indexOf(name) * ROW + ROW / 2 + offset(list.length, aliases.length, indices.length);
  return (
    <div class="alias-picture" role="group" aria-label="Aliases and their indices">
      <ul class="names">
        {aliases.map((alias) => (
          <li key={alias}>
            <Link
              to={{ view: 'aliases', find, alias: alias === chosen ? null : alias }}
              isCurrent={alias === chosen}
            >
              <span class="name">{alias}</span>
              <span class="muted">{traits(links.filter((link) => link.alias === alias))}</span>
            </Link>
          </li>
        ))}
      </ul>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        height={height}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {links.map((link) => {
          const from = middle(aliases, link.alias);
          const to = middle(indices, link.index);
          const half = WIDTH / 2;
          const state = chosen === null ? '' : link.alias === chosen ? ' chosen' : ' other';
          return (
            <path
              key={`${link.alias} ${link.index}`}
              class={`link${link.filter === null ? '' : ' filtered'}${state}`}
              d={`M0 ${from} C${half} ${from} ${half} ${to} ${WIDTH} ${to}`}
            />
          );
        })}
      </svg>
      <ul class="names indices">
        {indices.map((index) => (
          <li key={index}>
            <Link to={{ view: 'indices', index, tab: 'overview' }}>
              <span class="name">{index}</span>
              <span class="muted">
                {links.some((link) => link.index === index && link.isWriteIndex === true) &&
                  'written to'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The shorter side stands in the middle. */
function offset(own: number, aliases: number, indices: number): number {
  return ((Math.max(aliases, indices) - own) * ROW) / 2;
}

function traits(links: readonly AliasLink[]): string {
  const parts: string[] = [];
  if (links.some(({ filter }) => filter !== null)) parts.push('filtered');
  const [routing] = links.flatMap(({ searchRouting }) => searchRouting ?? []);
  if (routing !== undefined) parts.push(`routing ${routing}`);
  if (links.length > 1) parts.push(`${links.length} indices`);
  return parts.join(', ');
}
