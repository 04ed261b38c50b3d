// The values of `completion` fields in documents, checked as the reference server checks them.

import { EngineError, illegalArgument } from '../../errors';
import { JsonToken, type JsonScanner } from '../../json/index';
import type { CompletionOptions } from './completion';
import { unexpected } from '../../geo/index';
import { parseInt64 } from '../../common/index';

const MEMBERS = ['output', 'context', 'input', 'weight', 'payload'];
const MOST_WEIGHT = 2_147_483_647n;
/** Characters that the index of completions keeps for itself, and how their use is refused. */
const UNIT_SEPARATOR = '\u001f';
const RESERVED = ['\u001e', '\u0000'];

/**
 * Reads the object at the scanner's token and leaves the scanner at its end.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException, IllegalArgumentException, MapperException,
 *         ElasticsearchParseException
 */
export function readCompletion(
  scanner: JsonScanner,
  { payloads, contexts }: Pick<CompletionOptions, 'payloads' | 'contexts'>,
): void {
  const depth = scanner.depth - 1;
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
      readContexts(scanner, contexts);
    } else if (member === 'payload') {
      readPayload(scanner, payloads);
    } else if (member === 'weight') {
      if (token === JsonToken.Number || token === JsonToken.String) requireWeight(scanner);
    } else if (member === 'input') {
      if (token === JsonToken.Number || token === JsonToken.String) requireInput(scanner.text);
    }
  }
}

function readContexts(scanner: JsonScanner, contexts: CompletionOptions['contexts']): void {
  if (scanner.token !== JsonToken.ObjectStart) return;
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    const context = contexts.get(name);
    if (context === undefined) throw unexpected(`context [${name}] is not defined`);
    if (scanner.next() === JsonToken.ObjectStart && context.type === 'category') {
      throw unexpected('FieldConfig must be either [null], a string or a list of strings');
    }
    scanner.skipChildren();
  }
}

function readPayload(scanner: JsonScanner, enabled: boolean): void {
  if (!enabled) throw new EngineError('MapperException', 'Payloads disabled in mapping');
  const { token } = scanner;
  if (token === JsonToken.ArrayStart || token === JsonToken.Null) {
    const name = token === JsonToken.Null ? 'VALUE_NULL' : 'START_ARRAY';
    throw new EngineError('MapperException', `payload doesn't support type ${name}`);
  }
  scanner.skipChildren();
}

function requireWeight({ token, text }: JsonScanner): void {
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
  if (weight >= 0n && weight <= MOST_WEIGHT) return;
  throw illegalArgument(`Weight must be in the interval [0..2147483647], but was [${weight}]`);
}

/**
 * Refuses texts with reserved characters.
 *
 * @throws EngineError
 */
export function requireInput(text: string): void {
  if (text.includes(UNIT_SEPARATOR)) {
    throw new EngineError(
      'IllegalArgumentException',
      'surface form cannot contain unit separator character U+001F; this character is reserved',
    );
  }
  for (const character of RESERVED) {
    const at = text.indexOf(character);
    if (at < 0) continue;
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    throw illegalArgument(
      `Illegal input [${text}] UTF-16 codepoint  [0x${code}] at position ${at} is a reserved character`,
    );
  }
}
