import { boxAround, distanceFrom, regionTest, type GeoRegion } from '../../../../engine/geo/index';
import { repeatable } from '../../../support/repeatable';
import { testSeed } from '../../../support/random';

const AMSTERDAM = { latitude: 52.37, longitude: 4.895 };

const ring = (members: Partial<Extract<GeoRegion, { shape: 'ring' }>>): GeoRegion => ({
  shape: 'ring',
  center: AMSTERDAM,
  distanceType: 'arc',
  from: -Infinity,
  to: 50_000,
  within: null,
  ...members,
});

test('a box has its edges, and goes over the date line when west is east of east', () => {
  const inside = regionTest({ shape: 'box', north: 5, south: -5, west: 170, east: -170 });
  expect([inside(0, 175), inside(0, -175), inside(5, 170), inside(-5, -170)]).toEqual(
    Array(4).fill(true),
  );
  expect([inside(0, 0), inside(5.01, 175), inside(0, 169.9), inside(NaN, 175)]).toEqual(
    Array(4).fill(false),
  );
  const plain = regionTest({ shape: 'box', north: 5, south: -5, west: -10, east: 10 });
  expect([plain(5, 10), plain(0, 11), plain(0, NaN)]).toEqual([true, false, false]);
  // An edge that is not given lets nothing in.
  expect(regionTest({ shape: 'box', north: NaN, south: -5, west: -10, east: 10 })(0, 0)).toBe(
    false,
  );
});

test('a ring includes its bounds, and nothing outside of the box that is looked at first', () => {
  const near = regionTest(ring({}));
  expect([near(52.37, 4.895), near(52.09, 5.121), near(51.924, 4.478)]).toEqual([
    true,
    true,
    false,
  ]);
  const far = regionTest(ring({ from: 40_000, to: Infinity }));
  expect([far(52.37, 4.895), far(51.924, 4.478)]).toEqual([false, true]);
  const within = { north: 52.2, south: 50, west: 0, east: 10 };
  expect(regionTest(ring({ within }))(52.37, 4.895)).toBe(false);
});

test('the box around a distance holds all that is within it, at poles and date line too', () => {
  const seed = testSeed(5);
  const random = repeatable(seed);
  for (let i = 0; i < 2000; i++) {
    const center = { latitude: random() * 180 - 90, longitude: random() * 360 - 180 };
    const meters = 10 ** (random() * 6.5);
    const box = regionTest({ shape: 'box', ...boxAround(center, meters) });
    const circle = regionTest(ring({ center, to: meters * 0.99 }));
    for (let j = 0; j < 20; j++) {
      const scale = (meters / 111_000) * 2;
      const latitude = Math.max(-90, Math.min(90, center.latitude + (random() - 0.5) * scale));
      const turned = center.longitude + (random() - 0.5) * Math.min(360, scale * 20);
      const longitude = ((((turned + 180) % 360) + 360) % 360) - 180;
      if (circle(latitude, longitude)) {
        expect([center, meters, latitude, longitude, box(latitude, longitude)]).toEqual([
          center,
          meters,
          latitude,
          longitude,
          true,
        ]);
      }
    }
  }
});

test.each(['arc', 'sloppy_arc', 'plane', 'factor'] as const)(
  'what is told without measuring (%s) is what measuring tells',
  (distanceType) => {
    const random = repeatable(testSeed(8));
    for (let i = 0; i < 1500; i++) {
      const center = { latitude: random() * 180 - 90, longitude: random() * 360 - 180 };
      const to = 10 ** (1 + random() * 6);
      const distance = distanceFrom(center, distanceType, 1);
      const isInside = regionTest(ring({ center, to, distanceType }));
      for (let j = 0; j < 40; j++) {
        // Half of them near the edge.
        const degrees = (to / 111_000) * (j % 2 === 0 ? 0.98 + random() * 0.04 : random() * 2);
        const turn = random() * 2 * Math.PI;
        const latitude = center.latitude + Math.sin(turn) * degrees;
        const narrow = Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
        const longitude = center.longitude + (Math.cos(turn) * degrees) / narrow;
        const isMeasured = distance(latitude, longitude) <= to;
        if (isInside(latitude, longitude) !== isMeasured) {
          expect([center, to, latitude, longitude]).toEqual(['not', 'told', 'rightly', isMeasured]);
        }
      }
    }
  },
);

test('a polygon of any shape counts the edges below a point', () => {
  // A square with a notch from above.
  const inside = regionTest({
    shape: 'polygon',
    latitudes: [0, 0, 10, 10, 5, 10, 10, 0],
    longitudes: [0, 10, 10, 6, 5, 4, 0, 0],
  });
  expect([inside(2, 5), inside(9, 1), inside(9, 9), inside(4.9, 5)]).toEqual(Array(4).fill(true));
  expect([inside(9, 5), inside(-1, 5), inside(5, 11), inside(11, 9)]).toEqual(Array(4).fill(false));
});
