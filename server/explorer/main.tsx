// Starts the page.

import { render } from 'preact';
import { Client } from './api/client';
import { App } from './app';
import { ClientContext } from './hooks/use-client';
import './styles/page.css';

render(
  <ClientContext.Provider value={new Client(sessionStorage)}>
    <App />
  </ClientContext.Provider>,
  document.getElementById('page')!,
);
