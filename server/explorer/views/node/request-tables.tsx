// How long requests take, by kind, and those that took long.

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
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">kind</th>
              <th scope="col" class="number">
                all
              </th>
              <th scope="col" class="number">
                mean
              </th>
              <th scope="col" class="number">
                half within
              </th>
              <th scope="col" class="number">
                99% within
              </th>
              <th scope="col" class="number">
                since this page was opened
              </th>
              <th scope="col" class="number">
                99% of them within
              </th>
            </tr>
          </thead>
          <tbody>
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
                  <td class="number">
                    {row === undefined ? '' : durationText(row.percentile99Ms)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <h2>Slow requests</h2>
      {slow.length === 0 && <p class="muted">None lately.</p>}
      {slow.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">at</th>
                <th scope="col" class="number">
                  took
                </th>
                <th scope="col">request</th>
                <th scope="col" class="number">
                  status
                </th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
