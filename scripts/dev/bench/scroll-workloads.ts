// Rows that page through many hits: all requests of a scroll count as one.

import type { BenchRequest, WorkloadKind } from './workload';

const SCROLL = '/_search/scroll?scroll=1m';
/** The id stands at the beginning of an answer. */
const HEAD_BYTES = 64 * 1024;
const NO_HITS = '"hits":[]}}';
/** Pages of a scroll that is given up before its end, as most are. */
const PAGES = 10;

/** Rows of scrolls and scans. */
export function scrollWorkloads(): readonly WorkloadKind[] {
  return [
    {
      name: 'scan',
      family: 'scrolls',
      make:
        ({ indices }) =>
        () => ({
          method: 'POST',
          path: `/${indices.documents}/_search?search_type=scan&scroll=1m&size=1000`,
          body: '{"query":{"match_all":{}}}',
          then: (answer) => page(idOf(answer)),
        }),
    },
    {
      name: 'scroll sorted',
      family: 'scrolls',
      make: ({ vocabulary, indices }, random) => {
        const path = `/${indices.documents}/_search?scroll=1m&size=50`;
        return () => {
          const query = { match: { description: random.pick(vocabulary.common) } };
          const body = JSON.stringify({ query, sort: [{ size: 'asc' }] });
          return { method: 'POST', path, body, then: (answer) => page(idOf(answer), PAGES) };
        };
      },
    },
    {
      name: 'scroll by score',
      family: 'scrolls',
      make: ({ vocabulary, indices }, random) => {
        const path = `/${indices.documents}/_search?scroll=1m&size=50`;
        return () => {
          const query = { match: { description: random.pick(vocabulary.common) } };
          const body = JSON.stringify({ query });
          return { method: 'POST', path, body, then: (answer) => page(idOf(answer), PAGES) };
        };
      },
    },
  ];
}

/** The next page and those behind it, until one is empty or there were enough; then the scroll is ended. */
function page(id: string, left = Infinity): BenchRequest {
  return {
    method: 'POST',
    path: SCROLL,
    body: id,
    then: (answer) => {
      if (answer.subarray(-NO_HITS.length).toString('latin1') === NO_HITS) return null;
      if (left > 1) return page(idOf(answer), left - 1);
      return { method: 'DELETE', path: '/_search/scroll', body: idOf(answer) };
    },
  };
}

function idOf(answer: Buffer): string {
  const head = answer.toString('latin1', 0, HEAD_BYTES);
  const id = /"_scroll_id":"([^"]*)"/.exec(head)?.[1];
  if (id === undefined) throw new Error(`no scroll id in ${head.slice(0, 200)}`);
  return id;
}
