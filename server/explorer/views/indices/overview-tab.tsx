// An index at a glance: what is in it, its aliases and its settings.

import { segment } from '../../api/client';
import { Json } from '../../components/json';
import { Link } from '../../components/link';
import { ErrorNotice, Loading } from '../../components/notice';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { bytesText, countText, durationText } from '../../model/format';
import { own, ownObject, type JsonObject } from '../../model/own';

/** The tab. */
export function OverviewTab({ index }: { readonly index: string }) {
  const client = useClient();
  const path = `/${segment(index)}`;
  const { value, error } = useLoaded(index, async (signal) => {
    const [stats, aliases, settings] = await Promise.all([
      client.get(`${path}/_stats`, signal),
      client.get(`${path}/_aliases`, signal),
      client.get(`${path}/_settings`, signal),
    ]);
    return {
      primaries: ownObject(ownObject(ownObject(stats, 'indices'), index), 'primaries'),
      aliases: Object.keys(ownObject(ownObject(aliases, index), 'aliases')),
      settings: ownObject(ownObject(settings, index), 'settings'),
    };
  });
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what={index} />;
  return (
    <div class="overview">
      <dl class="tiles">
        {tilesOf(value.primaries).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <h2>Aliases</h2>
      {value.aliases.length === 0 && <p class="muted">none</p>}
      <ul class="chips">
        {value.aliases.map((alias) => (
          <li key={alias}>
            <Link to={{ view: 'aliases', find: '', alias }}>{alias}</Link>
          </li>
        ))}
      </ul>
      <h2>Settings</h2>
      <Json text={JSON.stringify(value.settings)} label={`Settings of ${index}`} />
    </div>
  );
}

function tilesOf(stats: JsonObject): (readonly [string, string])[] {
  const number = (section: string, name: string) =>
    Number(own(ownObject(stats, section), name) ?? 0);
  const searches = number('search', 'query_total');
  const searchMs = number('search', 'query_time_in_millis');
  return [
    ['documents', countText(number('docs', 'count'))],
    ['deleted', countText(number('docs', 'deleted'))],
    ['size', bytesText(number('store', 'size_in_bytes'))],
    ['segments', countText(number('segments', 'count'))],
    ['field data', bytesText(number('fielddata', 'memory_size_in_bytes'))],
    ['writes', countText(number('indexing', 'index_total'))],
    ['searches', countText(searches)],
    ['a search takes', searches === 0 ? '–' : durationText(searchMs / searches)],
  ];
}
