// `geo_shape`, as query and as filter: shapes by how they lie to another one, given in place or taken from
// another document (reference server).

import { EngineError, illegalArgument } from '../../../errors';
import { cellWork, MAX_CELL_WORK, readShape, type Shape, smallestCells } from '../../../geo/index';
import {
  extractValue,
  isJsonObject,
  type JsonObject,
  JsonScanner,
  type JsonValue,
  parseJsonObject,
  decodeUtf8,
  writeJson,
} from '../../../json/index';
import { combine } from '../fields/exists-fields';
import { restrict, type FieldRef } from '../scope/field-ref';
import {
  CommonOptions,
  isCacheOption,
  isScalar,
  members,
  optionName,
  textOf,
  type KindBody,
} from '../scope/members';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import type { Query } from '../../ast/query';

type Relation = 'intersects' | 'disjoint' | 'within';

/** Cells that are looked up one by one are made while the request is parsed. */
const MAX_LOOKED_UP = MAX_CELL_WORK / 10;

const LOOKUP_OPTIONS: ReadonlySet<string> = new Set(['id', 'type', 'index', 'path']);

const NOTHING: JsonObject = new Map();

/** What is asked of a field. */
interface ShapeMembers {
  field: string | null;
  shape: Shape | null;
  relation: Relation;
  strategy: string | null;
}

/** `{field: {shape or indexed_shape, relation, strategy}}`. */
export const parseGeoShape: KindParser = (body, scope) => {
  const options = new CommonOptions();
  const asked = readMembers(body, 'query', scope, (name, value) => options.read(name, value));
  const { ref, filter } = shapeFilter(asked, scope);
  const query: Query = { kind: 'constantScore', query: filter, boost: options.boost };
  return named(options.name, restrict(ref, query));
};

/** The same with the options of filters. */
export const parseGeoShapeFilter: KindParser = (body, scope) => {
  let filterName: string | null = null;
  const asked = readMembers(body, 'filter', scope, (name, value) => {
    if (name === '_name') filterName = textOf(value);
    return name === '_name' || isCacheOption(optionName(name));
  });
  const { ref, filter } = shapeFilter(asked, scope);
  return named(filterName, restrict(ref, filter));
};

function readMembers(
  body: KindBody,
  kind: 'query' | 'filter',
  scope: ParseScope,
  readOption: (name: string, value: Parameters<typeof textOf>[0]) => boolean,
): ShapeMembers {
  const asked: ShapeMembers = { field: null, shape: null, relation: 'intersects', strategy: null };
  for (const member of members(body, 'object')) {
    if (member.sort === 'object') {
      asked.field = member.name;
      for (const [name, value] of member.value) readMember(asked, name, value, kind, scope);
    } else if (!readOption(member.name, member.value)) {
      throw unsupported(kind, member.name, scope);
    }
  }
  return asked;
}

function unsupported(kind: string, name: string, scope: ParseScope): EngineError {
  return scope.error(`[geo_shape] ${kind} does not support [${name}]`);
}

function readMember(
  asked: ShapeMembers,
  name: string,
  value: JsonValue,
  kind: 'query' | 'filter',
  scope: ParseScope,
): void {
  switch (name) {
    case 'shape':
      asked.shape = shapeOf(value);
      break;
    case 'strategy':
      asked.strategy = isScalar(value) ? textOf(value) : null;
      break;
    case 'relation': {
      const relation = isScalar(value) ? textOf(value) : 'null';
      const known = relation.toLowerCase();
      if (known !== 'intersects' && known !== 'disjoint' && known !== 'within') {
        // compat: the query's text has a blank more.
        const blank = kind === 'query' ? ' ' : '';
        throw scope.error(`Unknown shape operation [${relation}${blank}]`);
      }
      asked.relation = known;
      break;
    }
    case 'indexed_shape':
    case 'indexedShape':
      asked.shape = indexedShape(isJsonObject(value) ? value : NOTHING, scope);
      break;
    default:
      throw unsupported(kind, name, scope);
  }
}

/** compat: the orientation of the mapping is that of documents only. */
function shapeOf(value: JsonValue): Shape | null {
  const scanner = new JsonScanner(writeJson(value));
  scanner.next();
  return readShape(scanner, 'RIGHT');
}

/** Stands for a shape that is read when the query runs. */
const ANY_SHAPE = shapeOf(parseJsonObject('{"type":"point","coordinates":[0,0]}'));

/** The shape at a path of another document. */
function indexedShape(lookup: JsonObject, scope: ParseScope): Shape | null {
  const given = new Map([
    ['index', 'shapes'],
    ['path', 'shape'],
  ]);
  for (const { name, value } of members(lookup)) {
    if (LOOKUP_OPTIONS.has(name)) given.set(name, textOf(value));
  }
  const id = given.get('id');
  const type = given.get('type');
  if (id === undefined) throw scope.error('ID for indexed shape not provided');
  if (type === undefined) throw scope.error('Type for indexed shape not provided');
  const source = scope.context.getSource(given.get('index')!, type, id, undefined);
  if (source === undefined && scope.context.readsLater === true) return ANY_SHAPE;
  if (source === undefined)
    throw illegalArgument(`Shape with ID [${id}] in type [${type}] not found`);
  const path = given.get('path')!;
  const value = extractValue(parseJsonObject(decodeUtf8(source)), path);
  if (value !== null) return shapeOf(value);
  throw new EngineError(
    'ElasticsearchIllegalStateException',
    `Shape with name [${id}] found but missing ${path} field`,
  );
}

function shapeFilter(
  { field, shape, relation, strategy }: ShapeMembers,
  scope: ParseScope,
): { readonly ref: FieldRef; readonly filter: Query } {
  if (shape === null) throw scope.error('No Shape defined');
  const ref = scope.field(field!);
  if (ref.mapped === null) throw scope.error(`Failed to find geo_shape field [${field}]`);
  const precision = ref.mapped.shapePrecision;
  if (precision === undefined) throw scope.error(`Field [${field}] is not a geo_shape`);
  if (strategy !== null && strategy !== 'recursive' && strategy !== 'term') {
    throw illegalArgument(`Unknown prefix tree strategy [${strategy}]`);
  }
  const { id } = ref;
  if (strategy === 'term') {
    if (relation !== 'intersects') {
      const name = relation === 'within' ? 'Within' : 'Disjoint';
      throw new EngineError('UnsupportedSpatialOperation', name);
    }
    if (cellWork(shape, precision) > MAX_LOOKED_UP) {
      throw illegalArgument(
        `shape has more than [${MAX_LOOKED_UP}] cells at the precision of field [${field}], which [strategy] [term] would look up`,
      );
    }
    const terms = smallestCells(shape, precision);
    return { ref, filter: { kind: 'termSet', field: id, terms, boost: 1 } };
  }
  const wanted = relation === 'within' ? 'within' : 'intersects';
  const filter: Query = {
    kind: 'geoShape',
    field: id,
    shape,
    precision,
    relation: wanted,
    boost: 1,
  };
  if (relation !== 'disjoint') return { ref, filter };
  const any: Query = { kind: 'exists', fields: [id], boost: 1 };
  return { ref, filter: combine([any], [], [filter]) };
}
