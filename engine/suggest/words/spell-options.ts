// The options by which words like others are found, of the term suggester and of candidate generators.

import { illegalArgument } from '../../errors';
import { javaText, type JsonValue } from '../../json/index';
import { float, integer } from '../contract/suggest-scope';
import type { DistanceName, SpellOptions, SuggestMode } from '../contract/term-spec';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What holds where nothing else is said. */
export function defaultSpelling(): Mutable<SpellOptions> {
  return {
    mode: 'missing',
    sort: 'score',
    accuracy: 0.5,
    distance: 'internal',
    maxEdits: 2,
    maxInspections: 5,
    maxTermFreq: Math.fround(0.01),
    minDocFreq: 0,
    prefixLength: 1,
    minWordLength: 4,
  };
}

type Reader = (options: Mutable<SpellOptions>, value: JsonValue) => void;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['accuracy', (options, value) => (options.accuracy = float(value))],
  ['suggest_mode', (options, value) => (options.mode = modeOf(javaText(value)))],
  ['sort', (options, value) => (options.sort = sortOf(javaText(value)))],
  ['string_distance', (options, value) => (options.distance = distanceOf(javaText(value)))],
  ['max_edits', (options, value) => (options.maxEdits = editsOf(integer(value)))],
  ['max_inspections', (options, value) => (options.maxInspections = integer(value))],
  ['max_term_freq', (options, value) => (options.maxTermFreq = float(value))],
  ['prefix_length', (options, value) => (options.prefixLength = integer(value))],
  ['prefix_len', (options, value) => (options.prefixLength = integer(value))],
  ['min_word_length', (options, value) => (options.minWordLength = integer(value))],
  ['min_word_len', (options, value) => (options.minWordLength = integer(value))],
  ['min_doc_freq', (options, value) => (options.minDocFreq = float(value))],
]);

/**
 * Takes an option over; false when it is none of these.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException
 */
export function readSpelling(
  options: Mutable<SpellOptions>,
  name: string,
  value: JsonValue,
): boolean {
  const reader = READERS.get(name) ?? READERS.get(underscored(name));
  if (reader === undefined) return false;
  reader(options, value);
  return true;
}

function underscored(name: string): string {
  return /^[a-z]+([A-Z][a-z]+)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;
}

const MODES: readonly SuggestMode[] = ['missing', 'popular', 'always'];

function modeOf(text: string): SuggestMode {
  const name = text.toLowerCase();
  const mode = MODES.find((known) => known === name);
  if (mode === undefined) throw illegalArgument(`Illegal suggest mode ${name}`);
  return mode;
}

function sortOf(text: string): SpellOptions['sort'] {
  if (text === 'score' || text === 'frequency') return text;
  throw illegalArgument(`Illegal suggest sort ${text}`);
}

const DISTANCE_NAMES: ReadonlyMap<string, DistanceName> = new Map<string, DistanceName>([
  ['internal', 'internal'],
  ['damerau_levenshtein', 'damerau_levenshtein'],
  ['damerauLevenshtein', 'damerau_levenshtein'],
  ['levenstein', 'levenstein'],
  ['jarowinkler', 'jarowinkler'],
  ['ngram', 'ngram'],
]);

function distanceOf(text: string): DistanceName {
  const distance = DISTANCE_NAMES.get(text);
  if (distance === undefined) throw illegalArgument(`Illegal distance option ${text}`);
  return distance;
}

const MAX_EDITS = 2;

function editsOf(edits: number): number {
  if (edits >= 1 && edits <= MAX_EDITS) return edits;
  throw illegalArgument(`Illegal max_edits value ${edits}`);
}
