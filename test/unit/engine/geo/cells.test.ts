// The cells of shapes as the reference server indexes them (recorded-cells.jsonl): tree, levels and error of
// the field, the shape, and its leaves, all terms of a point, or what is said of a malformed shape.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cellTerms,
  cellWork,
  MAX_CELL_WORK,
  readShape,
  type Shape,
  type TreeName,
} from '../../../../engine/geo/index';
import { EngineError } from '../../../../engine/errors';
import { JsonScanner } from '../../../../engine/json/index';

type Recorded = readonly [
  tree: TreeName,
  levels: number,
  distanceError: number,
  shape: object,
  answer: string,
];

const RECORDED = readFileSync(join(__dirname, 'recorded-cells.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

function shapeOf(value: object): Shape {
  const scanner = new JsonScanner(JSON.stringify(value));
  scanner.next();
  return readShape(scanner, 'RIGHT')!;
}

function answerTo([tree, levels, distanceError, value]: Recorded): string {
  try {
    const terms = cellTerms(shapeOf(value), { tree, levels, distanceError });
    const leaves = terms.filter((term) => term.endsWith('+'));
    for (const leaf of leaves) expectAllAround(leaf.slice(0, -1), new Set(terms));
    return (leaves.length === 0 ? terms : leaves).sort().join(' ');
  } catch (error) {
    if (error instanceof EngineError) return `!${error.wireName}[${error.message}]`;
    throw error;
  }
}

/** A leaf and all cells that it is in are terms as well. */
function expectAllAround(term: string, terms: ReadonlySet<string>): void {
  for (let level = 1; level <= term.length; level++) {
    expect(terms.has(term.slice(0, level))).toBe(true);
  }
}

test.each(RECORDED)('%s of %i levels, error %d: %j', (...recorded) => {
  expect(answerTo(recorded)).toBe(recorded[4]);
});

const QUADTREE = { tree: 'quadtree', levels: 26, distanceError: 0.025 } as const;

function ring(count: number, radius: (i: number) => number): number[][] {
  const points = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [radius(i) * Math.cos(angle), radius(i) * Math.sin(angle)];
  });
  return [...points, points[0]!];
}

const polygon = (...rings: number[][][]): object => ({ type: 'polygon', coordinates: rings });

describe('what is too much is refused before it is worked out', () => {
  test('points', () => {
    const many = polygon(ring(50_001, () => 10));
    expect(() => shapeOf(many)).toThrow('shape has more than [50000] points');
    expect(() => shapeOf(polygon(ring(20_000, () => 10)))).not.toThrow();
  });

  test('edges above each other, and crossings', () => {
    const comb = Array.from({ length: 20_000 }, (_, i) => [(i % 2) * 80, i * 0.001]);
    const closed = [...comb, [-1, 20], [-1, 0], comb[0]!];
    expect(() => shapeOf(polygon(closed))).toThrow('polygon is too complex to be checked');
    const star = ring(1001, () => 10).filter((_, i) => i < 1001);
    const crossing = star.map((_, i) => star[(i * 500) % 1001]!);
    expect(() => shapeOf(polygon([...crossing, crossing[0]!]))).toThrow('Self-intersection at');
  });

  test('holes', () => {
    const holes = Array.from({ length: 4000 }, (_, i) => {
      const [x, y] = [(i % 60) - 30, Math.floor(i / 60) - 30];
      return [
        [x, y],
        [x, y + 0.5],
        [x + 0.5, y],
        [x, y],
      ];
    });
    const shell = ring(4, () => 80);
    expect(() => shapeOf(polygon(shell, ...holes))).toThrow(
      /too (many holes|complex) to be checked/,
    );
  });

  test('cells are estimated', () => {
    const small = shapeOf({
      type: 'envelope',
      coordinates: [
        [0, 1],
        [1, 0],
      ],
    });
    expect(cellWork(small, QUADTREE)).toBeLessThan(MAX_CELL_WORK / 100);
    expect(cellWork(small, { ...QUADTREE, distanceError: 0 })).toBeGreaterThan(MAX_CELL_WORK);
  });
});
