// Units of distance and their spellings (reference server).

import { illegalArgument } from '../errors';
import { parseDouble } from '../common/index';

/** Meters by spelling; case matters. */
const METERS: ReadonlyMap<string, number> = new Map([
  ['in', 0.0254],
  ['inch', 0.0254],
  ['yd', 0.9144],
  ['yards', 0.9144],
  ['ft', 0.3048],
  ['feet', 0.3048],
  ['km', 1000],
  ['kilometers', 1000],
  ['NM', 1852],
  ['nmi', 1852],
  ['nauticalmiles', 1852],
  ['mm', 0.001],
  ['millimeters', 0.001],
  ['cm', 0.01],
  ['centimeters', 0.01],
  ['mi', 1609.344],
  ['miles', 1609.344],
  ['m', 1],
  ['meters', 1],
]);

/**
 * How many meters a unit is.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException
 */
export function metersOf(unit: string): number {
  const meters = METERS.get(unit);
  if (meters === undefined) throw illegalArgument(`No distance unit match [${unit}]`);
  return meters;
}

/**
 * A distance with a unit in meters, or null for a text that ends with no unit.
 *
 * @throws EngineError NumberFormatException
 */
export function metersWithUnit(text: string): number | null {
  for (const [unit, meters] of METERS) {
    if (text.endsWith(unit)) return parseDouble(text.slice(0, -unit.length)) * meters;
  }
  return null;
}

/**
 * A distance in meters; a number without a unit is one of meters.
 *
 * @throws EngineError NumberFormatException
 */
export function parseMeters(text: string): number {
  return metersWithUnit(text) ?? parseDouble(text);
}
