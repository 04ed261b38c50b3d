// Pages of hits.

import { Link } from '../../components/link';
import { countText } from '../../model/format';
import type { Route } from '../../model/route';
import type { SearchState } from '../../model/search-state';

/** Pages that are linked around the one shown. */
const AROUND = 2;

/** Links to pages. */
export function Pager({ search, total }: { readonly search: SearchState; readonly total: number }) {
  const { page, size } = search;
  const pages = Math.ceil(total / size);
  if (pages < 2) return null;
  const to = (other: number): Route => ({ view: 'search', search: { ...search, page: other } });
  const near = [0, pages - 1];
  for (let one = page - AROUND; one <= page + AROUND; one++) {
    if (one > 0 && one < pages - 1) near.push(one);
  }
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return (
    <nav class="pager" aria-label="Pages">
      {page > 0 && <Link to={to(page - 1)}>← Previous</Link>}
      {shown.map((one, i) => (
        <>
          {i > 0 && one > shown[i - 1]! + 1 && <span aria-hidden="true">…</span>}
          <Link key={one} to={to(one)} isCurrent={one === page}>
            {countText(one + 1)}
          </Link>
        </>
      ))}
      {page < pages - 1 && <Link to={to(page + 1)}>Next →</Link>}
    </nav>
  );
}
