// Reads the `highlight` element of a search (reference server). What is not known is passed over; of numbers
// -1 means that they were not given; options of a field go before those of all fields.

import {
  isJsonObject,
  isScalar,
  type JsonObject,
  type JsonValue,
  lenientBoolean,
  lenientInteger,
  underscoreCase,
} from '../../json/index';
import { incompleteSource } from '../../errors';
import { ElementFailure, misplaced, type Query, type SearchContext } from '../../query/index';
import type { HighlightOptions } from './highlight-plan';

/** An entry of `fields` with its options; the query is null where the search's own is meant. */
export interface HighlightRequest {
  /** A name, or a pattern with `*`. */
  readonly field: string;
  readonly options: HighlightOptions;
  readonly query: Query | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Given = Partial<Mutable<HighlightOptions>> & { query?: Query };

const STYLED = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`);

const DEFAULTS: HighlightOptions = {
  type: null,
  fragmentSize: 100,
  numberOfFragments: 5,
  fragmentOffset: -1,
  scoreOrdered: false,
  requireFieldMatch: false,
  preTags: ['<em>'],
  postTags: ['</em>'],
  isHtml: false,
  boundaryMaxScan: 20,
  boundaryChars: '.,!? \t\n',
  noMatchSize: 0,
  phraseLimit: 256,
  fragmenter: null,
  forceSource: false,
  matchedFields: [],
};

type Reader = (given: Given, value: string, scalar: JsonValue) => void;

const integer =
  (option: 'fragmentSize' | 'numberOfFragments' | 'fragmentOffset' | NumberOption): Reader =>
  (given, _text, scalar) => {
    const value = lenientInteger(scalar, -1);
    if (value === -1) delete given[option];
    else given[option] = value;
  };
type NumberOption = 'boundaryMaxScan' | 'noMatchSize' | 'phraseLimit';

const flag =
  (option: 'requireFieldMatch' | 'forceSource'): Reader =>
  (given, _text, scalar) => {
    given[option] = lenientBoolean(scalar, false);
  };

/** Options of a single value, for all fields and for one. */
const SCALARS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['order', (given, text) => (given.scoreOrdered = text === 'score')],
  ['fragment_size', integer('fragmentSize')],
  ['number_of_fragments', integer('numberOfFragments')],
  ['require_field_match', flag('requireFieldMatch')],
  ['boundary_max_scan', integer('boundaryMaxScan')],
  ['boundary_chars', (given, text) => (given.boundaryChars = text)],
  ['type', (given, text) => (given.type = text)],
  ['fragmenter', (given, text) => (given.fragmenter = text)],
  ['no_match_size', integer('noMatchSize')],
  ['force_source', flag('forceSource')],
  ['phrase_limit', integer('phraseLimit')],
]);

const OF_ALL: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...SCALARS,
  ['encoder', (given, text) => (given.isHtml = text === 'html')],
  ['tags_schema', readSchema],
]);

const OF_FIELD: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...SCALARS,
  ['fragment_offset', integer('fragmentOffset')],
]);

function readSchema(given: Given, text: string): void {
  if (text !== 'styled') return;
  given.preTags = STYLED;
  given.postTags = ['</em>'];
}

/**
 * Reads the element.
 *
 * @throws EngineError ElasticsearchParseException for what is no object, and what its queries and numbers are
 *         refused with; ElementFailure for lists of fields that are none
 */
export function parseHighlight(
  value: JsonValue,
  context: SearchContext,
): readonly HighlightRequest[] {
  if (Array.isArray(value)) throw misplaced('highlight', value[1]);
  if (!isJsonObject(value)) {
    throw incompleteSource();
  }
  const all: Given = {};
  const fields: [name: string, given: Given][] = [];
  for (const [name, member] of value) {
    const option = underscoreCase(name);
    if (option === 'fields') addFields(fields, member, context);
    else readOption(all, option, member, OF_ALL, context);
  }
  context.meter.add('fields', fields.length);
  return fields.map(([field, given]) => {
    const { query = null, ...options } = { ...all, ...given };
    context.meter.add('fields', options.matchedFields?.length ?? 0);
    return { field, options: { ...DEFAULTS, ...options }, query };
  });
}

function addFields(fields: [string, Given][], value: JsonValue, context: SearchContext): void {
  if (!Array.isArray(value)) {
    if (isJsonObject(value)) addObject(fields, value, context);
    return;
  }
  for (const item of value) {
    if (!isJsonObject(item) || item.size > 1) {
      throw new ElementFailure('Error while trying to parse Highlighter element in request');
    }
    addObject(fields, item, context);
  }
}

function addObject(fields: [string, Given][], members: JsonObject, context: SearchContext): void {
  for (const [name, body] of members) {
    if (!isJsonObject(body)) continue;
    const given: Given = {};
    for (const [option, value] of body) {
      const known = underscoreCase(option);
      if (known === 'matched_fields' && Array.isArray(value)) given.matchedFields = texts(value);
      else readOption(given, known, value, OF_FIELD, context);
    }
    fields.push([name, given]);
  }
}

function readOption(
  given: Given,
  option: string,
  value: JsonValue,
  scalars: ReadonlyMap<string, Reader>,
  context: SearchContext,
): void {
  if (Array.isArray(value)) {
    if (option === 'pre_tags') given.preTags = texts(value);
    else if (option === 'post_tags') given.postTags = texts(value);
    // compat: a value in a list is read as if it stood alone.
    else for (const item of value) if (isScalar(item)) readScalar(given, option, item, scalars);
  } else if (isJsonObject(value)) {
    if (option === 'highlight_query') given.query = context.parseQuery(value);
  } else {
    readScalar(given, option, value, scalars);
  }
}

function readScalar(
  given: Given,
  option: string,
  value: JsonValue,
  scalars: ReadonlyMap<string, Reader>,
): void {
  if (isScalar(value)) scalars.get(option)?.(given, String(value), value);
}

function texts(values: readonly JsonValue[]): string[] {
  return values.filter(isScalar).map(String);
}
