// Numbers, sizes and times as people read them.

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const FRACTION = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `63,666` */
export function countText(value: number): string {
  return WHOLE.format(value);
}

/** A count and its noun: `1 document`, `2 documents`. */
export function countOf(value: number, noun: string, plural = `${noun}s`): string {
  return `${countText(value)} ${value === 1 ? noun : plural}`;
}

/** A number in as many digits as it needs; years are written as years. */
export function numberText(
  value: number,
  axis?: { readonly from: number; readonly to: number },
): string {
  if (axis !== undefined && looksLikeYears(axis) && Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6) return SHORT.format(value);
  return size >= 1000 ? WHOLE.format(value) : FRACTION.format(value);
}

function looksLikeYears({ from, to }: { readonly from: number; readonly to: number }): boolean {
  return from >= 1000 && to <= 2200;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `9.9 MB`, in steps of 1024. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}

/** `850 µs`, `12 ms`, `1.3 s` */
export function durationText(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** A date as exact as the distance of two bars asks for, in UTC. */
export function dateText(ms: number, step: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return String(ms);
  const text = date.toISOString();
  if (step >= 300 * 86_400_000) return text.slice(0, text.startsWith('-') ? 7 : 4);
  if (step >= 28 * 86_400_000) return text.slice(0, 7);
  if (step >= 86_400_000) return text.slice(0, 10);
  return text.slice(0, step >= 60_000 ? 16 : 19).replace('T', ' ');
}

/** `0–10 km`, `over 500 km` */
export function ringText({
  from,
  to,
}: {
  readonly from: number | null;
  readonly to: number | null;
}): string {
  if (to === null) return `over ${countOrFraction(from ?? 0)} km`;
  return from === null
    ? `within ${countOrFraction(to)} km`
    : `${countOrFraction(from)}–${countOrFraction(to)} km`;
}

function countOrFraction(value: number): string {
  return FRACTION.format(value);
}
