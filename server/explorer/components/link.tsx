// A link to another view: a real one, so that it can be opened in another tab.

import type { ComponentChildren } from 'preact';
import { addressOf, type Route } from '../model/route';

/** A link to a view. */
export function Link({
  to,
  children,
  class: className,
  isCurrent,
  title,
}: {
  readonly to: Route;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly isCurrent?: boolean;
  readonly title?: string;
}) {
  return (
    <a
      href={addressOf(to)}
      class={className}
      title={title}
      aria-current={isCurrent === true ? 'page' : undefined}
    >
      {children}
    </a>
  );
}
