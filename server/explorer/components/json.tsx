// JSON as it came, laid out and coloured by its literals.

import { useMemo } from 'preact/hooks';
import { asciiJson } from '../model/requests';
import { layOut } from '../model/exact-json';

/** Longer texts are shown without colours. */
const MOST_COLOURED = 200_000;

const LITERAL = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON text, laid out. */
export function Json({ text, label }: { readonly text: string; readonly label: string }) {
  const pieces = useMemo(() => coloured(asciiJson(layOut(text))), [text]);
  return (
    <pre class="json" tabIndex={0} aria-label={label}>
      {pieces}
    </pre>
  );
}

function coloured(text: string) {
  if (text.length > MOST_COLOURED) return text;
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(LITERAL)) {
    pieces.push(text.slice(end, match.index));
    const [all, string, colon, word] = match;
    const kind =
      string === undefined
        ? word === undefined
          ? 'number'
          : 'word'
        : colon === undefined
          ? 'string'
          : 'name';
    pieces.push(<span class={kind}>{string ?? all}</span>, colon ?? '');
    end = match.index + all.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}
