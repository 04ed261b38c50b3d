// Values of scripts as text, and back: what a script leaves may be on its way to another thread, which
// classes do not survive. Texts are JSON: an Integer, a string, a boolean and null as they are, everything
// else as a list that begins with a letter for its class.

import { Double, Float } from '../json/index';
import { BigInteger, Decimal } from './decimal';
import { limitExceeded } from './errors';
import { chargeWritten, MAX_VALUE_DEPTH } from './limits';
import { ScoreValue, type ScriptMap, type ScriptValue } from './values';

type Encoded = null | boolean | number | string | Encoded[];

/**
 * A value as text. What the engine lent becomes what it lists or says.
 *
 * @throws EngineError when it is nested too deeply, or too much counting what is in it again and again
 */
export function valueToText(value: ScriptValue): string {
  return JSON.stringify(encode(value, 0));
}

/** The value that a text of {@link valueToText} stands for. */
export function valueFromText(text: string): ScriptValue {
  return decode(JSON.parse(text) as Encoded);
}

function encode(value: ScriptValue, depth: number): Encoded {
  chargeWritten(typeof value === 'string' ? value.length : 0);
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return ['L', value.toString()];
    case 'object':
    case 'function':
    case 'symbol':
    case 'undefined':
      break;
  }
  if (value === null) return null;
  if (depth > MAX_VALUE_DEPTH) throw limitExceeded(`[${MAX_VALUE_DEPTH}] levels in a value`);
  if (value instanceof Double || value instanceof ScoreValue) return ['D', numberText(value.value)];
  if (value instanceof Float) return ['F', numberText(value.value)];
  if (value instanceof BigInteger) return ['B', value.value.toString()];
  if (value instanceof Decimal) return ['M', value.unscaled.toString(), value.scale];
  if (Array.isArray(value)) {
    const encoded: Encoded[] = ['A'];
    for (const item of value) encoded.push(encode(item, depth + 1));
    return encoded;
  }
  if (value instanceof Map) {
    const encoded: Encoded[] = ['O'];
    for (const [key, item] of value) {
      chargeWritten(key.length);
      encoded.push(key, encode(item, depth + 1));
    }
    return encoded;
  }
  return encode(value.plain(), depth + 1);
}

/** JSON has neither infinities nor a negative zero. */
function numberText(value: number): Encoded {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}

function decode(encoded: Encoded): ScriptValue {
  if (!Array.isArray(encoded)) return encoded;
  const [kind, first] = encoded;
  switch (kind as string) {
    case 'L':
      return BigInt(first as string);
    case 'D':
      return new Double(Number(first));
    case 'F':
      return new Float(Number(first));
    case 'B':
      return new BigInteger(BigInt(first as string));
    case 'M':
      return new Decimal(BigInt(first as string), Number(encoded[2]));
    case 'A':
      return encoded.slice(1).map(decode);
    default: {
      const map: ScriptMap = new Map();
      for (let i = 1; i < encoded.length; i += 2)
        map.set(encoded[i] as string, decode(encoded[i + 1]!));
      return map;
    }
  }
}
