// Indices: how large they are, and each with its segments, its mapping and its analyzers.

import { listIndices, type IndexRow } from '../../api/endpoints';
import { Link } from '../../components/link';
import { ErrorNotice, Loading } from '../../components/notice';
import { figures, Table } from '../../components/table';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { bytesText, countOf, countText } from '../../model/format';
import { INDEX_TABS, type IndexTab } from '../../model/route';
import { newSearch } from '../../model/search-state';
import { AnalyzeTab } from './analyze-tab';
import { MappingTab } from './mapping-tab';
import { OverviewTab } from './overview-tab';
import { SegmentsTab } from './segments-tab';

/** The view of indices, or of one of them. */
export function IndicesView({
  index,
  tab,
}: {
  readonly index: string | null;
  readonly tab: IndexTab;
}) {
  return (
    <main class="indices">
      {index === null ? <AllIndices /> : <OneIndex index={index} tab={tab} />}
    </main>
  );
}

function AllIndices() {
  const client = useClient();
  const { value, error } = useLoaded('indices', (signal) => listIndices(client, signal));
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what="indices" />;
  const largest = Math.max(1, ...value.map(({ bytes }) => bytes));
  const bytes = value.reduce((sum, row) => sum + row.bytes, 0);
  return (
    <>
      <div class="heading">
        <h1>Indices</h1>
        <p class="muted">
          {countOf(value.length, 'index', 'indices')}, {bytesText(bytes)}
        </p>
      </div>
      <Table
        columns={[
          'name',
          figures('documents'),
          figures('deleted'),
          figures('size'),
          { name: 'Size as a bar', kind: 'wide', isSpoken: true },
          figures('shards'),
          'health',
        ]}
      >
        {value.map((row) => (
          <Row key={row.name} row={row} largest={largest} />
        ))}
      </Table>
    </>
  );
}

function Row({ row, largest }: { readonly row: IndexRow; readonly largest: number }) {
  const { name, isOpen, documents, deleted, bytes, shards, health } = row;
  return (
    <tr class={isOpen ? '' : 'closed'}>
      <th scope="row">
        <Link to={{ view: 'indices', index: name, tab: 'overview' }}>{name}</Link>
      </th>
      <td class="number">{isOpen && countText(documents)}</td>
      <td class="number muted">{isOpen && countText(deleted)}</td>
      <td class="number">{isOpen && bytesText(bytes)}</td>
      <td class="wide">
        <span class="size-bar" style={{ width: `${(100 * bytes) / largest}%` }} />
      </td>
      <td class="number">{isOpen && countText(shards)}</td>
      <td>
        <span class={`health ${health}`}>{isOpen ? health : 'closed'}</span>
      </td>
    </tr>
  );
}

function OneIndex({ index, tab }: { readonly index: string; readonly tab: IndexTab }) {
  return (
    <>
      <div class="heading">
        <h1>{index}</h1>
        <Link to={{ view: 'search', search: newSearch(index) }}>Search it</Link>
        <Link to={{ view: 'indices', index: null, tab: 'overview' }}>All indices</Link>
      </div>
      <nav class="tabs" aria-label={`Parts of ${index}`}>
        {INDEX_TABS.map((one) => (
          <Link key={one} to={{ view: 'indices', index, tab: one }} isCurrent={one === tab}>
            {one}
          </Link>
        ))}
      </nav>
      {tab === 'overview' && <OverviewTab index={index} />}
      {tab === 'segments' && <SegmentsTab index={index} />}
      {tab === 'mapping' && <MappingTab index={index} />}
      {tab === 'analyze' && <AnalyzeTab index={index} />}
    </>
  );
}
