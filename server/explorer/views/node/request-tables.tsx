// How long requests take, by kind, and those that took long.

import { figures, Table } from '../../components/table';
import { countText, durationText } from '../../model/format';
import { requestRows, type NodeLook, type SlowRequest } from '../../model/node-figures';

/** Both tables. @param first the first look of this page */
export function RequestTables({
  first,
  look,
  slow,
}: {
  readonly first: NodeLook | null;
  readonly look: NodeLook;
  readonly slow: readonly SlowRequest[];
}) {
  const since = first !== null && first.atMs < look.atMs ? first : null;
  const lately = new Map(requestRows(since, look).map((row) => [row.family, row]));
  return (
    <>
      <h2>Requests</h2>
      <Table
        columns={[
          'kind',
          figures('all'),
          figures('mean'),
          figures('half within'),
          figures('99% within'),
          figures('since this page was opened'),
          figures('99% of them within'),
        ]}
      >
        {requestRows(null, look).map(({ family, count, meanMs, medianMs, percentile99Ms }) => {
          const row = since === null ? undefined : lately.get(family);
          return (
            <tr key={family}>
              <th scope="row">{family}</th>
              <td class="number">{countText(count)}</td>
              <td class="number">{durationText(meanMs)}</td>
              <td class="number">{durationText(medianMs)}</td>
              <td class="number">{durationText(percentile99Ms)}</td>
              <td class="number">{countText(row?.count ?? 0)}</td>
              <td class="number">{row === undefined ? '' : durationText(row.percentile99Ms)}</td>
            </tr>
          );
        })}
      </Table>
      <h2>Slow requests</h2>
      {slow.length === 0 && <p class="muted">None lately.</p>}
      {slow.length > 0 && (
        <Table columns={['at', figures('took'), 'request', figures('status')]}>
          {slow.map(({ atMs, tookMs, method, path, status }, i) => (
            <tr key={i}>
              <td>{new Date(atMs).toLocaleTimeString('en-GB')}</td>
              <td class="number">{durationText(tookMs)}</td>
              <td>
                <code>
                  {method} {path}
                </code>
              </td>
              <td class="number">{status || 'gone'}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
