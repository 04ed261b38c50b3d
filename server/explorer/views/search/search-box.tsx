// Where the query is typed. `/` brings the keyboard here.

import { useEffect, useRef, useState } from 'preact/hooks';
import { mistakesIn } from '../../model/query-text';
import type { SearchState } from '../../model/search-state';
import { change } from './search-actions';
import { TargetPicker } from './target-picker';

/** Without a key for so long a text is searched for as it is. */
const PAUSE_MS = 350;

/** The box, and the name that is searched. */
export function SearchBox({ search }: { readonly search: SearchState }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search.text);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    // The address changed otherwise: by a link, or on the way back.
    if (input.current !== document.activeElement || search.text === '') setText(search.text);
  }, [search.text, search.target]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const { activeElement } = document;
      if (activeElement?.matches('input, textarea, select, dialog *') === true) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => {
      document.removeEventListener('keydown', focus);
      clearTimeout(timer.current);
    };
  }, []);
  const submit = (next: string, isTyping: boolean) => {
    clearTimeout(timer.current);
    if (next !== search.text) change(search, { text: next, document: null }, isTyping);
  };
  return (
    <form
      class="search-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        submit(text, false);
      }}
    >
      <TargetPicker target={search.target} />
      <input
        ref={input}
        type="search"
        name="q"
        value={text}
        placeholder="Search…   words, “a phrase”, field:value, wild*, year:[1990 TO 1999]"
        aria-label="Search"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => {
            if (mistakesIn(value).length === 0) submit(value, true);
          }, PAUSE_MS);
        }}
      />
      <kbd aria-hidden="true">/</kbd>
      <button type="submit">Search</button>
    </form>
  );
}
