// Sizes and times as `_cat` and `human` print them.

const BYTE_SUFFIXES = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'];
const BYTE_UNITS = new Map([
  ['b', 1],
  ['k', 1024],
  ['m', 1024 ** 2],
  ['g', 1024 ** 3],
  ['t', 1024 ** 4],
]);

/** `115b`, `2.4kb`: at most one decimal, cut and not rounded, none when it is zero. */
export function humanBytes(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < BYTE_SUFFIXES.length - 1) {
    value /= 1024;
    unit++;
  }
  return oneDecimal(value) + (BYTE_SUFFIXES[unit] ?? '');
}

const TIME_UNITS: readonly (readonly [suffix: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** `414ms`, `2.5s`, `21.8m`: decimals as in {@link humanBytes}. */
export function humanTime(ms: number): string {
  if (ms === 0) return '0s';
  const [suffix, factor] = TIME_UNITS.find(([, least]) => ms >= least) ?? ['ms', 1];
  return oneDecimal(ms / factor) + suffix;
}

/**
 * A time in the unit of the `time` parameter (`ms`, `s`, `m`, `h`, `d`), a whole number; human without one.
 */
export function timeText(ms: number, unit: string | undefined): string {
  if (unit === 'ms') return String(ms);
  const factor = TIME_UNITS.find(([suffix]) => suffix === unit)?.[1];
  return factor === undefined ? humanTime(ms) : String(Math.trunc(ms / factor));
}

function oneDecimal(value: number): string {
  return String(Math.floor(value * 10) / 10);
}

/** A size in the unit of the `bytes` parameter (`b`, `k`, `m`, `g`), a whole number; human without one. */
export function bytesText(bytes: number, unit: string | undefined): string {
  const factor = BYTE_UNITS.get(unit ?? '');
  return factor === undefined ? humanBytes(bytes) : String(Math.trunc(bytes / factor));
}

/** `hh:mm:ss` in UTC. */
export function clockTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(11, 19);
}
