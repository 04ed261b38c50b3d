// Whether what clients saw of one document can have happened one operation after the other, each at a
// moment between its beginning and its end. In general that is hard to decide; here every change has a
// version, so the order of the changes is known, and all that is left is to find for each operation that
// only looked a place between them. Takes n log n.

/** What a document is after a change: a text, or null where there is none. */
export type State = string | null;

/** A change and what it makes of the document before it. */
export interface Change {
  readonly kind: 'change';
  readonly apply: (before: State) => State;
  /** The version that the answer names; null: no answer came, it may or may not have happened. */
  readonly version: number | null;
}

/** An operation that saw something and changed nothing. */
export interface Look {
  readonly kind: 'look';
  /** Version 0: before anything was written. */
  readonly isPossible: (version: number, state: State) => boolean;
  /** The version that was seen, where the answer names one. */
  readonly version: number | null;
}

/** Begin and end as one clock told them; what had no answer has no end. */
export interface Operation {
  readonly what: Change | Look;
  readonly begin: number;
  readonly end: number;
  /** For the message. */
  readonly text: string;
}

/** Tries of changes without an answer, before it is given up. */
const MOST_STEPS = 1_000_000;

/** @returns null, or what cannot have happened */
export function nonlinear(operations: readonly Operation[]): string | null {
  const changes = new Map<number, Operation>();
  let last = 0;
  for (const operation of operations) {
    const { what } = operation;
    if (what.version !== null) last = Math.max(last, what.version);
    if (what.kind === 'look' || what.version === null) continue;
    const other = changes.get(what.version);
    if (other !== undefined)
      return `version ${what.version} twice: ${other.text}; ${operation.text}`;
    changes.set(what.version, operation);
  }
  const lost = attribute(operations, changes, last);
  if (lost !== null) return lost;
  const states: State[] = [null];
  for (let version = 1; version <= last; version++) {
    const { what } = changes.get(version)!;
    states.push((what as Change).apply(states[version - 1]!));
  }
  return outOfOrder(operations, changes, states);
}

/**
 * Versions that no answer named are changes whose answer got lost: each needs one that was sent early enough
 * and makes what was seen there and later. Which one may be clear only by what was seen much later, so that
 * others are tried where one turns out not to fit.
 */
function attribute(
  operations: readonly Operation[],
  changes: Map<number, Operation>,
  last: number,
): string | null {
  const unanswered = operations.filter(
    ({ what }) => what.kind === 'change' && what.version === null,
  );
  const looks = looksByVersion(operations, last);
  const placeless = looksWithoutVersion(operations, last);
  const endsFrom = firstEnds(operations, last);
  const states: State[] = [null];
  /** Versions that were missing, and which of the unanswered changes each has got. */
  const choices: { readonly version: number; next: number }[] = [];
  const chosen = new Set<Operation>();
  let furthest = 0;
  let version = 1;
  for (let step = 0; version <= last; step++) {
    if (step > MOST_STEPS + last) return `no order found until version ${furthest}`;
    furthest = Math.max(furthest, version);
    let operation = changes.get(version);
    let wrong: Operation | undefined;
    if (operation === undefined) {
      let choice = choices.at(-1);
      if (choice?.version !== version) choices.push((choice = { version, next: 0 }));
      while (choice.next < unanswered.length) {
        const candidate = unanswered[choice.next++]!;
        if (chosen.has(candidate) || candidate.begin > endsFrom[version]!) continue;
        operation = candidate;
        break;
      }
    }
    if (operation !== undefined) {
      const state = (operation.what as Change).apply(states[version - 1]!);
      states[version] = state;
      wrong =
        looks[version]!.find(({ what }) => !(what as Look).isPossible(version, state)) ??
        placeless[version]!.find(
          ({ look, from }) => !fitsIn(look.what as Look, states, from, version),
        )?.look;
      if (wrong === undefined) {
        if (!changes.has(version)) {
          chosen.add(operation);
          changes.set(version, operation);
        }
        version++;
        continue;
      }
      if (!changes.has(version)) continue;
    } else choices.pop();
    const back = choices.at(-1);
    if (back === undefined) {
      if (wrong === undefined) return missing(version);
      return wrong.what.version === null
        ? `${wrong.text} fits nowhere up to version ${version}`
        : `${wrong.text} is not version ${version}`;
    }
    version = back.version;
    chosen.delete(changes.get(version)!);
    changes.delete(version);
  }
  return null;
}

/** A look that named no version, and the first of the versions that it may have seen. */
interface Placeless {
  readonly look: Operation;
  readonly from: number;
}

/** Looks that named no version, by the last version that each may have seen as versions and clock say. */
function looksWithoutVersion(operations: readonly Operation[], last: number): Placeless[][] {
  const found = Array.from({ length: last + 1 }, (): Placeless[] => []);
  const named = operations.filter(({ what }) => what.version !== null);
  const byEnd = [...named].sort((a, b) => a.end - b.end);
  const byBegin = [...named].sort((a, b) => b.begin - a.begin);
  const looks = operations.filter(({ what }) => what.kind === 'look' && what.version === null);
  const to = new Map<Operation, number>();
  let least = last;
  let at = 0;
  for (const look of [...looks].sort((a, b) => b.end - a.end)) {
    for (; at < byBegin.length && byBegin[at]!.begin > look.end; at++) {
      const { kind, version } = byBegin[at]!.what;
      least = Math.min(least, kind === 'change' ? version! - 1 : version!);
    }
    to.set(look, least);
  }
  let from = 0;
  at = 0;
  for (const look of [...looks].sort((a, b) => a.begin - b.begin)) {
    for (; at < byEnd.length && byEnd[at]!.end < look.begin; at++) {
      from = Math.max(from, byEnd[at]!.what.version!);
    }
    found[to.get(look)!]!.push({ look, from });
  }
  return found;
}

function fitsIn(look: Look, states: readonly State[], from: number, to: number): boolean {
  for (let version = from; version <= to; version++) {
    if (look.isPossible(version, states[version]!)) return true;
  }
  // What contradicts the clock is said by the order check.
  return from > to;
}

function missing(version: number): string {
  return `nothing that was sent made version ${version}`;
}

function looksByVersion(operations: readonly Operation[], last: number): Operation[][] {
  const looks = Array.from({ length: last + 1 }, (): Operation[] => []);
  for (const operation of operations) {
    const { kind, version } = operation.what;
    if (kind === 'look' && version !== null) looks[version]!.push(operation);
  }
  return looks;
}

/** For each version the first end of what made or saw it or a later one. */
function firstEnds(operations: readonly Operation[], last: number): number[] {
  const ends = new Array<number>(last + 2).fill(Infinity);
  for (const { what, end } of operations) {
    if (what.version !== null) ends[what.version] = Math.min(ends[what.version]!, end);
  }
  for (let version = last; version >= 0; version--) {
    ends[version] = Math.min(ends[version]!, ends[version + 1]!);
  }
  return ends;
}

/** Places are numbered 2 v for the change to version v, and 2 v + 1 for what saw version v. */
function outOfOrder(
  operations: readonly Operation[],
  changes: ReadonlyMap<number, Operation>,
  states: readonly State[],
): string | null {
  const versions = new Map([...changes].map(([version, operation]) => [operation, version]));
  const ends = new Ends();
  const byBegin = [...operations].sort((a, b) => a.begin - b.begin);
  for (const operation of byBegin) {
    const { what, begin, end, text } = operation;
    const after = ends.before(begin);
    let place: number | null;
    if (what.kind === 'change') {
      const version = versions.get(operation);
      // No answer, and nothing to show that it happened.
      if (version === undefined) continue;
      place = 2 * version;
      if (after.place >= place) return `${text} comes after ${after.text}`;
    } else {
      place = placeOf(what, states, after.place);
      if (place === null) return `${text} fits nowhere after ${after.text}`;
    }
    ends.add(end, place, text);
  }
  return null;
}

/** The first place for a look that is not before another. */
function placeOf(look: Look, states: readonly State[], notBefore: number): number | null {
  if (look.version !== null) {
    const { version } = look;
    const isRight = 2 * version + 1 >= notBefore && look.isPossible(version, states[version]!);
    return isRight ? 2 * version + 1 : null;
  }
  for (let version = Math.floor(notBefore / 2); version < states.length; version++) {
    if (look.isPossible(version, states[version]!)) return 2 * version + 1;
  }
  return null;
}

interface Placed {
  readonly end: number;
  readonly place: number;
  readonly text: string;
}

/** Places of operations by the time at which they had ended. */
class Ends {
  private readonly running: Placed[] = [];
  private last: Placed = { end: -Infinity, place: -1, text: 'the beginning' };

  /** Of those that had ended before `begin`, the one with the last place. Must be asked in order of time. */
  before(begin: number): Placed {
    let kept = 0;
    for (const placed of this.running) {
      if (placed.end >= begin) this.running[kept++] = placed;
      else if (placed.place > this.last.place) this.last = placed;
    }
    this.running.length = kept;
    return this.last;
  }

  add(end: number, place: number, text: string): void {
    // Nothing comes after what has no end.
    if (end !== Infinity) this.running.push({ end, place, text });
  }
}
