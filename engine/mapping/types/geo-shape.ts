// `geo_shape`: lines, areas and collections of them, given as GeoJSON.
//
// What is indexed are the cells of a prefix tree that a shape meets, as terms. They are made where documents
// are indexed; where a document is only checked it is the shape that is checked, and how many cells it would
// have.

import { EngineError, illegalArgument } from '../../errors';
import {
  cellTerms,
  cellWork,
  EARTH_EQUATOR_M,
  EARTH_POLE_DISTANCE_M,
  MAX_CELL_WORK,
  parseMeters,
  parseOrientation,
  prefixTree,
  readShape,
  type RingOrder,
  type ShapePrecision,
  type TreeName,
} from '../../geo/index';
import { JsonNumber, type JsonObject, formatDouble, javaText, optionInt } from '../../json/index';
import type { IndexedField } from '../fields/field-sink';
import { FieldMapper, type QueryValue, type ValueContext } from './field-mapper';
import { FieldMapping } from './field-mapping';
import { type FieldLocation } from './field-location';
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

const DISTANCE_ERROR = 0.025;

interface ShapeOptions extends ShapePrecision {
  readonly orientation: RingOrder;
}

/** The number of levels a tree needs for cells as small as a precision. */
function levelsFor(tree: TreeName, meters: number, most: number): number {
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
  const treeName = optionText(node, 'tree') ?? 'geohash';
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
  const kind = prefixTree(treeName);
  if (kind === null) throw unknown('type', treeName);
  const tree = treeName as TreeName;
  const wanted = Math.max(
    askedLevels,
    meters === null ? 0 : levelsFor(tree, meters, kind.mostLevels),
  );
  const levels = wanted > 0 ? wanted : kind.usualLevels;
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
    if (levels !== prefixTree(tree)?.usualLevels)
      out.set('tree_levels', new JsonNumber(String(levels)));
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
    const field = location.setup.field({
      name: location.indexName,
      kind: 'string',
      indexed: true,
      analyzer: null,
      indexOptions: 'docs',
      norms: false,
      docValues: false,
      positionGap: 0,
    });
    return new GeoShapeMapper(this, location, field);
  }
}

class GeoShapeMapper extends FieldMapper {
  readonly shapePrecision: ShapePrecision;
  private readonly order: RingOrder;

  constructor(mapping: GeoShapeMapping, location: FieldLocation, field: IndexedField) {
    super(mapping, location, field);
    const { tree, levels, distanceError, orientation } = mapping.own;
    this.shapePrecision = { tree, levels, distanceError };
    this.order = orientation;
  }

  override parse(context: ValueContext): void {
    try {
      this.addShape(context);
    } catch (error) {
      throw this.failed(error);
    }
  }

  /** A value that comes from another field is no object. */
  protected add(context: ValueContext): void {
    this.addShape(context);
  }

  private addShape(context: ValueContext): void {
    const { scanner, sink } = context;
    const shape = readShape(scanner, this.order, context);
    if (shape === null) return;
    const { shapePrecision, field } = this;
    checkDistanceError(shapePrecision.distanceError);
    if (sink.isChecking === true) {
      const work = cellWork(shape, shapePrecision);
      if (work <= MAX_CELL_WORK) return;
      throw illegalArgument(
        `shape of field [${this.path}] needs about [${Math.round(work)}] cells at its precision, more than [${MAX_CELL_WORK}]`,
      );
    }
    for (const term of cellTerms(shape, shapePrecision)) sink.text(field!, term, 1);
  }

  termOf(value: QueryValue): string {
    return value instanceof JsonNumber ? value.text : String(value);
  }
}

/** @throws EngineError IllegalArgumentException: the reference looks at it when it has a shape to measure */
function checkDistanceError(share: number): void {
  if (share >= 0 && share <= 0.5) return;
  throw new EngineError(
    'IllegalArgumentException',
    `distErrPct ${formatDouble(share)} must be between [0 to 0.5]`,
  );
}
