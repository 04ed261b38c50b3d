// shingle: neighbouring terms joined to one. Positions without a token are filled with a filler, which
// takes no room in the text.

import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import type { TokenFilter, TokenStream } from '../chain/components';
import { fault, type Fault } from '../chain/fault';
import type { Volume } from '../chain/volume';

interface ShingleOptions {
  readonly min: number;
  readonly max: number;
  readonly unigrams: boolean;
  readonly unigramsIfNoShingles: boolean;
  readonly separator: string;
  readonly filler: string;
}

/**
 * From settings: `min_shingle_size` (2), `max_shingle_size` (2), `output_unigrams` (true),
 * `output_unigrams_if_no_shingles` (false), `token_separator` (a blank), `filler_token` (`_`).
 */
export function createShingleFilter(name: string, settings: ComponentSettings): TokenFilter {
  const options: ShingleOptions = {
    min: settings.integer('min_shingle_size', 2),
    max: settings.integer('max_shingle_size', 2),
    unigrams: settings.boolean('output_unigrams', true),
    unigramsIfNoShingles: settings.boolean('output_unigrams_if_no_shingles', false),
    separator: settings.text('token_separator') ?? ' ',
    filler: settings.text('filler_token') ?? '_',
  };
  const wrong = sizeFault(options);
  return {
    name,
    mapTerm: null,
    shingles: { min: options.min, max: options.max, unigrams: options.unigrams },
    fault: wrong,
    expand: (volume) => expandShingles(volume, options),
    apply: (stream) => {
      if (wrong !== undefined) throw wrong.error;
      stream.tokens = shingles(stream, options);
      stream.skippedAtEnd = 0;
    },
  };
}

function expandShingles(
  { tokens, units, longest }: Volume,
  { min, max, separator, filler }: ShingleOptions,
): Volume {
  const most = Math.max(min, Math.min(max, tokens));
  const sizes = most - min + 1;
  const between = separator.length + filler.length;
  return {
    tokens: tokens * (sizes + 1),
    units: units + (units + tokens * between) * ((sizes * (min + most)) / 2),
    longest: most * (longest + between),
  };
}

/** Longer shingles are of no use to anyone. */
const MOST_WORDS = 1024;

function sizeFault({ min, max }: ShingleOptions): Fault | undefined {
  if (max < 2) return fault('max_shingle_size', 'Max shingle size must be >= 2');
  if (min < 2) return fault('min_shingle_size', 'Min shingle size must be >= 2');
  if (min > max) return fault('min_shingle_size', 'Min shingle size must be <= max shingle size');
  if (max > MOST_WORDS)
    return fault('max_shingle_size', `Max shingle size must be <= ${MOST_WORDS}`);
  return undefined;
}

/** A token of the input, or what stands in a hole. */
interface Slot {
  readonly token: Token;
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly isFiller: boolean;
}

/** Holes become fillers, of which a shingle can use one less than its size. */
function slotsOf(
  { tokens, skippedAtEnd, endOffset }: TokenStream,
  { max, filler }: ShingleOptions,
): Slot[] {
  const slots: Slot[] = [];
  const addFillers = (count: number, token: Token, offset: number): void => {
    for (let i = Math.min(count, max - 1); i > 0; i--) {
      slots.push({ token, term: filler, start: offset, end: offset, isFiller: true });
    }
  };
  for (const token of tokens) {
    addFillers(token.positionIncrement - 1, token, token.startOffset);
    const { term, startOffset: start, endOffset: end } = token;
    slots.push({ token, term, start, end, isFiller: false });
  }
  const last = tokens.at(-1);
  if (last !== undefined) addFillers(skippedAtEnd, last, endOffset);
  return slots;
}

/** The length of a shingle. */
function lengthOf(window: readonly Slot[], separator: string): number {
  return window.reduce(
    (sum, { term }) => sum + term.length,
    (window.length - 1) * separator.length,
  );
}

function shingles(stream: TokenStream, options: ShingleOptions): Token[] {
  const slots = slotsOf(stream, options);
  const result: Token[] = [];
  const { min, max, separator } = options;
  const unigrams =
    options.unigrams || (options.unigramsIfNoShingles && slots.length < min && slots.length > 0);
  for (let first = 0; first < slots.length; first++) {
    let isOutputHere = false;
    let isEmptyHere = false;
    for (let size = unigrams ? 1 : min; size <= max; size = size === 1 ? min : size + 1) {
      const behind = first + size;
      if (behind > slots.length) {
        // compat: when only fillers were seen here, the reference takes this for the end of the text.
        if (isEmptyHere) return result;
        break;
      }
      const window = slots.slice(first, behind);
      if (stream.budget !== undefined) stream.budget.spend(lengthOf(window, separator));
      isEmptyHere = window.every((slot) => slot.isFiller);
      if (isEmptyHere) continue;
      const { token, start } = window[0]!;
      const term = window.map((slot) => slot.term).join(separator);
      result.push({
        ...token,
        term,
        positionIncrement: isOutputHere ? 0 : 1,
        startOffset: start,
        endOffset: window.at(-1)!.end,
        type: size === 1 ? token.type : 'shingle',
      });
      isOutputHere = true;
    }
  }
  return result;
}
