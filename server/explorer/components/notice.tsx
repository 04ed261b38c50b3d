// What is said about something that went wrong, is loading, or is not there.

import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client';
import { innermostReason } from '../model/query-text';

/** A message among the content. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: 'error' | 'hint';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** An error of the server: its reason, and all of it on demand. */
export function ErrorNotice({ error }: { readonly error: ApiError }) {
  const reason = innermostReason(error.message);
  return (
    <Notice kind="error">
      <p>
        {statusText(error.status)} {reason}
      </p>
      {reason !== error.message && (
        <details>
          <summary>All that the server said</summary>
          <pre>{error.message}</pre>
        </details>
      )}
    </Notice>
  );
}

function statusText(status: number): string {
  switch (status) {
    case 0:
      return '';
    case 401:
      return 'A key is needed.';
    case 403:
      return 'This is not allowed here.';
    case 404:
      return 'There is no such thing.';
    default:
      return `Status ${status}:`;
  }
}

/** Shown until something has been loaded. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  );
}
