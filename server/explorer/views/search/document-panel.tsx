// One document in full, as the server stores it.

import { documentRequest, onlyHit } from '../../api/endpoints';
import { CopyButton } from '../../components/copy-button';
import { Json } from '../../components/json';
import { ErrorNotice, Loading, Notice } from '../../components/notice';
import { Panel } from '../../components/panel';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { layOut } from '../../model/exact-json';
import type { DocumentAddress, SearchState } from '../../model/search-state';
import { change } from './search-actions';

/** A panel with the document. */
export function DocumentPanel({
  search,
  address,
}: {
  readonly search: SearchState;
  readonly address: DocumentAddress;
}) {
  const client = useClient();
  const request = documentRequest(search.target, address);
  const { value, error } = useLoaded(JSON.stringify(request), (signal) =>
    client.text(request, signal),
  );
  const hit = value === null ? null : onlyHit(value);
  return (
    <Panel
      title={`${address.index} / ${address.type} / ${address.id}`}
      onClose={() => change(search, { document: null })}
      actions={hit !== null && <CopyButton text={layOut(hit)}>Copy</CopyButton>}
    >
      {error !== null && <ErrorNotice error={error} />}
      {value === null && error === null && <Loading what="the document" />}
      {value !== null && hit === null && <Notice kind="hint">It is not there any more.</Notice>}
      {hit !== null && <Json text={hit} label="The document" />}
    </Panel>
  );
}
