// Methods of strings. Regular expressions run on a linear-time engine.

import { RE2JS } from 're2js';
import { EngineError } from '../errors';
import { runtimeError } from './errors';
import type { StepBudget } from './limits';
import { conversionTo } from './types';
import { parseLong } from './math';
import {
  compareValues,
  javaClassOf,
  javaEquals,
  noMethod,
  textOf,
  type ScriptValue,
} from './values';

type StringMethod = (
  text: string,
  args: readonly ScriptValue[],
  budget: StepBudget,
) => ScriptValue | undefined;

const METHODS: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['length', (text, args) => (args.length === 0 ? text.length : undefined)],
  ['size', (text, args) => (args.length === 0 ? text.length : undefined)],
  ['isEmpty', (text, args) => (args.length === 0 ? text === '' : undefined)],
  ['toString', (text, args) => (args.length === 0 ? text : undefined)],
  ['toLowerCase', (text, args) => (args.length === 0 ? text.toLowerCase() : undefined)],
  ['toUpperCase', (text, args) => (args.length === 0 ? text.toUpperCase() : undefined)],
  [
    'trim',
    (text, args) => (args.length === 0 ? text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '') : undefined),
  ],
  ['reverse', (text, args) => (args.length === 0 ? [...text].reverse().join('') : undefined)],
  [
    'capitalize',
    (text, args) => (args.length === 0 ? text.charAt(0).toUpperCase() + text.slice(1) : undefined),
  ],
  [
    'toInteger',
    (text, args) => (args.length === 0 ? Number(parseLong(text.trim(), 32)) : undefined),
  ],
  ['toLong', (text, args) => (args.length === 0 ? parseLong(text.trim(), 64) : undefined)],
  ['toDouble', (text, args) => converted('double', text, args)],
  ['toFloat', (text, args) => converted('float', text, args)],
  ['isInteger', (text, args) => (args.length === 0 ? fits(text, 32) : undefined)],
  ['isLong', (text, args) => (args.length === 0 ? fits(text, 64) : undefined)],
  ['isNumber', (text, args) => (args.length === 0 ? isNumeric(text) : undefined)],
  ['isDouble', (text, args) => (args.length === 0 ? isNumeric(text) : undefined)],
  ['toList', (text, args, budget) => (args.length === 0 ? charged([...text], budget) : undefined)],
  ['hashCode', (text, args) => (args.length === 0 ? hashCode(text) : undefined)],
  ['charAt', (text, [at]) => (typeof at === 'number' ? text.charAt(checked(text, at)) : undefined)],
  ['substring', substring],
  [
    'indexOf',
    (text, [part, from]) =>
      typeof part === 'string' ? text.indexOf(part, asIndex(from)) : undefined,
  ],
  [
    'lastIndexOf',
    (text, [part]) => (typeof part === 'string' ? text.lastIndexOf(part) : undefined),
  ],
  ['contains', (text, [part]) => (typeof part === 'string' ? text.includes(part) : undefined)],
  ['startsWith', (text, [part]) => (typeof part === 'string' ? text.startsWith(part) : undefined)],
  ['endsWith', (text, [part]) => (typeof part === 'string' ? text.endsWith(part) : undefined)],
  ['equals', (text, [other]) => (other === undefined ? undefined : javaEquals(text, other))],
  [
    'equalsIgnoreCase',
    (text, [other]) =>
      other === undefined
        ? undefined
        : typeof other === 'string' && text.toLowerCase() === other.toLowerCase(),
  ],
  [
    'compareTo',
    (text, [other]) => (typeof other === 'string' ? difference(text, other) : undefined),
  ],
  [
    'concat',
    (text, [other], budget) =>
      typeof other === 'string' ? joined([text, other], budget) : undefined,
  ],
  ['replace', replaceAllTexts],
  ['replaceAll', (text, args, budget) => replaceMatches(text, args, budget, true)],
  ['replaceFirst', (text, args, budget) => replaceMatches(text, args, budget, false)],
  [
    'matches',
    (text, [pattern]) => (typeof pattern === 'string' ? matches(text, pattern) : undefined),
  ],
  ['split', split],
  ['tokenize', tokenize],
  ['padLeft', (text, args, budget) => pad(text, args, budget, true)],
  ['padRight', (text, args, budget) => pad(text, args, budget, false)],
]);

/** @throws EngineError MissingMethodException and what Java's methods throw */
export function callStringMethod(
  text: string,
  name: string,
  args: readonly ScriptValue[],
  budget: StepBudget,
): ScriptValue {
  if (text.length > 1024) budget.charge(text.length >> 10);
  const result = METHODS.get(name)?.(text, args, budget);
  if (result === undefined) throw noMethod('java.lang.String', name, args);
  return result;
}

/** The whole text matches a regular expression. @throws EngineError PatternSyntaxException */
export function matches(text: string, pattern: string): boolean {
  return regex(pattern).matcher(text).matches();
}

/** Some part of the text matches a regular expression. @throws EngineError PatternSyntaxException */
export function finds(text: string, pattern: string): boolean {
  return regex(pattern).matcher(text).find();
}

function regex(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw runtimeError('PatternSyntaxException', reason);
  }
}

function converted(
  type: string,
  text: string,
  args: readonly ScriptValue[],
): ScriptValue | undefined {
  return args.length === 0 ? conversionTo(type)!(text) : undefined;
}

function fits(text: string, bits: 32 | 64): boolean {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,30}$/.test(trimmed)) return false;
  const value = BigInt(trimmed.startsWith('+') ? trimmed.slice(1) : trimmed);
  return BigInt.asIntN(bits, value) === value;
}

function isNumeric(text: string): boolean {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(text);
}

function hashCode(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

function checked(text: string, at: number): number {
  if (at >= 0 && at < text.length) return at;
  throw runtimeError('StringIndexOutOfBoundsException', `String index out of range: ${at}`);
}

function asIndex(value: ScriptValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function substring(text: string, [from, to]: readonly ScriptValue[]): ScriptValue | undefined {
  if (typeof from !== 'number') return undefined;
  const end = to ?? text.length;
  if (typeof end !== 'number') return undefined;
  if (from < 0 || end > text.length || from > end) {
    throw runtimeError(
      'StringIndexOutOfBoundsException',
      `begin ${from}, end ${end}, length ${text.length}`,
    );
  }
  return text.slice(from, end);
}

function difference(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unit = a.charCodeAt(i) - b.charCodeAt(i);
    if (unit !== 0) return unit;
  }
  return a.length - b.length;
}

function joined(texts: readonly string[], budget: StepBudget): string {
  budget.checkLength(texts.reduce((sum, text) => sum + text.length, 0));
  return texts.join('');
}

function replaceAllTexts(
  text: string,
  [from, to]: readonly ScriptValue[],
  budget: StepBudget,
): ScriptValue | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return joined(
    text.split(from).flatMap((part, i) => (i === 0 ? [part] : [to, part])),
    budget,
  );
}

function replaceMatches(
  text: string,
  [pattern, by]: readonly ScriptValue[],
  budget: StepBudget,
  all: boolean,
): ScriptValue | undefined {
  if (typeof pattern !== 'string' || typeof by !== 'string') return undefined;
  budget.checkLength((text.length + 1) * (by.length + 1));
  const matcher = regex(pattern).matcher(text);
  try {
    return all ? matcher.replaceAll(by) : matcher.replaceFirst(by);
  } catch (error) {
    // A reference to a group that the pattern does not have.
    const message = error instanceof Error ? error.message : String(error);
    throw runtimeError('IndexOutOfBoundsException', message);
  }
}

/** By a regular expression; empty texts at the end are dropped (Java). */
function split(
  text: string,
  [pattern]: readonly ScriptValue[],
  budget: StepBudget,
): ScriptValue | undefined {
  if (pattern === undefined) return tokenize(text, [], budget);
  if (typeof pattern !== 'string') return undefined;
  const parts: string[] = /^[^\\.[\](){}*+?^$|]$/.test(pattern)
    ? text.split(pattern)
    : [...regex(pattern).split(text)];
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return charged(parts, budget);
}

/** At any of some characters; empty parts are left out. */
function tokenize(
  text: string,
  [delimiters]: readonly ScriptValue[],
  budget: StepBudget,
): ScriptValue | undefined {
  const at = delimiters === undefined ? ' \t\n\r\f' : delimiters;
  if (typeof at !== 'string') return undefined;
  const parts: string[] = [];
  let part = '';
  for (const c of text) {
    if (!at.includes(c)) part += c;
    else if (part !== '') {
      parts.push(part);
      part = '';
    }
  }
  if (part !== '') parts.push(part);
  return charged(parts, budget);
}

function charged(parts: string[], budget: StepBudget): string[] {
  budget.checkSize(parts.length);
  budget.charge(parts.length >> 2);
  return parts;
}

function pad(
  text: string,
  [size, filler]: readonly ScriptValue[],
  budget: StepBudget,
  left: boolean,
): ScriptValue | undefined {
  if (typeof size !== 'number') return undefined;
  budget.checkLength(size);
  const by = typeof filler === 'string' ? filler : ' ';
  return left ? text.padStart(size, by) : text.padEnd(size, by);
}

/** One character, counted from the end when negative; or those of a range. */
export function characterAt(text: string, index: ScriptValue): ScriptValue {
  if (typeof index === 'number') {
    const at = index < 0 ? index + text.length : index;
    return text.charAt(checked(text, at));
  }
  if (Array.isArray(index)) return index.map((at) => textOf(characterAt(text, at))).join('');
  throw noMethod('java.lang.String', 'getAt', [index]);
}

/** The order that `sort`, `max` and `min` go by. */
export function naturalOrder(a: ScriptValue, b: ScriptValue): number {
  if (typeof a === 'string' && typeof b === 'string') return difference(a, b);
  try {
    return compareValues(a, b);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // Values of different kinds stay as they are, by kind.
    return javaClassOf(a) < javaClassOf(b) ? -1 : 1;
  }
}
