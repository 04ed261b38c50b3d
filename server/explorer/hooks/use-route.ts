// The address of the page as state: every change of a view is a change of the address.

import { useEffect, useState } from 'preact/hooks';
import { addressOf, routeAt, type Route } from '../model/route';

/** Shows another view. @param isReplaced the way back leads past it */
export function go(route: Route, isReplaced = false): void {
  const address = addressOf(route);
  if (address === location.hash) return;
  if (isReplaced) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The view that the address names. */
export function useRoute(): Route {
  const [address, setAddress] = useState(location.hash);
  useEffect(() => {
    const update = () => setAddress(location.hash);
    window.addEventListener('hashchange', update);
    window.addEventListener('popstate', update);
    return () => {
      window.removeEventListener('hashchange', update);
      window.removeEventListener('popstate', update);
    };
  }, []);
  return routeAt(address);
}
