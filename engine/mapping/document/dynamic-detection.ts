// Which type a new field gets from its first value (reference server).

import { EngineError } from '../../errors';
import { JsonToken } from '../../json/index';
import { dateFormat } from '../dates/date-format';
import { DYNAMIC_DATE_FORMATS, type RootOptions } from '../schema/type-mapping';
import { exactLong, isInteger, parseDouble, parseInt64 } from '../../common/index';

/** The type found, as dynamic templates name it; for dates with the format that fitted. */
interface DetectedType {
  readonly type: 'string' | 'long' | 'double' | 'date' | 'boolean';
  readonly format: string | null;
}

const STRING: DetectedType = { type: 'string', format: null };
const LONG: DetectedType = { type: 'long', format: null };
const DOUBLE: DetectedType = { type: 'double', format: null };
const BOOLEAN: DetectedType = { type: 'boolean', format: null };

const LONG_DIGITS = 18;

/**
 * The type of a scalar.
 *
 * @throws EngineError ElasticsearchIllegalStateException for integers beyond 64 bits
 */
export function detectType(token: JsonToken, text: string, options: RootOptions): DetectedType {
  if (token === JsonToken.String) return ofText(text, options);
  if (token !== JsonToken.Number) return BOOLEAN;
  if (!isInteger(text)) return DOUBLE;
  if (text.length > LONG_DIGITS && exactLong(text) === null) {
    throw new EngineError(
      'ElasticsearchIllegalStateException',
      'No matching token for number_type [BIG_INTEGER]',
    );
  }
  return LONG;
}

function ofText(text: string, options: RootOptions): DetectedType {
  if (options.dateDetection && looksLikeDate(text)) {
    for (const format of options.dynamicDateFormats ?? DYNAMIC_DATE_FORMATS) {
      if (dateFormat(format).tryParse(text) !== null) return { type: 'date', format };
    }
  }
  if (options.numericDetection) {
    if (parses(text, parseInt64)) return LONG;
    if (parses(text, parseDouble)) return DOUBLE;
  }
  return STRING;
}

/** Two separators of one sort: cheaper than trying the formats on every text. */
function looksLikeDate(text: string): boolean {
  return repeats(text, ':') || repeats(text, '-') || repeats(text, '/');
}

function repeats(text: string, separator: string): boolean {
  const first = text.indexOf(separator);
  return first >= 0 && text.includes(separator, first + 1);
}

function parses(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
