// Something that is loaded, again whenever what it depends on changes. What was there stays until the new is.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client';

/** Something that is being loaded. */
export interface Loaded<T> {
  /** The newest there is; null before the first. */
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Loads something, and again when `key` changes; loading that is overtaken is ended.
 *
 * @param load null: there is nothing to load
 */
export function useLoaded<T>(
  key: string,
  load: ((signal: AbortSignal) => Promise<T>) | null,
): Loaded<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    value: null,
    error: null,
    isLoading: load !== null,
  });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const { current } = latest;
    if (current === null) return;
    const controller = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ value, error: null, isLoading: false });
      },
      (reason: unknown) => {
        if (controller.signal.aborted) return;
        const error = reason instanceof ApiError ? reason : new ApiError(0, String(reason));
        setState({ value: null, error, isLoading: false });
      },
    );
    return () => controller.abort();
  }, [key, turn, load === null]);
  return { ...state, reload: () => setTurn((before) => before + 1) };
}
