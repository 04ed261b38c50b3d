// The page: its head, and the view that the address names.

import { useEffect, useState } from 'preact/hooks';
import { Link } from './components/link';
import { useClient, useClientState } from './hooks/use-client';
import { useRoute } from './hooks/use-route';
import type { Route } from './model/route';
import { newSearch } from './model/search-state';
import { AliasesView } from './views/aliases/aliases-view';
import { HomeView } from './views/home-view';
import { IndicesView } from './views/indices/indices-view';
import { KeyForm } from './views/key-dialog';
import { NodeView } from './views/node/node-view';
import { RequestPanel } from './views/requests/request-panel';
import { SearchView } from './views/search/search-view';

/** The whole page. */
export function App() {
  const route = useRoute();
  const client = useClient();
  const [hasPanel, setPanel] = useState(false);
  const needsKey = useClientState((one) => one.needsKey);
  const hasKey = useClientState((one) => one.hasKey);
  // Everything is loaded anew with another key.
  const [keys, setKeys] = useState(0);
  useEffect(() => {
    if (!needsKey) setKeys((before) => before + 1);
  }, [needsKey]);
  useEffect(() => {
    document.title = titleOf(route);
  }, [titleOf(route)]);
  return (
    <>
      <header class="top">
        <a class="brand" href="#/">
          facetd
        </a>
        <nav aria-label="Views">
          <Link
            to={searchRoute(route)}
            isCurrent={route.view === 'search' || route.view === 'home'}
          >
            Search
          </Link>
          <Link
            to={{ view: 'aliases', find: '', alias: null }}
            isCurrent={route.view === 'aliases'}
          >
            Aliases
          </Link>
          <Link
            to={{ view: 'indices', index: null, tab: 'overview' }}
            isCurrent={route.view === 'indices'}
          >
            Indices
          </Link>
          <Link to={{ view: 'node' }} isCurrent={route.view === 'node'}>
            Node
          </Link>
        </nav>
        <span class="space" />
        {hasKey && (
          <button type="button" class="plain" onClick={() => client.setKey(null)}>
            Forget the key
          </button>
        )}
        <button type="button" class="plain" onClick={() => setPanel(true)}>
          {'{ } '}Request
        </button>
      </header>
      {needsKey ? <KeyForm /> : <View key={keys} route={route} />}
      {hasPanel && <RequestPanel onClose={() => setPanel(false)} />}
    </>
  );
}

function View({ route }: { readonly route: Route }) {
  switch (route.view) {
    case 'home':
      return <HomeView />;
    case 'search':
      return <SearchView search={route.search} />;
    case 'aliases':
      return <AliasesView find={route.find} alias={route.alias} />;
    case 'indices':
      return <IndicesView index={route.index} tab={route.tab} />;
    case 'node':
      return <NodeView />;
  }
}

/** The search of the index that is looked at. */
function searchRoute(route: Route): Route {
  if (route.view === 'search') return { view: 'search', search: newSearch(route.search.target) };
  if (route.view === 'indices' && route.index !== null) {
    return { view: 'search', search: newSearch(route.index) };
  }
  return { view: 'home' };
}

function titleOf(route: Route): string {
  switch (route.view) {
    case 'home':
      return 'facetd';
    case 'search':
      return `${route.search.text || route.search.target || 'all indices'} – facetd`;
    case 'aliases':
      return 'Aliases – facetd';
    case 'indices':
      return `${route.index ?? 'Indices'} – facetd`;
    case 'node':
      return 'Node – facetd';
  }
}
