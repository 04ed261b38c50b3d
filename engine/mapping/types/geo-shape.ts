// `geo_shape`: lines, areas and collections of them, given as GeoJSON.
//
// Shapes are checked and kept in the source; of the index only whether a document has one is asked.

import { EngineError, illegalArgument } from '../../errors';
import { parseMeters, EARTH_EQUATOR_M, EARTH_POLE_DISTANCE_M } from '../../geo/index';
import {
  JsonNumber,
  type JsonObject,
  formatDouble,
  JsonToken,
  javaText,
  optionInt,
} from '../../json/index';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping, type FieldLocation } from './field-mapping';
import { parseOrientation, readShape, type Orientation } from './geo-json';
import {
  optionText,
  type CommonOptions,
  type MappingContext,
  type OptionNode,
  type TypeDefaults,
} from './options';
import { parseCommon } from './parse-options';
import { NUMERIC_DEFAULTS } from './numeric-options';
import { parseDouble } from '../../common/index';

const DEFAULTS: TypeDefaults = { ...NUMERIC_DEFAULTS, inAll: false, subFields: false };

const TREES = new Map([
  ['geohash', { levels: 9, mostLevels: 24 }],
  ['quadtree', { levels: 21, mostLevels: 50 }],
]);
const DISTANCE_ERROR = 0.025;

interface ShapeOptions {
  readonly tree: string;
  readonly levels: number;
  readonly distanceError: number;
  readonly orientation: Orientation;
}

/** The number of levels a tree needs for cells as small as a precision. */
function levelsFor(tree: string, meters: number, most: number): number {
  if (meters === 0) return most;
  const width = meters / (1 + EARTH_POLE_DISTANCE_M / EARTH_EQUATOR_M);
  const bits = Math.ceil(Math.log2(Math.ceil(EARTH_EQUATOR_M / width)));
  if (tree === 'quadtree') return bits;
  // A character stands for five bits of both coordinates, three of one and two of the other in turns.
  const pairs = Math.floor(bits / 5);
  const left = bits - pairs * 5;
  return 2 * pairs + (left > 0 ? 1 : 0) + (left > 3 ? 1 : 0);
}

function unknown(what: string, name: string): EngineError {
  return illegalArgument(`Unknown prefix tree ${what} [${name}]`);
}

function readOptions(node: OptionNode): ShapeOptions {
  const orientation = parseOrientation(optionText(node, 'orientation') ?? 'right');
  const tree = optionText(node, 'tree') ?? 'geohash';
  const askedLevels = node.has('tree_levels') ? optionInt(node.get('tree_levels') ?? null) : 0;
  const precision = optionText(node, 'precision');
  const meters = precision === undefined ? null : parseMeters(precision);
  const error = node.get('distance_error_pct');
  const distanceError =
    error === undefined
      ? DISTANCE_ERROR
      : error instanceof JsonNumber
        ? error.value
        : parseDouble(javaText(error));
  const kind = TREES.get(tree);
  if (kind === undefined) throw unknown('type', tree);
  const wanted = Math.max(
    askedLevels,
    meters === null ? 0 : levelsFor(tree, meters, kind.mostLevels),
  );
  const levels = wanted > 0 ? wanted : kind.levels;
  if (levels > kind.mostLevels) {
    throw new EngineError(
      'IllegalArgumentException',
      `maxLen must be [1-${kind.mostLevels}] but got ${levels}`,
    );
  }
  const strategy = optionText(node, 'strategy') ?? 'recursive';
  if (strategy !== 'recursive' && strategy !== 'term') throw unknown('strategy', strategy);
  return { tree, levels, distanceError, orientation };
}

/** A field of the type `geo_shape`. */
export class GeoShapeMapping extends FieldMapping {
  readonly type = 'geo_shape';

  private constructor(
    name: string,
    common: CommonOptions,
    readonly own: ShapeOptions,
  ) {
    super(name, common);
  }

  /** The options that other fields share are unknown to shapes. */
  static parse(name: string, node: OptionNode, context: MappingContext): GeoShapeMapping {
    const common = parseCommon(name, new Map(), context, () => DEFAULTS);
    return new GeoShapeMapping(name, common, readOptions(node));
  }

  protected defaults(): TypeDefaults {
    return DEFAULTS;
  }

  protected renderOwn(out: JsonObject): void {
    const { tree, levels, distanceError, orientation } = this.own;
    if (tree !== 'geohash') out.set('tree', tree);
    if (levels !== TREES.get(tree)?.levels) out.set('tree_levels', new JsonNumber(String(levels)));
    if (distanceError !== DISTANCE_ERROR) {
      out.set('distance_error_pct', new JsonNumber(formatDouble(distanceError)));
    }
    if (orientation !== 'RIGHT') out.set('orientation', orientation);
  }

  protected withCommon(common: CommonOptions): GeoShapeMapping {
    return new GeoShapeMapping(this.name, common, this.own);
  }

  override merge(next: FieldMapping, path: string, conflicts: string[]): FieldMapping {
    const merged = super.merge(next, path, conflicts);
    if (next.type !== this.type) conflicts.push(`mapper [${path}] has different field type`);
    return merged;
  }

  /** compat: of another tree nothing is taken over, without a conflict. */
  protected mergeOwn(common: CommonOptions, next: this): GeoShapeMapping {
    const { tree, levels } = this.own;
    const sameTree = next.own.tree === tree && next.own.levels === levels;
    return new GeoShapeMapping(this.name, common, sameTree ? next.own : this.own);
  }

  compile(location: FieldLocation): FieldMapper {
    return new GeoShapeMapper(this, location, this.markerField(location));
  }
}

class GeoShapeMapper extends FieldMapper {
  override parse(context: ValueContext): void {
    if (context.scanner.token === JsonToken.Null) return;
    try {
      readShape(context.scanner);
    } catch (error) {
      throw this.failed(error);
    }
    this.mark(context);
  }

  /** A value that comes from another field is no object. */
  protected add(context: ValueContext, token: JsonToken): void {
    if (token !== JsonToken.Null) readShape(context.scanner);
  }

  private mark({ sink }: ValueContext): void {
    if (this.field !== null) sink.present(this.field);
  }

  termOf(value: QueryValue): string {
    return value instanceof JsonNumber ? value.text : String(value);
  }
}
