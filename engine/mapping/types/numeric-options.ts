// Options that the types stored as numbers share: numbers, dates, addresses and token counts.

import { EngineError } from '../../errors';
import { JsonNumber, type JsonObject, optionBoolean, optionInt } from '../../json/index';
import type { OptionNode, TypeDefaults } from './options';

/** Options that numeric types, dates and addresses share. */
export interface NumericOptions {
  /** Null: the type's default. Without effect here, but part of the mapping. */
  readonly precisionStep: number | null;
  /** Null: the index's default. */
  readonly ignoreMalformed: boolean | null;
  readonly coerce: boolean | null;
}

/** Numbers are indexed whole, without frequencies and norms. */
export const NUMERIC_DEFAULTS: TypeDefaults = {
  indexed: true,
  tokenized: false,
  omitNorms: true,
  boostNeedsNorms: true,
  indexOptions: 'docs',
  inAll: true,
  subFields: true,
};

/** The precision step of 64-bit types. */
export const LONG_PRECISION_STEP = 16;
/** Stands for one step that takes all bits. */
export const WHOLE_PRECISION_STEP = 2_147_483_647;

/** @throws EngineError IllegalArgumentException for a precision step below 1 */
export function parseNumericOptions(node: OptionNode, defaultStep: number): NumericOptions {
  const bits = defaultStep === LONG_PRECISION_STEP ? 64 : 32;
  let step = node.has('precision_step') ? optionInt(node.get('precision_step') ?? null) : null;
  if (step !== null && step >= bits) step = WHOLE_PRECISION_STEP;
  if (step !== null && step < 1) {
    throw new EngineError('IllegalArgumentException', `precisionStep must be >= 1 (got ${step})`);
  }
  return {
    precisionStep: step === defaultStep ? null : step,
    ignoreMalformed: booleanOrNull(node, 'ignore_malformed'),
    coerce: booleanOrNull(node, 'coerce'),
  };
}

function booleanOrNull(node: OptionNode, name: string): boolean | null {
  const value = node.get(name);
  return value === undefined ? null : optionBoolean(value);
}

/** Adds the options that were given to a mapping as it is shown. */
export function renderNumericOptions(out: JsonObject, options: NumericOptions): void {
  if (options.precisionStep !== null) {
    out.set('precision_step', new JsonNumber(String(options.precisionStep)));
  }
  if (options.ignoreMalformed !== null) out.set('ignore_malformed', options.ignoreMalformed);
  if (options.coerce !== null) out.set('coerce', options.coerce);
}

/** The options after a new mapping: what it says holds, except for the precision step, which stays. */
export function mergeNumericOptions(current: NumericOptions, next: NumericOptions): NumericOptions {
  return {
    precisionStep: current.precisionStep,
    ignoreMalformed: next.ignoreMalformed ?? current.ignoreMalformed,
    coerce: next.coerce ?? current.coerce,
  };
}

const OVERLOOKED: ReadonlySet<string> = new Set([
  'NumberFormatException',
  'ElasticsearchIllegalArgumentException',
  'IllegalArgumentException',
  'MapperParsingException',
]);

/** True for errors that `ignore_malformed` overlooks: bad text and objects, but not bad JSON numbers. */
export function isMalformedValue(error: unknown): boolean {
  return error instanceof EngineError && OVERLOOKED.has(error.wireName);
}
