// Shapes by their cells, against brute force: the cells of each document are taken one by one and compared
// with the shape asked for, by another reckoning of how a cell and a shape lie to each other.

import {
  type Box,
  cellTerms,
  COVERS,
  detailOf,
  DISJOINT,
  EARTH,
  prefixTree,
  regionOf,
  type Relation,
  type Shape,
  type ShapePrecision,
} from '../../engine/geo/index';
import { createWeight } from '../../engine/query/weights/create-weight';
import type { Query } from '../../engine/query/ast/query';
import { prepareQuery } from '../../engine/query/statistics';
import { FIELDS, segmentOf } from '../support/query-segments';
import { propertyRuns, Random, testSeed } from '../support/random';

const FIELD = FIELDS.k;
const PRECISIONS: readonly ShapePrecision[] = [
  { tree: 'quadtree', levels: 6, distanceError: 0 },
  { tree: 'quadtree', levels: 12, distanceError: 0.1 },
  { tree: 'geohash', levels: 3, distanceError: 0 },
  { tree: 'geohash', levels: 4, distanceError: 0.3 },
];

/** Half of the coordinates are where cells meet. */
function coordinate(random: Random, limit: number): number {
  const grid = (random.below(33) - 16) * (limit / 16);
  return random.next() < 0.5 ? grid : (random.next() * 2 - 1) * limit;
}

function ring(random: Random, x: number, y: number, size: number): Float64Array {
  const corners = 3 + random.below(9);
  const ring = new Float64Array(corners * 2 + 2);
  for (let i = 0; i < corners; i++) {
    const angle = (2 * Math.PI * i) / corners;
    const radius = size * (0.3 + 0.7 * random.next());
    ring[i * 2] = x + radius * Math.cos(angle);
    ring[i * 2 + 1] = y + radius * Math.sin(angle);
  }
  ring.set(ring.subarray(0, 2), corners * 2);
  return ring;
}

function shape(random: Random, depth = 0): Shape {
  const [x, y] = [coordinate(random, 160), coordinate(random, 60)];
  const size = 0.5 + random.next() ** 2 * 19;
  switch (random.below(depth === 0 ? 6 : 5)) {
    case 0:
      return { kind: 'point', x, y };
    case 1:
      return { kind: 'box', west: x, east: x + size, south: y - size / 2, north: y };
    case 2: {
      const line = ring(random, x, y, size);
      return { kind: 'paths', paths: [line.slice(0, -2)], hasArea: false };
    }
    case 3: {
      const paths = [ring(random, x, y, size)];
      if (random.next() < 0.5) paths.push(ring(random, x, y, size * 0.2));
      return { kind: 'paths', paths, hasArea: true };
    }
    case 4: {
      const square = [x, y, x + size, y, x + size, y + size, x, y + size, x, y];
      return { kind: 'paths', paths: [Float64Array.from(square)], hasArea: true };
    }
    default: {
      const shapes = Array.from({ length: 2 }, () => shape(random, depth + 1));
      return { kind: 'collection', shapes, isSplit: false };
    }
  }
}

/** What a shape has of a cell, by cutting its edges off at the cell's sides. */
function relation(shape: Shape, cell: Box): Relation {
  switch (shape.kind) {
    case 'point':
    case 'circle': {
      const { x, y } = shape;
      const isIn = x >= cell.west && x <= cell.east && y >= cell.south && y <= cell.north;
      return isIn ? 1 : DISJOINT;
    }
    case 'box': {
      const { west, east, south, north } = shape;
      if (east < cell.west || west > cell.east || north < cell.south || south > cell.north)
        return 0;
      const covers =
        west <= cell.west && east >= cell.east && south <= cell.south && north >= cell.north;
      return covers ? COVERS : 1;
    }
    case 'paths': {
      let touches = false;
      for (const path of shape.paths) {
        for (let i = 2; i < path.length; i += 2) {
          const left = cut(path[i - 2]!, path[i - 1]!, path[i]!, path[i + 1]!, cell);
          touches ||= left !== 'nothing';
          if (left === 'inside') return 1;
        }
      }
      const middle = [(cell.west + cell.east) / 2, (cell.south + cell.north) / 2] as const;
      if (shape.hasArea && shape.paths.filter((path) => winds(path, ...middle)).length % 2 === 1) {
        return COVERS;
      }
      return touches ? 1 : DISJOINT;
    }
    case 'collection': {
      const all = shape.shapes.map((part) => relation(part, cell)).filter((r) => r !== DISJOINT);
      return all[0] === undefined ? DISJOINT : all[0] === COVERS ? COVERS : 1;
    }
  }
}

/** What is left of an edge within a cell (Liang and Barsky). */
function cut(x1: number, y1: number, x2: number, y2: number, cell: Box): string {
  let [from, to] = [0, 1];
  const sides = [
    [x1 - x2, x1 - cell.west],
    [x2 - x1, cell.east - x1],
    [y1 - y2, y1 - cell.south],
    [y2 - y1, cell.north - y1],
  ] as const;
  for (const [p, q] of sides) {
    if (p === 0 && q < 0) return 'nothing';
    if (p < 0) from = Math.max(from, q / p);
    if (p > 0) to = Math.min(to, q / p);
  }
  if (from > to) return 'nothing';
  const at = (from + to) / 2;
  const [x, y] = [x1 + at * (x2 - x1), y1 + at * (y2 - y1)];
  const isInside = x > cell.west && x < cell.east && y > cell.south && y < cell.north;
  return isInside ? 'inside' : 'border';
}

/** Whether a ring goes around a point: by the sum of angles. */
function winds(ring: Float64Array, x: number, y: number): boolean {
  let sum = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const [ax, ay] = [ring[i - 2]! - x, ring[i - 1]! - y];
    const [bx, by] = [ring[i]! - x, ring[i + 1]! - y];
    sum += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return Math.abs(sum) > 1;
}

function cellOf(term: string, { tree }: ShapePrecision): Box {
  const found = prefixTree(tree)!;
  return [...term].reduce(
    (cell, c, level) => found.child(cell, level, found.characters.indexOf(c)),
    EARTH,
  );
}

/** Whether all cells of a level in a cell have something of a shape. */
function isFull(asked: Shape, term: string, level: number, precision: ShapePrecision): boolean {
  const what = relation(asked, cellOf(term, precision));
  if (term.length === level || what !== 1) return what !== DISJOINT;
  const { characters } = prefixTree(precision.tree)!;
  return [...characters].every((c) => isFull(asked, term + c, level, precision));
}

/** The smallest cells of a document, as far as the level that is asked for goes. */
function smallest(terms: readonly string[], level: number): string[] {
  const leaves = terms.filter((term) => term.endsWith('+')).map((term) => term.slice(0, -1));
  const cells = leaves.length === 0 ? terms.slice(-1) : leaves;
  return [...new Set(cells.map((cell) => cell.slice(0, level)))];
}

test('regions narrowed from cell to cell answer as those of the whole shape', () => {
  const random = new Random(testSeed(2711));
  for (let run = 0; run < propertyRuns(300); run++) {
    const asked = shape(random);
    const tree = prefixTree(random.next() < 0.5 ? 'quadtree' : 'geohash')!;
    let region = regionOf(asked);
    let cell = EARTH;
    for (let level = 0; level < 5; level++) {
      const children = [...tree.characters].map((_, i) => tree.child(cell, level, i));
      for (const child of children) expect(region.relate(child)).toBe(relation(asked, child));
      const met = children.filter((child) => region.relate(child) === 1);
      if (met.length === 0) break;
      cell = met[random.below(met.length)]!;
      region = region.within(cell);
    }
  }
});

test('queries find what brute force over the cells finds', () => {
  const random = new Random(testSeed(2712));
  let found = 0;
  for (let run = 0; run < propertyRuns(16); run++) {
    const precision = PRECISIONS[run % PRECISIONS.length]!;
    const shapes = Array.from({ length: 30 }, () => shape(random));
    const documents = shapes.map((one) => cellTerms(one, precision));
    const reader = segmentOf(documents.map((t) => ({ values: { k: t } })));
    for (let i = 0; i < 8; i++) {
      const asked = random.next() < 0.3 ? shapes[random.below(30)]! : shape(random);
      const detail = detailOf(asked, precision);
      for (const wanted of ['intersects', 'within'] as const) {
        const query: Query = {
          kind: 'geoShape',
          field: FIELD.id,
          shape: asked,
          precision,
          relation: wanted,
          boost: 1,
        };
        const prepared = prepareQuery(query, [reader]);
        const docs = createWeight(prepared.query, prepared.statistics).matches(reader);
        const expected = documents.map((terms) => {
          const cells = smallest(terms, detail);
          return wanted === 'within'
            ? cells.every((cell) => isFull(asked, cell, detail, precision))
            : cells.some((cell) => relation(asked, cellOf(cell, precision)) !== DISJOINT);
        });
        expect(documents.map((_, doc) => docs?.has(doc) === true)).toEqual(expected);
        found += expected.filter(Boolean).length;
      }
    }
  }
  expect(found).toBeGreaterThan(50);
});
