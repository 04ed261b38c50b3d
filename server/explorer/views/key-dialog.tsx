// Asks for a key where the server wants one. It is kept as long as the tab is open, and nowhere else.

import { useState } from 'preact/hooks';
import { useClient } from '../hooks/use-client';

/** The form for a key. */
export function KeyForm() {
  const client = useClient();
  const [key, setKey] = useState('');
  const wasRefused = client.hasKey;
  return (
    <main class="home">
      <h1>A key is needed</h1>
      <p>
        {wasRefused
          ? 'The server does not take this key.'
          : 'This server shows itself to holders of a key.'}{' '}
        What you see is what your key may see. It is kept until this tab is closed.
      </p>
      <form
        class="key-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') client.setKey(key);
        }}
      >
        <label>
          Key, or user:password{' '}
          <input
            type="password"
            name="key"
            value={key}
            autoComplete="off"
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Use it
        </button>
      </form>
    </main>
  );
}
