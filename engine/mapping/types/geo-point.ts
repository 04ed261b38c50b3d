// `geo_point`: a latitude and a longitude, in one of many spellings.
//
// Behaviour as on the reference server. Coordinates out of range are wrapped around unless the mapping
// says otherwise. With `lat_lon` the coordinates are fields of their own, with `geohash` the hash is.

import { EngineError, illegalArgument } from '../../errors';
import {
  JsonNumber,
  type JsonObject,
  formatDouble,
  JsonToken,
  optionBoolean,
  optionInt,
} from '../../json/index';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
import {
  encodeGeohash,
  geohashLevels,
  normalizePoint,
  type GeoPoint,
  coordinate,
  pointOfObject,
  pointOfText,
  unexpected,
} from '../../geo/index';
import {
  optionText,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon } from './parse-options';
import { parseDouble } from '../../common/index';

const DEFAULTS: TypeDefaults = {
  indexed: true,
  tokenized: false,
  omitNorms: true,
  boostNeedsNorms: false,
  indexOptions: 'docs',
  inAll: false,
  subFields: true,
};

const MAX_GEOHASH_LENGTH = 12;

interface GeoOptions {
  readonly latLon: boolean;
  readonly geohash: boolean;
  readonly geohashPrefix: boolean;
  readonly geohashPrecision: number;
  readonly precisionStep: number | null;
  readonly normalizeLat: boolean;
  readonly normalizeLon: boolean;
  readonly validateLat: boolean;
  readonly validateLon: boolean;
}

/** A field of the type `geo_point`. */
export class GeoPointMapping extends FieldMapping {
  readonly type = 'geo_point';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly own: GeoOptions,
  ) {
    super(name, common);
  }

  static parse(name: string, node: OptionNode, context: MappingContext): GeoPointMapping {
    const common = parseCommon(name, node, context, () => DEFAULTS);
    const flag = (option: string, otherwise: boolean): boolean => {
      const value = node.get(option);
      return value === undefined ? otherwise : optionBoolean(value);
    };
    const normalize = flag('normalize', true);
    const validate = flag('validate', true);
    const geohashPrefix = flag('geohash_prefix', false);
    const precision = optionText(node, 'geohash_precision');
    const levels = precision === undefined ? MAX_GEOHASH_LENGTH : geohashLevels(precision);
    if (!context.isStored && (levels < 1 || levels > MAX_GEOHASH_LENGTH)) {
      throw illegalArgument(
        `[geohash_precision] of field [${name}] must be from 1 to ${MAX_GEOHASH_LENGTH}, not [${levels}]`,
      );
    }
    const step = node.get('precision_step');
    return new GeoPointMapping(
      name,
      {
        ...common,
        tokenized: false,
        subFieldsJustName: false,
        boost: 1,
        copyTo: [],
        normsLoading: null,
      },
      {
        latLon: flag('lat_lon', false),
        geohash: flag('geohash', false) || geohashPrefix,
        geohashPrefix,
        geohashPrecision: levels,
        precisionStep: step === undefined ? null : optionInt(step),
        normalizeLat: flag('normalize_lat', normalize),
        normalizeLon: flag('normalize_lon', normalize),
        validateLat: flag('validate_lat', validate),
        validateLon: flag('validate_lon', validate),
      },
    );
  }

  protected defaults(): TypeDefaults {
    return DEFAULTS;
  }

  protected override get indexAnalyzerName(): string | null {
    return this.common.indexed ? 'keyword' : null;
  }

  protected renderOwn(out: JsonObject): void {
    const { own } = this;
    if (own.latLon) out.set('lat_lon', true);
    if (own.geohash) out.set('geohash', true);
    if (own.geohashPrefix) out.set('geohash_prefix', true);
    if (own.geohashPrecision !== MAX_GEOHASH_LENGTH) {
      out.set('geohash_precision', new JsonNumber(String(own.geohashPrecision)));
    }
    if (own.precisionStep !== null) {
      out.set('precision_step', new JsonNumber(String(own.precisionStep)));
    }
    renderPair(out, 'validate', own.validateLat, own.validateLon);
    renderPair(out, 'normalize', own.normalizeLat, own.normalizeLon);
  }

  protected withCommon(common: CommonOptions): GeoPointMapping {
    return new GeoPointMapping(this.name, common, this.own);
  }

  protected mergeOwn(
    common: CommonOptions,
    next: this,
    path: string,
    conflicts: string[],
  ): GeoPointMapping {
    const check = (option: keyof GeoOptions, name: string): void => {
      if (this.own[option] !== next.own[option]) {
        conflicts.push(`mapper [${path}] has different ${name}`);
      }
    };
    check('latLon', 'lat_lon');
    check('geohash', 'geohash');
    check('geohashPrecision', 'geohash_precision');
    check('geohashPrefix', 'geohash_prefix');
    check('normalizeLat', 'normalize_lat');
    check('normalizeLon', 'normalize_lon');
    check('precisionStep', 'precision_step');
    check('validateLat', 'validate_lat');
    check('validateLon', 'validate_lon');
    return new GeoPointMapping(this.name, common, this.own);
  }

  compile(location: FieldLocation): FieldMapper {
    return new GeoPointMapper(this, location, this.physicalField(location, 'geo', null));
  }
}

/** `validate: false` when both are off, else the one that is. */
function renderPair(out: JsonObject, name: string, lat: boolean, lon: boolean): void {
  if (!lat && !lon) out.set(name, false);
  else if (!lat) out.set(`${name}_lat`, false);
  else if (!lon) out.set(`${name}_lon`, false);
}

class GeoPointMapper extends FieldMapper {
  override readonly readsArrays = true;
  readonly hasGeohashPrefixes: boolean;
  override readonly parts: readonly FieldMapper[];
  private readonly own: GeoOptions;
  private readonly latitude: GeoPartMapper | null = null;
  private readonly longitude: GeoPartMapper | null = null;
  private readonly hash: GeoPartMapper | null = null;

  constructor(mapping: GeoPointMapping, location: FieldLocation, field: IndexedField | null) {
    super(mapping, location, field);
    this.own = mapping.own;
    this.hasGeohashPrefixes = mapping.own.geohashPrefix;
    const part = (name: string, kind: 'double' | 'string'): GeoPartMapper => {
      const indexName = `${location.indexName}.${name}`;
      return new GeoPartMapper(
        mapping,
        { ...location, path: `${location.path}.${name}`, indexName },
        location.setup.field({
          name: indexName,
          kind,
          indexed: true,
          analyzer: null,
          indexOptions: 'docs',
          norms: false,
          docValues: true,
          positionGap: 0,
        }),
      );
    };
    if (this.own.latLon) {
      this.latitude = part('lat', 'double');
      this.longitude = part('lon', 'double');
    }
    if (this.own.geohash) this.hash = part('geohash', 'string');
    this.parts = [this.latitude, this.longitude, this.hash].filter((mapper) => mapper !== null);
  }

  override parse(context: ValueContext): void {
    const { scanner } = context;
    if (scanner.token !== JsonToken.ArrayStart) {
      this.parseElement(context);
      return;
    }
    let token: JsonToken = scanner.next();
    if (token === JsonToken.Number) {
      // [lon, lat]; further coordinates are ignored.
      const depth = scanner.depth - 1;
      const longitude = Number(scanner.text);
      scanner.next();
      const latitude = coordinate(scanner);
      while (scanner.depth > depth) scanner.next();
      this.storePoint(context, { latitude, longitude });
      return;
    }
    for (; token !== JsonToken.ArrayEnd; token = scanner.next()) {
      if (token === JsonToken.ArrayStart) this.parse(context);
      else if (token === JsonToken.Null) throw unexpected('geo_point expected');
      else this.parseElement(context);
    }
  }

  private parseElement(context: ValueContext): void {
    const { scanner } = context;
    const { token } = scanner;
    if (token === JsonToken.Null) return;
    if (token === JsonToken.String) this.storePoint(context, pointOfText(scanner.text));
    else if (token === JsonToken.ObjectStart) this.storePoint(context, pointOfObject(scanner));
    else throw unexpected('geo_point expected');
  }

  /** Values that come from another field: text only. */
  override accept(context: ValueContext, token: JsonToken, text: string): void {
    if (token === JsonToken.Null) return;
    if (token !== JsonToken.String) throw unexpected('geo_point expected');
    this.storePoint(context, pointOfText(text));
  }

  protected add(): void {
    // All spellings go through storePoint().
  }

  private storePoint(context: ValueContext, given: GeoPoint): void {
    const { own } = this;
    const point = normalizePoint(given, own.normalizeLat, own.normalizeLon);
    if (own.validateLat && !(Math.abs(point.latitude) <= 90)) {
      throw illegal('latitude', point.latitude, this.path);
    }
    if (own.validateLon && !(Math.abs(point.longitude) <= 180)) {
      throw illegal('longitude', point.longitude, this.path);
    }
    const { sink } = context;
    if (this.field !== null) {
      if (this.field.indexed || this.field.docValues) {
        sink.geo(this.field, point.latitude, point.longitude);
      } else sink.present(this.field);
    }
    if (this.latitude?.field && this.longitude?.field) {
      sink.number(this.latitude.field, point.latitude);
      sink.number(this.longitude.field, point.longitude);
    }
    if (this.hash?.field) this.storeHash(context, this.hash.field, point);
    if (this.subFields.length === 0) return;
    const text = encodeGeohash(point, MAX_GEOHASH_LENGTH);
    context.secondary++;
    for (const sub of this.subFields) sub.accept(context, JsonToken.String, text, 1);
    context.secondary--;
  }

  private storeHash({ sink }: ValueContext, field: IndexedField, point: GeoPoint): void {
    // Mappings of older data folders may ask for more.
    const length = Math.min(this.own.geohashPrecision, MAX_GEOHASH_LENGTH);
    const hash = encodeGeohash(point, length);
    const shortest = this.own.geohashPrefix ? 1 : hash.length;
    for (let length = hash.length; length >= shortest; length--) {
      sink.text(field, hash.slice(0, length), 1);
    }
  }

  termOf(value: QueryValue): string {
    return value instanceof JsonNumber ? value.text : String(value);
  }
}

/** A coordinate or the geohash of a point as a field to search. */
class GeoPartMapper extends FieldMapper {
  override readonly type: 'double' | 'string';

  constructor(mapping: FieldMapping, location: FieldLocation, field: IndexedField) {
    super(mapping, location, field, []);
    this.type = field.kind === 'double' ? 'double' : 'string';
  }

  protected add(): void {
    // Filled by the point.
  }

  termOf(value: QueryValue): string | number {
    const text = value instanceof JsonNumber ? value.text : String(value);
    return this.field?.kind === 'double' ? parseDouble(text) : text;
  }
}

function illegal(name: string, value: number, field: string): EngineError {
  const shown = formatDouble(value).replaceAll('"', '');
  return new EngineError(
    'ElasticsearchIllegalArgumentException',
    `illegal ${name} value [${shown}] for ${field}`,
  );
}
