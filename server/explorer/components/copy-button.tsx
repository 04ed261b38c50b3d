// Copies a text and says that it did.

import { useState } from 'preact/hooks';

/** A button that copies. */
export function CopyButton({
  text,
  children,
}: {
  readonly text: string;
  readonly children: string;
}) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      setOutcome('The browser does not let me copy');
    }
    setTimeout(() => setOutcome(null), 2000);
  };
  return (
    <button type="button" class="plain" onClick={() => void copy()}>
      <span aria-live="polite">{outcome ?? children}</span>
    </button>
  );
}
