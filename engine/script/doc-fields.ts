// Fields as scripts see them: `doc['f']`. A reader is opened once per segment on the columns; asking it for
// a document's values neither looks anything up nor makes anything that is not asked for.

import { Double, formatDouble } from '../json/index';
import { encodeGeohash } from '../geo/index';
import type { GeoColumn, NumericColumn, OrdinalColumn, SegmentReader } from '../segment/index';
import { ScriptDate, propertyOfGetter } from './dates';
import { missingProperty, runtimeError } from './errors';
import { callGeoMethod } from './geo-methods';
import { chargeVisits } from './limits';
import { HostObject, type ScriptList, type ScriptValue } from './values';
import type { FieldId, FieldKind } from '../metadata/index';
import type { MappedTypeName } from '../mapping/index';

/** A field that a script may ask for, resolved against one index. Plain data. */
export interface ScriptField {
  readonly name: string;
  readonly field: FieldId;
  /** Null: mapped, but without values that scripts could read. */
  readonly kind: FieldKind | null;
  /** Where in `_source` its values are. */
  readonly path: string;
  readonly type: MappedTypeName;
  /** Whether `_fields` has it. */
  readonly stored: boolean;
  /** The one value that every document has (`_index`), or null. */
  readonly constant: string | null;
}

/** What `doc['f']` gives: the values of the current document. */
export abstract class DocField extends HostObject {
  protected doc = 0;

  /** Reads from this segment from now on. */
  abstract open(segment: SegmentReader): void;

  seek(doc: number): void {
    this.doc = doc;
  }

  abstract get isEmpty(): boolean;
  /** The first value, or what stands for none. */
  abstract value(): ScriptValue;
  abstract values(): ScriptList;

  override property(name: string): ScriptValue {
    switch (name) {
      case 'value':
        return this.value();
      case 'values':
        return this.values();
      case 'empty':
        return this.isEmpty;
      default:
        throw missingProperty(name, this.javaClass);
    }
  }

  override method(name: string, args: readonly ScriptValue[]): ScriptValue | undefined {
    const property = args.length === 0 ? propertyOfGetter(name) : null;
    return property === null ? super.method(name, args) : this.property(property);
  }

  plain(): ScriptValue {
    return this.values();
  }
}

/** The reader of a field. @param now epoch milliseconds */
export function openField(field: ScriptField, now: number): DocField {
  if (field.constant !== null) return new ConstantField(field.constant);
  switch (field.kind) {
    case 'int':
    case 'long':
      return new LongField(field.field, now);
    case 'float':
    case 'double':
      return new DoubleField(field.field);
    case 'geo':
      return new GeoField(field.field);
    case 'string':
    case null:
      return new StringField(field.kind === null ? null : field.field);
  }
}

/** Columns of numbers: where the values of a document are. */
abstract class NumberField extends DocField {
  protected column: NumericColumn | null = null;

  constructor(private readonly field: FieldId) {
    super();
  }

  open(segment: SegmentReader): void {
    this.column = segment.numeric(this.field);
  }

  get isEmpty(): boolean {
    return firstIndex(this.column, this.doc) < 0;
  }

  protected abstract at(column: NumericColumn, index: number): ScriptValue;

  values(): ScriptList {
    const { column, doc } = this;
    const first = firstIndex(column, doc);
    if (column === null || first < 0) return [];
    const end = column.offsets === null ? first + 1 : column.offsets[doc + 1]!;
    const values: ScriptList = [];
    chargeVisits(end - first);
    for (let i = first; i < end; i++) values.push(this.at(column, i));
    return values;
  }
}

/** Index of the first value of a document, or -1. */
export function firstIndex(column: NumericColumn | null, doc: number): number {
  if (column === null) return -1;
  const { offsets, present } = column;
  if (offsets === null) return present === null || present.has(doc) ? doc : -1;
  const first = offsets[doc]!;
  return first === offsets[doc + 1]! ? -1 : first;
}

/** Integers of all sizes and dates: Java's Long. */
class LongField extends NumberField {
  readonly javaClass = 'org.elasticsearch.index.fielddata.ScriptDocValues$Longs';

  constructor(
    field: FieldId,
    private readonly now: number,
  ) {
    super(field);
  }

  value(): bigint {
    const index = firstIndex(this.column, this.doc);
    return index < 0 ? 0n : this.column!.longAt(index);
  }

  protected at(column: NumericColumn, index: number): bigint {
    return column.longAt(index);
  }

  override property(name: string): ScriptValue {
    return name === 'date' ? new ScriptDate(Number(this.value()), this.now) : super.property(name);
  }
}

class DoubleField extends NumberField {
  readonly javaClass = 'org.elasticsearch.index.fielddata.ScriptDocValues$Doubles';

  value(): Double {
    const index = firstIndex(this.column, this.doc);
    return new Double(index < 0 ? 0 : this.column!.valueAt(index));
  }

  protected at(column: NumericColumn, index: number): Double {
    return new Double(column.valueAt(index));
  }
}

/** Terms, in order. */
class StringField extends DocField {
  readonly javaClass = 'org.elasticsearch.index.fielddata.ScriptDocValues$Strings';
  private column: OrdinalColumn | null = null;

  constructor(private readonly field: FieldId | null) {
    super();
  }

  open(segment: SegmentReader): void {
    this.column = this.field === null ? null : segment.ordinals(this.field);
  }

  get isEmpty(): boolean {
    const { column, doc } = this;
    if (column === null) return true;
    const { offsets, ordinals } = column;
    return offsets === null ? ordinals[doc] === 0 : offsets[doc] === offsets[doc + 1];
  }

  value(): string | null {
    const { column, doc } = this;
    if (column === null || this.isEmpty) return null;
    const { offsets, ordinals, terms } = column;
    return terms.termAt(offsets === null ? ordinals[doc]! - 1 : ordinals[offsets[doc]!]!);
  }

  values(): ScriptList {
    const { column, doc } = this;
    if (column === null || this.isEmpty) return [];
    const { offsets, ordinals, terms } = column;
    if (offsets === null) return [terms.termAt(ordinals[doc]! - 1)];
    const values: ScriptList = [];
    chargeVisits(offsets[doc + 1]! - offsets[doc]!);
    for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++) values.push(terms.termAt(ordinals[i]!));
    return values;
  }
}

/** The same term in every document. */
class ConstantField extends DocField {
  readonly javaClass = 'org.elasticsearch.index.fielddata.ScriptDocValues$Strings';
  readonly isEmpty = false;

  constructor(private readonly term: string) {
    super();
  }

  open(): void {
    // Nothing to open: the term is known.
  }

  value(): string {
    return this.term;
  }

  values(): ScriptList {
    return [this.term];
  }
}

/** A point of a field. */
class ScriptPoint extends HostObject {
  readonly javaClass = 'org.elasticsearch.common.geo.GeoPoint';

  constructor(
    readonly latitude: number,
    readonly longitude: number,
  ) {
    super();
  }

  override property(name: string): ScriptValue {
    switch (name) {
      case 'lat':
        return new Double(this.latitude);
      case 'lon':
        return new Double(this.longitude);
      case 'geohash':
        return encodeGeohash(this, 12);
      default:
        throw missingProperty(name, this.javaClass);
    }
  }

  override method(name: string, args: readonly ScriptValue[]): ScriptValue | undefined {
    if (args.length > 0) return super.method(name, args);
    return this.property(propertyOfGetter(name) ?? name);
  }

  plain(): ScriptValue {
    return new Map([
      ['lat', new Double(this.latitude)],
      ['lon', new Double(this.longitude)],
    ]);
  }

  override text(): string {
    return `[${formatDouble(this.latitude)}, ${formatDouble(this.longitude)}]`;
  }
}

/** Points, in the order given. */
class GeoField extends DocField {
  readonly javaClass = 'org.elasticsearch.index.fielddata.ScriptDocValues$GeoPoints';
  private column: GeoColumn | null = null;

  constructor(private readonly field: FieldId) {
    super();
  }

  open(segment: SegmentReader): void {
    this.column = segment.geo(this.field);
  }

  get isEmpty(): boolean {
    const { column, doc } = this;
    return column === null || column.offsets[doc] === column.offsets[doc + 1];
  }

  value(): ScriptPoint | null {
    return this.isEmpty ? null : this.at(this.column!.offsets[this.doc]!);
  }

  values(): ScriptPoint[] {
    const { column, doc } = this;
    if (column === null) return [];
    const points: ScriptPoint[] = [];
    chargeVisits(column.offsets[doc + 1]! - column.offsets[doc]!);
    for (let i = column.offsets[doc]!; i < column.offsets[doc + 1]!; i++) points.push(this.at(i));
    return points;
  }

  override property(name: string): ScriptValue {
    switch (name) {
      case 'lat':
      case 'lon':
        return this.required(name).property(name);
      case 'lats':
        return this.values().map((point) => point.property('lat'));
      case 'lons':
        return this.values().map((point) => point.property('lon'));
      case 'geohash':
      case 'geohashes':
        return this.values().map((point) => point.property('geohash'));
      default:
        return super.property(name);
    }
  }

  override method(name: string, args: readonly ScriptValue[]): ScriptValue | undefined {
    const result = callGeoMethod(name, args, () => this.value());
    return result ?? super.method(name, args);
  }

  private at(index: number): ScriptPoint {
    return new ScriptPoint(this.column!.latitudes[index]!, this.column!.longitudes[index]!);
  }

  private required(what: string): ScriptPoint {
    const point = this.value();
    if (point !== null) return point;
    throw runtimeError(
      'NullPointerException',
      `Cannot invoke "org.elasticsearch.common.geo.GeoPoint.${what}()" because the point is null`,
    );
  }
}
