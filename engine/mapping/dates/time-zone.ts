// Time zones by id: offsets such as `+02:00`, UTC, and the named zones of the runtime's own database.

import { EngineError } from '../../errors';
import { DAY_MS } from './calendar';

/** A time zone. Offsets are milliseconds to add to UTC. */
export interface TimeZone {
  readonly id: string;
  /** The offset in force at an instant (epoch ms). */
  offsetAt(instant: number): number;
}

class FixedZone implements TimeZone {
  constructor(
    readonly id: string,
    private readonly offset: number,
  ) {}

  offsetAt(): number {
    return this.offset;
  }
}

export const UTC: TimeZone = new FixedZone('UTC', 0);

/** How far apart offsets are probed: no zone has changed twice within less. */
const PROBE_MS = 8 * DAY_MS;
/** Offsets are worked out for so many probes at a time, a little more than a year. */
const STRETCH_MS = 48 * PROBE_MS;
const STRETCHES_KEPT = 2_000;
/** Beyond the range of Date the rules of its last years hold. */
const LIMIT = 8_640_000_000_000_000 - DAY_MS;

/** Offsets within a stretch of time: offsets[i] holds from starts[i] on. */
interface Stretch {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
}

class NamedZone implements TimeZone {
  private readonly stretches = new Map<number, Stretch>();
  private lastNumber = NaN;
  private last: Stretch = { starts: [], offsets: [] };

  constructor(
    readonly id: string,
    private readonly format: Intl.DateTimeFormat,
  ) {}

  offsetAt(instant: number): number {
    const { starts, offsets } = this.stretchOf(instant);
    let i = starts.length - 1;
    while (i > 0 && starts[i]! > instant) i--;
    return offsets[i]!;
  }

  private stretchOf(instant: number): Stretch {
    const number = Math.floor(instant / STRETCH_MS);
    if (number === this.lastNumber) return this.last;
    let stretch = this.stretches.get(number);
    if (stretch === undefined) {
      stretch = this.explore(number * STRETCH_MS);
      if (this.stretches.size >= STRETCHES_KEPT) this.stretches.clear();
      this.stretches.set(number, stretch);
    }
    this.lastNumber = number;
    this.last = stretch;
    return stretch;
  }

  private explore(from: number): Stretch {
    const starts = [from];
    const offsets = [this.compute(from)];
    for (let probe = from; probe < from + STRETCH_MS; probe += PROBE_MS) {
      const offset = this.compute(probe + PROBE_MS);
      if (offset === offsets.at(-1)) continue;
      starts.push(this.changeWithin(probe, probe + PROBE_MS, offset));
      offsets.push(offset);
    }
    return { starts, offsets };
  }

  /** The first instant that has `offset`, to the second. */
  private changeWithin(before: number, after: number, offset: number): number {
    let low = before;
    let high = after;
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (this.compute(middle) === offset) high = middle;
      else low = middle;
    }
    return high;
  }

  private compute(instant: number): number {
    const at = Math.max(-LIMIT, Math.min(LIMIT, instant));
    const parts = new Map<string, string>();
    for (const { type, value } of this.format.formatToParts(at)) parts.set(type, value);
    const part = (name: string) => Number(parts.get(name));
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
    const local = new Date(0);
    local.setUTCFullYear(year, part('month') - 1, part('day'));
    local.setUTCHours(part('hour'), part('minute'), part('second'));
    return local.getTime() - Math.floor(at / 1000) * 1000;
  }
}

const zones = new Map<string, TimeZone>();
const ZONES_KEPT = 1_000;
const OFFSET = /^([+-])(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,]?(\d{3}))?)?)?$/;

/**
 * The zone an id stands for.
 *
 * @throws EngineError IllegalArgumentException for ids that are neither an offset nor a known name
 */
export function timeZone(id: string): TimeZone {
  const known = zones.get(id);
  if (known) return known;
  const zone = resolve(id);
  if (zone === null) throw unknownZone(id);
  if (zones.size >= ZONES_KEPT) zones.clear();
  zones.set(id, zone);
  return zone;
}

/** The named zone (no offsets), or null. Names are matched exactly. */
export function namedZone(name: string): TimeZone | null {
  if (name === 'UTC') return UTC;
  if (name === '' || name.startsWith('+') || name.startsWith('-')) return null;
  const known = zones.get(name);
  if (known) return known;
  const zone = fromRuntime(name);
  if (zone !== null) zones.set(name, zone);
  return zone;
}

function resolve(id: string): TimeZone | null {
  if (id === 'UTC') return UTC;
  const match = OFFSET.exec(id);
  if (!match) return id.startsWith('+') || id.startsWith('-') ? null : fromRuntime(id);
  const [, sign, hours, minutes = '0', seconds = '0', millis = '0'] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const size =
    Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(millis);
  if (size === 0) return UTC;
  return new FixedZone(id, sign === '-' ? -size : size);
}

/** Names that the runtime knows in any case, or besides the time zone database. */
const LOOSE_NAME = /(^|\/)([a-z]|[A-Z]{5,}$)/;
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
    ' ',
  ),
);

function fromRuntime(name: string): TimeZone | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return null;
  if (LOOSE_NAME.test(name) || ABBREVIATIONS.has(name)) return null;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return new NamedZone(name, format);
  } catch {
    return null;
  }
}

function unknownZone(id: string): EngineError {
  const message = /^[+-]/.test(id)
    ? `Invalid format: ${JSON.stringify(id)} is malformed at ${JSON.stringify(id.slice(1))}`
    : `The datetime zone id '${id}' is not recognised`;
  return new EngineError('IllegalArgumentException', message);
}

/**
 * The offset that turns a local time into UTC (`utc = local - offset`). Of a local time that occurs twice
 * the earlier instant is meant; one that is skipped is read with the offset before the gap.
 */
export function offsetFromLocal(zone: TimeZone, local: number): number {
  const before = zone.offsetAt(local - DAY_MS);
  const after = zone.offsetAt(local + DAY_MS);
  if (before === after) {
    const offset = zone.offsetAt(local - before);
    return offset;
  }
  if (zone.offsetAt(local - before) === before) return before;
  if (zone.offsetAt(local - after) === after) return after;
  return before;
}
