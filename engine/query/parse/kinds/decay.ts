// The decay functions of `function_score`: gauss, exp, linear.

import { EngineError, illegalArgument } from '../../../errors';
import { metersOf, parsePoint } from '../../../geo/index';
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../../json/index';
import { parseTimeValue, parseDouble } from '../../../common/index';
import { isDate, isNumeric, resolveField } from '../scope/field-ref';
import type { ParseScope } from '../scope/parse-scope';
import { type KindBody, textOf } from '../scope/members';
import type { DecayShape, ScoreFunction, ValueMode } from '../../ast/score-function';
import type { MappedField } from '../../../mapping/index';

const DEFAULT_DECAY = 0.5;

/** What a decay function says of its field. */
interface DecayOptions {
  readonly origin: JsonValue | undefined;
  readonly scale: JsonValue | undefined;
  readonly offset: JsonValue | undefined;
  readonly decay: number;
}

/** `{field: {origin, scale, offset, decay}, multi_value_mode}`. */
export function parseDecay(shape: DecayShape, body: KindBody, scope: ParseScope): ScoreFunction {
  let field: readonly [string, JsonObject] | null = null;
  let mode: ValueMode = 'min';
  for (const [name, value] of Array.isArray(body) ? [] : body) {
    if (isJsonObject(value)) field = [name, value];
    else if (name === 'multi_value_mode') mode = modeOf(textOf(scalar(value)));
    else throw malformed('Malformed score function score parameters.');
  }
  if (field === null) throw malformed('Malformed score function score parameters.');
  const [name, members] = field;
  const ref = resolveField(name, scope);
  if (ref.mapped?.field == null) throw scope.error(`Unknown field [${name}]`);
  const options = optionsOf(members);
  const { origin, scale, offset } =
    ref.mapped.type === 'geo_point'
      ? geoOptions(options)
      : isDate(ref)
        ? dateOptions(options, ref.mapped, scope)
        : numberOptions(name, options, isNumeric(ref));
  if (!(scale > 0)) throw illegalArgument('function_score : scale must be > 0.0.');
  if (!(options.decay > 0 && options.decay < 1)) {
    throw illegalArgument('function_score : decay must be in the range [0..1].');
  }
  if (offset < 0) throw illegalArgument('function_score : offset must be > 0.0');
  const { id } = ref.mapped.field;
  return { kind: 'decay', shape, field: id, origin, scale, offset, decay: options.decay, mode };
}

type Settled = Pick<Extract<ScoreFunction, { kind: 'decay' }>, 'origin' | 'scale' | 'offset'>;

function optionsOf(members: JsonObject): DecayOptions {
  const names = ['origin', 'scale', 'offset', 'decay'];
  for (const name of members.keys()) {
    if (!names.includes(name)) throw malformed(`Parameter ${name} not supported!`);
  }
  const decay = members.get('decay');
  return {
    origin: members.get('origin'),
    scale: members.get('scale'),
    offset: members.get('offset'),
    decay: decay === undefined ? DEFAULT_DECAY : numberOf(decay),
  };
}

function numberOptions(
  name: string,
  { origin, scale, offset }: DecayOptions,
  numeric: boolean,
): Settled {
  if (!numeric) {
    throw new EngineError(
      'QueryParsingException',
      `Field ${name} is of type indexed,tokenized, but only numeric types are supported.`,
    );
  }
  if (origin === undefined || scale === undefined) {
    throw malformed('Both scale and origin must be set for numeric fields.');
  }
  return {
    origin: numberOf(origin),
    scale: numberOf(scale),
    offset: offset === undefined ? 0 : numberOf(offset),
  };
}

function dateOptions(
  { origin, scale, offset }: DecayOptions,
  field: MappedField,
  scope: ParseScope,
): Settled {
  if (scale === undefined) throw malformed('scale must be set for date fields.');
  const { now } = scope.context;
  const bound = { roundUp: false, format: null, timeZone: null, now };
  const start = origin === undefined ? now() : Number(field.boundOf(scalar(origin), bound));
  return { origin: start, scale: timeOf(scale), offset: offset === undefined ? 0 : timeOf(offset) };
}

function geoOptions({ origin, scale, offset }: DecayOptions): Settled {
  if (scale === undefined) throw malformed('origin and scale must be set for geo fields.');
  if (origin === null || typeof origin === 'boolean' || origin instanceof JsonNumber)
    throw malformed('geo_point expected');
  return {
    // compat: without an origin distances are measured from the point 0,0.
    origin: origin === undefined ? { latitude: 0, longitude: 0 } : parsePoint(origin),
    scale: distanceOf(scale),
    offset: offset === undefined ? 0 : distanceOf(offset),
  };
}

/** Meters. */
function distanceOf(value: JsonValue): number {
  const text = String(scalar(value));
  const match = /^(.*?[\d.])\s*([a-zA-Z]+)$/.exec(text);
  return match === null ? parseDouble(text) : parseDouble(match[1]!) * metersOf(match[2]!);
}

/** Milliseconds. */
function timeOf(value: JsonValue): number {
  return parseTimeValue(String(scalar(value)));
}

function numberOf(value: JsonValue): number {
  const given = scalar(value);
  return given instanceof JsonNumber ? given.value : parseDouble(String(given));
}

function scalar(value: JsonValue): string | JsonNumber | boolean {
  if (value !== null && !isJsonObject(value) && !Array.isArray(value)) return value;
  throw malformed('Malformed score function score parameters.');
}

function modeOf(text: string): ValueMode {
  const mode = text.toLowerCase();
  if (mode === 'min' || mode === 'max' || mode === 'avg' || mode === 'sum') return mode;
  throw illegalArgument(`Illegal sort_mode ${text.toUpperCase()}`);
}

function malformed(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}
