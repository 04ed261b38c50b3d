// Hits as cards: a title, and the values below it.

import type { Hit, Target } from '../../api/endpoints';
import { Link } from '../../components/link';
import { Marked } from '../../components/marked';
import { titleField } from '../../model/fields';
import { unmarked } from '../../model/marks';
import type { SearchState } from '../../model/search-state';
import { leavesOf, valueAt, valueText } from '../../model/values';
import { Values } from './hit-values';

/** Fields of a card; marked ones come first. */
const MOST_FIELDS = 10;

interface HitsProps {
  readonly search: SearchState;
  readonly target: Target;
  readonly hits: readonly Hit[];
}

/** A list of cards. */
export function HitCards({ search, target, hits }: HitsProps) {
  const title = titleField(target.fields);
  return (
    <ol class="cards">
      {hits.map((hit) => (
        <li key={`${hit.index} ${hit.type} ${hit.id}`}>
          <Card search={search} target={target} hit={hit} title={title} />
        </li>
      ))}
    </ol>
  );
}

function Card({
  search,
  target,
  hit,
  title,
}: Omit<HitsProps, 'hits'> & { readonly hit: Hit; readonly title: string | null }) {
  const leaves = leavesOf(hit.source).filter(({ path }) => path !== title);
  const ordered = [
    ...leaves.filter(({ path }) => hit.marks.has(path)),
    ...leaves.filter(({ path }) => !hit.marks.has(path)),
  ];
  const shown = ordered.slice(0, MOST_FIELDS);
  return (
    <article class="card">
      <h3>
        <Link to={{ view: 'search', search: { ...search, document: addressOf(hit) } }}>
          <Title hit={hit} title={title} />
        </Link>
      </h3>
      <p class="where muted">
        {target.indices.length > 1 && `${hit.index} · `}
        {target.types.length > 1 && `${hit.type} · `}
        {hit.id}
        {hit.score !== null && search.text !== '' && ` · score ${hit.score.toFixed(2)}`}
      </p>
      <dl>
        {shown.map((leaf) => (
          <div key={leaf.path}>
            <dt>{leaf.path}</dt>
            <dd>
              <Values search={search} target={target} hit={hit} leaf={leaf} />
            </dd>
          </div>
        ))}
      </dl>
      {ordered.length > shown.length && (
        <p class="muted">and {ordered.length - shown.length} more fields</p>
      )}
    </article>
  );
}

/** Where a hit is. */
export function addressOf({ index, type, id }: Hit) {
  return { index, type, id };
}

/** The title of a hit with its marks; its id where it has none. */
export function Title({ hit, title }: { readonly hit: Hit; readonly title: string | null }) {
  const value = title === null ? undefined : valueAt(hit.source, title);
  const text = valueText(Array.isArray(value) ? value[0] : value) || hit.id;
  const marks = title === null ? [] : (hit.marks.get(title) ?? []);
  return <Marked text={marks.find((one) => unmarked(one) === text) ?? text} />;
}
