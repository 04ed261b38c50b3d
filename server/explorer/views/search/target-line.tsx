// What stands behind the name that is searched: its indices, and the filter of an alias.

import { listAliases, type Target } from '../../api/endpoints';
import { Link } from '../../components/link';
import { Json } from '../../components/json';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { aliasGraph } from '../../model/alias-graph';
import { countText } from '../../model/format';

/** A line about the target. */
export function TargetLine({ target }: { readonly target: Target }) {
  const client = useClient();
  const { value } = useLoaded(target.name, (signal) =>
    listAliases(client, signal).then(aliasGraph),
  );
  const links = value?.links.filter(({ alias }) => alias === target.name) ?? [];
  const filtered = links.filter(({ filter }) => filter !== null);
  const { indices } = target;
  const few = indices.slice(0, 3);
  return (
    <div class="target-line muted">
      {links.length > 0 ? 'Alias of ' : 'Index '}
      {few.map((index, i) => (
        <>
          {i > 0 && ', '}
          <Link to={{ view: 'indices', index, tab: 'overview' }}>{index}</Link>
        </>
      ))}
      {indices.length > few.length && ` and ${countText(indices.length - few.length)} more`}
      {', '}
      {countText(target.survey.total)} documents
      {filtered.length > 0 && (
        <details class="inline">
          <summary>filtered</summary>
          {filtered.slice(0, 5).map(({ index, filter }) => (
            <Json
              key={index}
              text={JSON.stringify(filter)}
              label={`Filter of the alias on ${index}`}
            />
          ))}
        </details>
      )}
    </div>
  );
}
