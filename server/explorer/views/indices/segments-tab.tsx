// The segments of an index, the largest first.

import { segment } from '../../api/client';
import { ErrorNotice, Loading } from '../../components/notice';
import { figures, Table } from '../../components/table';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { bytesText, countOf, countText } from '../../model/format';
import { isObject, own, ownObject } from '../../model/own';

interface SegmentRow {
  readonly shard: string;
  readonly name: string;
  readonly documents: number;
  readonly deleted: number;
  readonly bytes: number;
}

/** The tab. */
export function SegmentsTab({ index }: { readonly index: string }) {
  const client = useClient();
  const { value, error, reload } = useLoaded(index, (signal) =>
    client.get(`/${segment(index)}/_segments`, signal).then((answer) => segmentsIn(answer, index)),
  );
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what="segments" />;
  const largest = Math.max(1, ...value.map(({ documents }) => documents));
  return (
    <>
      <p class="muted">
        {countOf(value.length, 'segment')}.{' '}
        <button type="button" class="plain" onClick={reload}>
          Look again
        </button>
      </p>
      <Table
        columns={[
          'segment',
          figures('shard'),
          figures('documents'),
          { name: 'live and deleted', kind: 'wide' },
          figures('deleted'),
          figures('size'),
        ]}
      >
        {value.map(({ shard, name, documents, deleted, bytes }) => (
          <tr key={`${shard} ${name}`}>
            <th scope="row">{name}</th>
            <td class="number">{shard}</td>
            <td class="number">{countText(documents)}</td>
            <td class="wide">
              <span class="size-bar" style={{ width: `${(85 * documents) / largest}%` }} />
              <span class="size-bar deleted" style={{ width: `${(85 * deleted) / largest}%` }} />
            </td>
            <td class="number">{countText(deleted)}</td>
            <td class="number">{bytesText(bytes)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function segmentsIn(answer: unknown, index: string): SegmentRow[] {
  const rows: SegmentRow[] = [];
  const shards = ownObject(ownObject(ownObject(answer, 'indices'), index), 'shards');
  for (const [shard, copies] of Object.entries(shards)) {
    const copy: unknown = Array.isArray(copies) ? copies[0] : undefined;
    for (const [name, one] of Object.entries(ownObject(copy, 'segments'))) {
      if (!isObject(one)) continue;
      rows.push({
        shard,
        name,
        documents: Number(own(one, 'num_docs')),
        deleted: Number(own(one, 'deleted_docs')),
        bytes: Number(own(one, 'size_in_bytes')),
      });
    }
  }
  return rows.sort((a, b) => b.documents - a.documents);
}
