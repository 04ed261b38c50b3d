// The name that is searched, and the list to choose another from.

import { useEffect, useRef, useState } from 'preact/hooks';
import { TargetList } from './target-list';

/** A button with the name; the list opens below it. */
export function TargetPicker({ target }: { readonly target: string }) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [target]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key === 'Escape') button.current?.focus();
      else if (event instanceof KeyboardEvent || root.current?.contains(event.target as Node))
        return;
      setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, [isOpen]);
  return (
    <div class="picker" ref={root}>
      <button
        type="button"
        ref={button}
        aria-expanded={isOpen}
        aria-label={`Searching ${target || 'all indices'}; choose another`}
        onClick={() => setOpen(!isOpen)}
      >
        {target || 'all indices'} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && (
        <div class="popover">
          <TargetList current={target} />
        </div>
      )}
    </div>
  );
}
