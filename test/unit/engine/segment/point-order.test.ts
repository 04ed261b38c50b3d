// Points found by their order against looking at all of them.

import {
  boxesAround,
  boxAround,
  type GeoRegion,
  regionBoxTest,
  regionTest,
} from '../../../../engine/geo/index';
import { PointOrder } from '../../../../engine/segment/columns/point-order';
import { Random, testSeed } from '../../../support/random';

const random = new Random(testSeed(20261123));

/** Some together, some anywhere, some where numbers end. */
function coordinate(reach: number): number {
  return random.pick([
    () => (random.next() * 2 - 1) * reach,
    () => random.below(20) / 2,
    () => 40 + random.next() / 1000,
    () => random.pick([reach, -reach, 0, reach + 5, -reach - 5, NaN, Infinity]),
  ])();
}

function column(docCount: number) {
  const offsets = new Uint32Array(docCount + 1);
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  for (let doc = 0; doc < docCount; doc++) {
    for (let count = random.pick([0, 1, 1, 1, 3]); count > 0; count--) {
      latitudes.push(coordinate(90));
      longitudes.push(coordinate(180));
    }
    offsets[doc + 1] = latitudes.length;
  }
  return {
    docCount,
    offsets,
    latitudes: Float64Array.from(latitudes),
    longitudes: Float64Array.from(longitudes),
  };
}

function region(): GeoRegion {
  const finite = (reach: number): number => {
    const value = coordinate(reach);
    return Number.isFinite(value) ? Math.max(-reach, Math.min(reach, value)) : 0;
  };
  const center = { latitude: finite(90), longitude: finite(180) };
  return random.pick<() => GeoRegion>([
    () => ({
      shape: 'box',
      north: coordinate(90),
      south: coordinate(90),
      west: coordinate(180),
      east: coordinate(180),
    }),
    () => {
      const to = random.pick([10, 1000, 200_000, 3_000_000]);
      const distanceType = random.pick(['arc', 'plane', 'sloppy_arc'] as const);
      const within = random.chance(0.9) ? boxAround(center, to) : null;
      return { shape: 'ring', center, distanceType, from: 0, to, within };
    },
    () => {
      const latitudes = Array.from({ length: random.between(3, 6) }, () => coordinate(90));
      const longitudes = latitudes.map(() => coordinate(180));
      latitudes.push(latitudes[0]!);
      longitudes.push(longitudes[0]!);
      return { shape: 'polygon', latitudes, longitudes };
    },
  ])();
}

test('no point is missed, and not all are looked at', () => {
  let looked = 0;
  let taken = 0;
  let all = 0;
  let found = 0;
  for (let run = 0; run < 40; run++) {
    const points = column(random.pick([0, 1, 40, 2000]));
    const order = new PointOrder(points);
    for (let asked = 0; asked < 50; asked++) {
      const wanted = region();
      const boxes = boxesAround(wanted);
      if (boxes === null) continue;
      const isInside = regionTest(wanted);
      const expected = new Set<number>();
      for (let doc = 0; doc < points.docCount; doc++) {
        for (let i = points.offsets[doc]!; i < points.offsets[doc + 1]!; i++) {
          if (isInside(points.latitudes[i]!, points.longitudes[i]!)) expected.add(doc);
        }
      }
      const docs = new Set<number>();
      const visitor = {
        tell: random.chance(0.8) ? regionBoxTest(wanted) : null,
        take: (doc: number) => {
          taken++;
          docs.add(doc);
        },
        test: (point: number, doc: number) => {
          looked++;
          if (isInside(points.latitudes[point]!, points.longitudes[point]!)) docs.add(doc);
        },
      };
      for (const box of boxes) order.forEachNear(box, visitor);
      all += points.latitudes.length;
      found += docs.size;
      const context = `seed ${random.seed} run ${run} ${JSON.stringify(wanted)}`;
      expect({ context, docs: [...docs].sort() }).toEqual({
        context,
        docs: [...expected].sort(),
      });
    }
  }
  expect(found).toBeGreaterThan(1000);
  expect(taken).toBeGreaterThan(1000);
  expect(looked).toBeLessThan(all / 2);
});
