// The client of the page, and what changes with it.

import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Client } from '../api/client';

/** Holds the client of the page. */
export const ClientContext = createContext<Client | null>(null);

/** The client of the page. @throws Error outside of it */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('no client');
  return client;
}

/** Something of the client, again whenever it changes. */
export function useClientState<T>(select: (client: Client) => T): T {
  const client = useClient();
  const [state, setState] = useState(() => select(client));
  useEffect(() => {
    const update = () => setState(() => select(client));
    update();
    return client.subscribe(update);
  }, [client]);
  return state;
}
