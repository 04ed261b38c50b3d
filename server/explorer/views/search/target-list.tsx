// Everything that can be searched: aliases and indices with what is in them.

import { useState } from 'preact/hooks';
import { listAliases, listIndices, type IndexRow } from '../../api/endpoints';
import { Link } from '../../components/link';
import { ErrorNotice, Loading } from '../../components/notice';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { aliasGraph, type AliasGraph } from '../../model/alias-graph';
import { bytesText, countOf, countText } from '../../model/format';
import { newSearch } from '../../model/search-state';

/** Names that are listed at once; the others are found by typing. */
const MOST_LISTED = 100;

interface Choice {
  readonly name: string;
  readonly isAlias: boolean;
  readonly detail: string;
  readonly isFiltered: boolean;
  readonly isOpen: boolean;
}

/** A list to choose from. */
export function TargetList({ current }: { readonly current: string | null }) {
  const client = useClient();
  const [find, setFind] = useState('');
  const { value, error } = useLoaded('targets', async (signal) => {
    const aliases = listAliases(client, signal).then(aliasGraph);
    // Who may not see statistics can still see names.
    const indices = listIndices(client, signal).catch(() => null);
    return { graph: await aliases, rows: await indices };
  });
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what="indices" />;
  const all = choicesOf(value.graph, value.rows);
  const found = all.filter(({ name }) => name.toLowerCase().includes(find.toLowerCase()));
  return (
    <div class="targets">
      {all.length > 8 && (
        <input
          type="search"
          value={find}
          placeholder="Find a name"
          aria-label="Find a name"
          onInput={({ currentTarget }) => setFind(currentTarget.value)}
        />
      )}
      {all.length === 0 && <p class="empty">There is nothing to search yet: no index.</p>}
      <ul>
        {found.slice(0, MOST_LISTED).map((choice) => (
          <li key={`${choice.isAlias} ${choice.name}`}>
            <Link
              to={{ view: 'search', search: newSearch(choice.name) }}
              isCurrent={choice.name === current}
              class={choice.isOpen ? '' : 'closed'}
            >
              <span class={`badge ${choice.isAlias ? 'alias' : 'index'}`}>
                {choice.isAlias ? 'alias' : 'index'}
              </span>
              <span class="name">{choice.name}</span>
              <span class="muted">
                {choice.detail}
                {choice.isFiltered && ', filtered'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {found.length > MOST_LISTED && (
        <p class="muted">{countText(found.length - MOST_LISTED)} more; type to find them.</p>
      )}
      {all.length > 1 && (
        <p>
          <Link to={{ view: 'search', search: newSearch('') }} isCurrent={current === ''}>
            Search all indices
          </Link>
        </p>
      )}
    </div>
  );
}

function choicesOf(graph: AliasGraph, rows: readonly IndexRow[] | null): Choice[] {
  const aliases = graph.aliases.map((name): Choice => {
    const links = graph.links.filter(({ alias }) => alias === name);
    const [first] = links;
    return {
      name,
      isAlias: true,
      isOpen: true,
      isFiltered: links.some(({ filter }) => filter !== null),
      detail: `of ${links.length === 1 ? first!.index : countOf(links.length, 'index', 'indices')}`,
    };
  });
  const indices = (rows ?? graph.indices.map((name): Partial<IndexRow> => ({ name }))).map(
    ({ name = '', documents, bytes, isOpen }): Choice => ({
      name,
      isAlias: false,
      isFiltered: false,
      isOpen: isOpen !== false,
      detail:
        isOpen === false
          ? 'closed'
          : documents === undefined
            ? ''
            : `${countOf(documents, 'document')}, ${bytesText(bytes ?? 0)}`,
    }),
  );
  return [...aliases, ...indices];
}
