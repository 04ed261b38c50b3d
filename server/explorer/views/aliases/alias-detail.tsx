// One alias: what it says of each of its indices, and a move with a dry run before it.

import { useState } from 'preact/hooks';
import { ApiError } from '../../api/client';
import { countDocuments, sendAliasActions } from '../../api/endpoints';
import { Json } from '../../components/json';
import { Link } from '../../components/link';
import { ErrorNotice, Notice } from '../../components/notice';
import { Table } from '../../components/table';
import { useClient } from '../../hooks/use-client';
import {
  moveAlias,
  readDryRun,
  type AliasActions,
  type AliasChange,
  type AliasGraph,
} from '../../model/alias-graph';
import { countOf } from '../../model/format';
import type { JsonObject } from '../../model/own';
import { newSearch, toggled } from '../../model/search-state';

/** What a dry run found out. */
interface Outlook {
  readonly actions: AliasActions;
  readonly changes: readonly AliasChange[];
  readonly before: number;
  readonly after: number;
}

/** An alias in detail. */
export function AliasDetail({
  graph,
  alias,
  onMoved,
}: {
  readonly graph: AliasGraph;
  readonly alias: string;
  readonly onMoved: () => void;
}) {
  const links = graph.links.filter((link) => link.alias === alias);
  return (
    <section class="alias-detail" aria-label={`The alias ${alias}`}>
      <div class="heading">
        <h2>{alias}</h2>
        <Link to={{ view: 'search', search: newSearch(alias) }}>Search it</Link>
      </div>
      <Table columns={['index', 'filter', 'index routing', 'search routing', 'written to']}>
        {links.map((link) => (
          <tr key={link.index}>
            <th scope="row">{link.index}</th>
            <td>
              {link.filter === null ? (
                <span class="muted">none</span>
              ) : (
                <Json text={JSON.stringify(link.filter)} label={`Filter on ${link.index}`} />
              )}
            </td>
            <td>{link.indexRouting}</td>
            <td>{link.searchRouting}</td>
            <td>{link.isWriteIndex === null ? '' : link.isWriteIndex ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </Table>
      <Move graph={graph} alias={alias} onMoved={onMoved} />
    </section>
  );
}

function Move({
  graph,
  alias,
  onMoved,
}: {
  readonly graph: AliasGraph;
  readonly alias: string;
  readonly onMoved: () => void;
}) {
  const client = useClient();
  const links = graph.links.filter((link) => link.alias === alias);
  const own = links.map(({ index }) => index);
  const [to, setTo] = useState<readonly string[]>(own);
  const [outlook, setOutlook] = useState<Outlook | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [moved, setMoved] = useState<string | null>(null);
  const actions = moveAlias(links, alias, to);
  const choose = (next: readonly string[]) => {
    setTo(next);
    setOutlook(null);
    setError(null);
    setMoved(null);
  };
  const attempt = async (work: () => Promise<void>) => {
    setError(null);
    try {
      await work();
    } catch (reason) {
      setError(reason instanceof ApiError ? reason : new ApiError(0, String(reason)));
    }
  };
  const dryRun = () =>
    attempt(async () => {
      const changes = readDryRun(await sendAliasActions(client, actions, true));
      const filter = links.find((link) => link.filter !== null)?.filter;
      const before = await countDocuments(client, alias, undefined);
      const after = await countDocuments(
        client,
        to.join(','),
        filter ? constant(filter) : undefined,
      );
      setOutlook({ actions, changes, before, after });
    });
  const move = ({ actions: agreed }: Outlook) =>
    attempt(async () => {
      await sendAliasActions(client, agreed, false);
      setOutlook(null);
      setMoved(to.join(', '));
      onMoved();
    });
  return (
    <div class="move">
      <h3>Move it</h3>
      <fieldset>
        <legend>
          Indices behind <strong>{alias}</strong>
        </legend>
        {graph.indices.slice(0, 200).map((index) => (
          <label key={index}>
            <input
              type="checkbox"
              checked={to.includes(index)}
              onChange={() => choose(toggled(to, index))}
            />{' '}
            {index}
            {own.includes(index) && <span class="muted"> now</span>}
          </label>
        ))}
      </fieldset>
      <p>
        <button
          type="button"
          disabled={actions.actions.length === 0 || to.length === 0}
          onClick={() => void dryRun()}
        >
          Dry run
        </button>{' '}
        <span class="muted">
          {to.length === 0 ? 'An alias needs an index.' : 'Nothing changes by it.'}
        </span>
      </p>
      {error !== null && <ErrorNotice error={error} />}
      {moved !== null && (
        <Notice kind="hint">
          {alias} is now at {moved}: one step, for every reader at once.
        </Notice>
      )}
      {outlook !== null && <Plan outlook={outlook} onMove={() => void move(outlook)} />}
    </div>
  );
}

function constant(filter: JsonObject): JsonObject {
  return { constant_score: { filter } };
}

function Plan({ outlook, onMove }: { readonly outlook: Outlook; readonly onMove: () => void }) {
  const { changes, before, after, actions } = outlook;
  return (
    <div class="plan" role="status">
      <ul>
        {changes.map(({ index, alias, kind }) => (
          <li key={`${index} ${alias} ${kind}`} class={kind}>
            {kind === 'removed' ? '−' : kind === 'added' ? '+' : '±'} {alias} {SAYS[kind]} {index}
          </li>
        ))}
        {changes.length === 0 && <li>Nothing would change.</li>}
      </ul>
      <p>
        Readers see {countOf(after, 'document')} instead of {countOf(before, 'document')}.
      </p>
      <Json text={JSON.stringify(actions)} label="The actions" />
      <button type="button" class="primary" onClick={onMove}>
        Move it in one step
      </button>
    </div>
  );
}

const SAYS: Readonly<Record<AliasChange['kind'], string>> = {
  added: 'comes to',
  changed: 'changes at',
  removed: 'leaves',
};
