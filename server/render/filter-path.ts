// `filter_path`: keeps the parts of a response that match dotted patterns. `*` stands for (part of) one name,
// `**` for any depth; arrays are transparent; a stored `_source` is one piece (reference server).

import {
  illegalArgument,
  JsonScanner,
  JsonToken,
  matchesPattern,
  splitCommas,
  appendAll,
} from '../../engine/index';

const ATOMIC = '_source';
const ANY_DEPTH = '**';
/** What a request may ask for: the work per member of the response grows with it. */
const MAX_PATTERNS = 200;
const MAX_PATTERN_LENGTH = 1000;
/** Names between dots, of all patterns together. */
const MAX_PARTS = 1000;
/** Places of followed names that are remembered; further names are matched each time. */
const MAX_REMEMBERED = 100_000;

/**
 * The patterns of a `filter_path` parameter.
 *
 * @throws EngineError 400 for too many or too long ones
 */
export function readFilterPath(text: string | undefined): readonly string[] {
  const patterns = splitCommas(text ?? '');
  if (patterns.length > MAX_PATTERNS) {
    throw illegalArgument(
      `filter_path has [${patterns.length}] patterns, more than [${MAX_PATTERNS}]`,
    );
  }
  const long = patterns.find(({ length }) => length > MAX_PATTERN_LENGTH);
  if (long !== undefined) {
    throw illegalArgument(
      `a pattern of filter_path has [${long.length}] characters, more than [${MAX_PATTERN_LENGTH}]`,
    );
  }
  const parts = patterns.reduce((sum, pattern) => sum + partsOf(pattern).length, 0);
  if (parts <= MAX_PARTS) return patterns;
  throw illegalArgument(`filter_path has [${parts}] names, more than [${MAX_PARTS}]`);
}

function partsOf(pattern: string): string[] {
  return pattern.split('.').filter((part) => part !== '');
}

/**
 * @param text JSON text of one object
 * @param patterns dotted patterns
 * @returns the filtered object, `{}` when nothing matches; the text itself when there are no patterns
 */
export function filterPath(text: string, patterns: readonly string[]): string {
  if (patterns.length === 0) return text;
  const scanner = new JsonScanner(text, Number.POSITIVE_INFINITY);
  if (scanner.next() !== JsonToken.ObjectStart) return text;
  const matcher = new Matcher(patterns);
  return new Filter(text, scanner, matcher).object(matcher.start) || '{}';
}

/** Where all patterns stand at a value of the response. */
interface State {
  /** Places in the matcher's list of parts. */
  readonly places: readonly number[];
  /** Everything below is wanted. */
  readonly isComplete: boolean;
  /** What follows a name, as far as it was asked. */
  readonly next: Map<string, State>;
}

/**
 * All patterns, followed at the same time: a name costs at most one look at each part, however the `**` may
 * be shared out among the names before it.
 */
class Matcher {
  readonly start: State;
  /** The parts of one pattern after the other; null ends each. */
  private readonly parts: (string | null)[] = [];
  /** By place, the number of the step that reached it last. */
  private readonly reached: Uint32Array;
  private step = 0;
  private remembered = 0;

  constructor(patterns: readonly string[]) {
    const starts: number[] = [];
    for (const pattern of patterns) {
      starts.push(this.parts.length);
      const parts = partsOf(pattern);
      // Twice any depth is any depth.
      const distinct = parts.filter((part, i) => part !== ANY_DEPTH || parts[i - 1] !== ANY_DEPTH);
      appendAll<string | null>(this.parts, distinct);
      this.parts.push(null);
    }
    this.reached = new Uint32Array(this.parts.length);
    this.start = this.state(starts);
  }

  /** Where the patterns stand after a member of this name. */
  after(state: State, name: string): State {
    const known = state.next.get(name);
    if (known !== undefined) return known;
    const places: number[] = [];
    for (const place of state.places) {
      const part = this.parts[place];
      if (part === ANY_DEPTH) places.push(place);
      else if (typeof part === 'string' && matchesPattern(part, name)) places.push(place + 1);
    }
    const next = this.state(places);
    if (this.remembered < MAX_REMEMBERED) {
      this.remembered += 1 + next.places.length;
      state.next.set(name, next);
    }
    return next;
  }

  /** Each place once, and behind `**` also what follows it: it may stand for no name at all. */
  private state(from: readonly number[]): State {
    const step = ++this.step;
    const places: number[] = [];
    let isComplete = false;
    const reach = (place: number): void => {
      if (this.reached[place] === step) return;
      this.reached[place] = step;
      places.push(place);
      isComplete ||= this.parts[place] === null;
    };
    for (const place of from) {
      reach(place);
      if (this.parts[place] === ANY_DEPTH) reach(place + 1);
    }
    return { places, isComplete, next: new Map() };
  }
}

/** Walks through a response and keeps what is wanted. */
class Filter {
  constructor(
    private readonly text: string,
    private readonly scanner: JsonScanner,
    private readonly matcher: Matcher,
  ) {}

  /** The object at the scanner's token as far as it is wanted, or ''. */
  object(state: State): string {
    const { text, scanner } = this;
    let result = '';
    while (scanner.next() === JsonToken.Name) {
      const name = scanner.text;
      const spelling = text.slice(scanner.start, scanner.end);
      scanner.next();
      const value = this.value(this.matcher.after(state, name), name === ATOMIC);
      if (value !== '') result += (result === '' ? '{' : ',') + spelling + ':' + value;
    }
    return result === '' ? '' : result + '}';
  }

  private value(state: State, isAtomic: boolean): string {
    const { text, scanner } = this;
    const { start } = scanner;
    if (state.isComplete) {
      scanner.skipChildren();
      return text.slice(start, scanner.end);
    }
    if (state.places.length === 0 || isAtomic) {
      scanner.skipChildren();
      return '';
    }
    if (scanner.token === JsonToken.ObjectStart) return this.object(state);
    if (scanner.token !== JsonToken.ArrayStart) return '';
    let result = '';
    while (scanner.next() !== JsonToken.ArrayEnd) {
      const element = this.value(state, false);
      if (element !== '') result += (result === '' ? '[' : ',') + element;
    }
    return result === '' ? '' : result + ']';
  }
}
