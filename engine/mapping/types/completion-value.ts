// The values of `completion` fields in documents, checked as the reference server checks them.

import { EngineError, illegalArgument } from '../../errors';
import { JsonToken, readValue, type JsonScanner } from '../../json/index';
import type { CompletionOptions } from './completion-options';
import { unexpected } from '../../geo/index';
import { parseInt64 } from '../../common/index';
import { documentContext } from './completion-context-values';
import { readPayloadValue } from './completion-payload';

const MEMBERS = ['output', 'context', 'input', 'weight', 'payload'];
const MOST_WEIGHT = 2_147_483_647n;
/** Characters that the index of completions keeps for itself, and how their use is refused. */
const UNIT_SEPARATOR = '\u001f';
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const RESERVED = /[\u0000\u001d-\u001f]/;
/** Bytes that output and payload of a completion may have together. */
const MAX_SHOWN_BYTES = 16_384;

/** Values of the contexts that a document names; null: those of the mapping stand. */
export type DocumentContexts = ReadonlyMap<string, readonly string[] | null>;

/** What a document says of one completion. */
export interface CompletionValue {
  readonly inputs: readonly string[];
  readonly output: string | null;
  readonly weight: number | null;
  /** JSON text. */
  readonly payload: string | null;
  /** Null: none is named. */
  readonly contexts: DocumentContexts | null;
}

/** A completion that is no more than its input. */
export function plainCompletion(input: string): CompletionValue {
  return { inputs: [input], output: null, weight: null, payload: null, contexts: null };
}

/**
 * Reads the object at the scanner's token and leaves the scanner at its end.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException, IllegalArgumentException, MapperException,
 *         ElasticsearchParseException
 */
export function readCompletion(
  scanner: JsonScanner,
  { payloads, contexts: mapped }: Pick<CompletionOptions, 'payloads' | 'contexts'>,
): CompletionValue {
  const depth = scanner.depth - 1;
  const inputs: string[] = [];
  let output: string | null = null;
  let weight: number | null = null;
  let payload: string | null = null;
  let contexts: DocumentContexts | null = null;
  let member = '';
  while (scanner.next() !== JsonToken.ObjectEnd || scanner.depth > depth) {
    const { token } = scanner;
    if (token === JsonToken.Name) {
      member = scanner.text;
      if (!MEMBERS.includes(member)) {
        throw illegalArgument(
          `Unknown field name[${member}], must be one of [${MEMBERS.join(', ')}]`,
        );
      }
    } else if (member === 'context') {
      contexts = readContexts(scanner, mapped);
    } else if (member === 'payload') {
      payload = readPayload(scanner, payloads);
    } else if (member === 'weight') {
      if (token === JsonToken.Number || token === JsonToken.String) weight = readWeight(scanner);
    } else if (member === 'input') {
      if (token === JsonToken.String) inputs.push(scanner.text);
      else if (token === JsonToken.ArrayStart) readInputs(scanner, inputs);
    } else if (member === 'output' && token === JsonToken.String) {
      output = scanner.text;
    }
  }
  return { inputs, output, weight, payload, contexts };
}

/** compat: whatever stands in the list is an input, names of members included. */
function readInputs(scanner: JsonScanner, inputs: string[]): void {
  const depth = scanner.depth - 1;
  while (scanner.next() !== JsonToken.ArrayEnd || scanner.depth > depth) {
    if (scanner.token >= JsonToken.Name) inputs.push(scanner.text);
  }
}

function readContexts(
  scanner: JsonScanner,
  mapped: CompletionOptions['contexts'],
): DocumentContexts {
  if (scanner.token !== JsonToken.ObjectStart) throw unexpected('context must be an object');
  const contexts = new Map<string, readonly string[] | null>();
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    const context = mapped.get(name);
    if (context === undefined) throw unexpected(`context [${name}] is not defined`);
    scanner.next();
    contexts.set(name, documentContext(context, readValue(scanner)));
  }
  return contexts;
}

function readPayload(scanner: JsonScanner, enabled: boolean): string | null {
  if (!enabled) throw new EngineError('MapperException', 'Payloads disabled in mapping');
  const { token } = scanner;
  if (token === JsonToken.ArrayStart || token === JsonToken.Null) {
    const name = token === JsonToken.Null ? 'VALUE_NULL' : 'START_ARRAY';
    throw new EngineError('MapperException', `payload doesn't support type ${name}`);
  }
  return readPayloadValue(scanner);
}

function readWeight({ token, text }: JsonScanner): number {
  let weight: bigint;
  try {
    weight = parseInt64(text);
  } catch {
    throw illegalArgument(
      token === JsonToken.String
        ? `Weight must be a string representing a numeric value, but was [${text}]`
        : `Weight must be an integer, but was [${text}]`,
    );
  }
  if (weight >= 0n && weight <= MOST_WEIGHT) return Number(weight);
  throw illegalArgument(`Weight must be in the interval [0..2147483647], but was [${weight}]`);
}

/**
 * Refuses texts with reserved characters.
 *
 * @param surface what is shown for the input
 * @param input as much of it as is indexed
 * @throws EngineError
 */
export function requireInput(surface: string, whole: string, input: string): void {
  if (surface.includes(UNIT_SEPARATOR)) {
    throw new EngineError(
      'IllegalArgumentException',
      'surface form cannot contain unit separator character U+001F; this character is reserved',
    );
  }
  const at = RESERVED.exec(input)?.index;
  if (at === undefined) return;
  const code = input.charCodeAt(at).toString(16).toUpperCase();
  throw illegalArgument(
    `Illegal input [${whole}] UTF-16 codepoint  [0x${code}] at position ${at} is a reserved character`,
  );
}

/** @throws EngineError for what takes more room than a term of the index has */
export function requireRoom(surface: string, payload: string | null): void {
  const bytes = Buffer.byteLength(surface) + (payload === null ? 0 : Buffer.byteLength(payload));
  if (bytes <= MAX_SHOWN_BYTES) return;
  throw illegalArgument(
    `output and payload of a completion have [${bytes}] bytes, more than [${MAX_SHOWN_BYTES}]`,
  );
}
