// Something that is done again and again as long as the page is seen.

import { useEffect, useRef } from 'preact/hooks';

/** Calls `tick` every `ms` milliseconds while the page is visible. */
export function useInterval(ms: number, tick: () => void): void {
  const latest = useRef(tick);
  latest.current = tick;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}
