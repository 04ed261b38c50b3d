// Aliases and indices as a picture, and the way to point an alias elsewhere.

import { listAliases } from '../../api/endpoints';
import { ErrorNotice, Loading } from '../../components/notice';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { go } from '../../hooks/use-route';
import { aliasGraph, narrowed } from '../../model/alias-graph';
import { countOf, countText } from '../../model/format';
import { AliasDetail } from './alias-detail';
import { AliasPicture } from './alias-picture';

/** Lines of the picture; more are found by typing. */
const MOST_LINKS = 200;

/** The view of aliases. */
export function AliasesView({
  find,
  alias,
}: {
  readonly find: string;
  readonly alias: string | null;
}) {
  const client = useClient();
  const { value, error, reload } = useLoaded('aliases', (signal) =>
    listAliases(client, signal).then(aliasGraph),
  );
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what="aliases" />;
  const part = narrowed(value, find, MOST_LINKS);
  return (
    <main class="aliases">
      <div class="heading">
        <h1>Aliases</h1>
        <p class="muted">
          {countOf(value.aliases.length, 'alias', 'aliases')},{' '}
          {countOf(value.indices.length, 'index', 'indices')}
        </p>
        <input
          type="search"
          value={find}
          placeholder="Find a name"
          aria-label="Find an alias or an index"
          onInput={({ currentTarget }) =>
            go({ view: 'aliases', find: currentTarget.value, alias }, true)
          }
        />
      </div>
      {value.indices.length === 0 && <p class="empty">There is no index yet.</p>}
      <AliasPicture graph={part} find={find} chosen={alias} />
      {part.links.length === MOST_LINKS && (
        <p class="muted">
          The first {countText(MOST_LINKS)} of {countText(value.links.length)} connections; type to
          find others.
        </p>
      )}
      {alias !== null && value.aliases.includes(alias) && (
        <AliasDetail key={alias} graph={value} alias={alias} onMoved={reload} />
      )}
      {alias === null && value.aliases.length > 0 && (
        <p class="muted">Choose an alias to see its filter and routing, or to move it.</p>
      )}
    </main>
  );
}
