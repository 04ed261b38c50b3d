// What scripts ask of `doc`: fields of numbers and texts, dates and points.

import { decodeGeohash } from '../../geo/index';
import { geoMethod, type ScriptField } from '../../script/index';
import { latitudeField, longitudeField, termField, valueField, within } from '../layout/names';
import { measureOf } from './distance';
import {
  anything,
  grouped,
  isNumeric,
  notTranslated,
  type Piece,
  type ScriptParts,
  type ValuePiece,
} from './pieces';

/** Where fields stand: within the nested objects at a path of OpenSearch, or null: of whole documents. */
export interface ScriptPlace {
  readonly path: string | null;
}

/** Makes pieces of the fields of documents. */
export class FieldPieces {
  /** Functions that measure distances, by name. */
  readonly declarations = new Map<string, string>();

  constructor(
    private readonly parts: ScriptParts,
    private readonly place: ScriptPlace,
  ) {}

  /** `doc['f'].name`; null: it has no such property. */
  property(field: ScriptField, name: string): Piece | null {
    if (field.constant !== null) return this.constant(field.constant, name);
    const { kind } = field;
    if (kind === 'geo') return this.ofPoints(field, name);
    const own = this.name(field);
    switch (name) {
      case 'value':
        return own === null ? anything('null') : this.value(field, own);
      case 'values':
        return anything(this.values(field));
      case 'empty':
        return own === null
          ? this.parts.boolean(true)
          : { type: 'boolean', code: `lacks(doc, ${own})` };
      case 'date':
        if (kind !== 'int' && kind !== 'long') return null;
        return { type: 'date', code: `longAt(doc, ${own})` };
      default:
        return null;
    }
  }

  /** The list of a field's values. */
  values(field: ScriptField): string {
    if (field.constant !== null) return `[${this.parts.param(field.constant)}]`;
    if (field.kind === 'geo') throw notTranslated('points as values');
    const own = this.name(field);
    return own === null ? 'new ArrayList()' : `valuesAt(doc, ${own})`;
  }

  /** `doc['f'].name(args)`, of points only; null: there is no such method. */
  method(field: ScriptField, name: string, args: readonly ValuePiece[]): Piece | null {
    return field.kind === 'geo' ? this.distance(field, name, args) : null;
  }

  /** `doc['f'].value.name` of a point. */
  pointProperty(field: ScriptField, name: string): Piece | null {
    return name === 'lat' || name === 'lon' ? this.coordinate(field, name) : null;
  }

  private constant(term: string, name: string): Piece | null {
    if (name === 'value') return anything(this.parts.param(term));
    if (name === 'values') return anything(`[${this.parts.param(term)}]`);
    return name === 'empty' ? this.parts.boolean(false) : null;
  }

  private value({ kind }: ScriptField, own: string): ValuePiece {
    switch (kind) {
      case 'int':
      case 'long':
        return { type: 'long', code: `longAt(doc, ${own})` };
      case 'float':
      case 'double':
        return { type: 'double', code: `doubleAt(doc, ${own})` };
      case 'string':
      case 'geo':
      case null:
        return anything(`textAt(doc, ${own})`);
    }
  }

  /** Code for the name of the field's values; null: it has none. */
  private name({ field, kind }: ScriptField): string | null {
    if (kind === null) return null;
    const name = kind === 'string' ? termField(field) : valueField(field);
    return this.parts.param(within(this.place.path, name));
  }

  private ofPoints(field: ScriptField, name: string): Piece | null {
    switch (name) {
      case 'value':
        return { type: 'point', field };
      case 'empty':
        return {
          type: 'boolean',
          code: `lacks(doc, ${this.part(field, 'lat')})`,
        };
      case 'lat':
      case 'lon':
        return this.coordinate(field, name);
      case 'lats':
      case 'lons':
        return anything(`coordinates(${this.coordinates(field, name === 'lats' ? 'lat' : 'lon')})`);
      default:
        return null;
    }
  }

  private coordinate(field: ScriptField, which: 'lat' | 'lon'): ValuePiece {
    return { type: 'double', code: `coordinate(${this.coordinates(field, which)})` };
  }

  private coordinates(field: ScriptField, which: 'lat' | 'lon'): string {
    return `doc, ${this.name(field)!}, ${this.part(field, which)}, ${String(which === 'lat')}`;
  }

  private part({ field }: ScriptField, which: 'lat' | 'lon'): string {
    const name = which === 'lat' ? latitudeField(field) : longitudeField(field);
    return this.parts.param(within(this.place.path, name));
  }

  private distance(field: ScriptField, name: string, args: readonly ValuePiece[]): Piece | null {
    const method = geoMethod(name);
    if (method === null) return null;
    const { byHash, hasDefault, distance, unit, plus } = method;
    const coordinates = byHash ? 1 : 2;
    if (args.length !== coordinates + (hasDefault ? 1 : 0)) return null;
    const numbers = args.slice(byHash ? 1 : 0);
    if (!numbers.every(({ type }) => isNumeric(type))) {
      throw notTranslated(`[${name}] of anything but numbers`);
    }
    const target = byHash ? this.hashed(args[0]!) : args.slice(0, 2).map(({ code }) => code);
    const { declaration, name: measure } = measureOf(distance);
    this.declarations.set(measure, declaration);
    const lat = this.coordinate(field, 'lat').code;
    const lon = this.coordinate(field, 'lon').code;
    const measured = grouped(
      'double',
      `${measure}(${lat}, ${lon}, ${target.join(', ')}) / ${unit} + ${plus}`,
    );
    if (!hasDefault) return { type: 'double', code: measured };
    const isAbsent = `lacks(doc, ${this.part(field, 'lat')})`;
    const otherwise = grouped('double', args[coordinates]!.code);
    const code = grouped('double', `${isAbsent} ? ${otherwise} : ${measured}`);
    return { type: 'double', code };
  }

  /** Only constants: OpenSearch would have to read hashes. */
  private hashed({ code }: ValuePiece): readonly string[] {
    const value = this.parts.params.get(code.replace(/^params\./, ''));
    const point = typeof value === 'string' ? decodeGeohash(value) : null;
    if (point === null) throw notTranslated('[geohashDistance] of anything but a constant');
    return [this.parts.double(point.latitude).code, this.parts.double(point.longitude).code];
  }
}

/** Parts of an instant, from code that gives one. */
const DATE_PARTS: Readonly<Record<string, (instant: string) => string>> = {
  year: (utc) => `${utc}.getYear()`,
  yearOfEra: (utc) => `absLong(${utc}.getYear())`,
  yearOfCentury: (utc) => `absLong(${utc}.getYear()) % 100`,
  centuryOfEra: (utc) => `absLong(${utc}.getYear()) / 100`,
  era: (utc) => `${utc}.getYear() > 0 ? 1 : 0`,
  monthOfYear: (utc) => `${utc}.getMonthValue()`,
  dayOfMonth: (utc) => `${utc}.getDayOfMonth()`,
  dayOfYear: (utc) => `${utc}.getDayOfYear()`,
  dayOfWeek: (utc) => `${utc}.getDayOfWeek().getValue()`,
  weekyear: (utc) => `${utc}.get(IsoFields.WEEK_BASED_YEAR)`,
  weekOfWeekyear: (utc) => `${utc}.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)`,
  hourOfDay: (utc) => `${utc}.getHour()`,
  minuteOfHour: (utc) => `${utc}.getMinute()`,
  minuteOfDay: (utc) => `${utc}.get(ChronoField.MINUTE_OF_DAY)`,
  secondOfMinute: (utc) => `${utc}.getSecond()`,
  secondOfDay: (utc) => `${utc}.get(ChronoField.SECOND_OF_DAY)`,
  millisOfSecond: (utc) => `${utc}.get(ChronoField.MILLI_OF_SECOND)`,
  millisOfDay: (utc) => `${utc}.get(ChronoField.MILLI_OF_DAY)`,
};

/** A property of a date; null: it has none of that name. @param now the present, as code */
export function dateProperty(millis: string, name: string, now: string): ValuePiece | null {
  const part = Object.hasOwn(DATE_PARTS, name) ? DATE_PARTS[name]! : null;
  if (part !== null) return { type: 'int', code: `intOf(${part(`utc(${millis})`)})` };
  switch (name) {
    case 'millis':
    case 'time':
      return { type: 'long', code: millis };
    case 'afterNow':
      return { type: 'boolean', code: grouped('boolean', `${millis} > ${now}`) };
    case 'beforeNow':
      return { type: 'boolean', code: grouped('boolean', `${millis} < ${now}`) };
    default:
      return null;
  }
}

/** Comparisons of dates, by the names of their methods. */
const DATE_TESTS: Readonly<Record<string, string>> = {
  isAfter: '>',
  after: '>',
  isBefore: '<',
  before: '<',
  isEqual: '==',
  equals: '==',
};

/** `date.isAfter(other)`; null: there is no such method. */
export function dateMethod(millis: string, name: string, other: Piece | null): ValuePiece | null {
  if (other === null || (other.type !== 'date' && other.type !== 'long' && other.type !== 'int'))
    return null;
  if (name === 'compareTo') return { type: 'int', code: `Long.compare(${millis}, ${other.code})` };
  const sign = Object.hasOwn(DATE_TESTS, name) ? DATE_TESTS[name]! : null;
  return sign === null
    ? null
    : { type: 'boolean', code: grouped('boolean', `${millis} ${sign} ${other.code}`) };
}

/** @throws EngineError for a piece that is no value */
export function valueOf(piece: Piece, fields: FieldPieces): ValuePiece {
  switch (piece.type) {
    case 'field':
      return anything(fields.values(piece.field));
    case 'point':
      throw notTranslated('a point as a value');
    case 'date':
      throw notTranslated('a date as a value');
    case 'int':
    case 'long':
    case 'double':
    case 'boolean':
    case 'score':
    case 'def':
      return piece;
  }
}
