// Cosine, arc sine and the diameter of the earth from tables, in the arithmetic of the reference server, so
// that distances have its digits. Differs from exact functions by about 1e-13.

const PIO2_HI = fromBits(0x3ff921fb, 0x54400000);
const PIO2_LO = fromBits(0x3dd0b461, 0x1a626331);
const COS_STEPS = 1 << 11;
const COS_DELTA_HI = (4 * PIO2_HI) / COS_STEPS;
const COS_DELTA_LO = (4 * PIO2_LO) / COS_STEPS;
const COS_INDEXER = 1 / (COS_DELTA_HI + COS_DELTA_LO);
/** Beyond it the index would not fit. */
const COS_LIMIT = ((2147483647 >> 9) / COS_INDEXER) * 0.99;

const ASIN_STEPS = 1 << 13;
const ASIN_LIMIT = Math.sin((73 / 180) * Math.PI);
const ASIN_DELTA = ASIN_LIMIT / ASIN_STEPS;
const ASIN_INDEXER = 1 / ASIN_DELTA;

/** WGS84, in meters. */
const EQUATOR_RADIUS = 6378137;
const POLE_RADIUS = 6356752.3142;
const DIAMETERS = (1 << 10) + 1;
const DIAMETER_INDEXER = 1 / (Math.PI / 2 / (DIAMETERS - 1));

const cosTable = new Float64Array(COS_STEPS + 1);
const sinTable = new Float64Array(COS_STEPS + 1);
const asinTable = new Float64Array(ASIN_STEPS + 1);
const asin1 = new Float64Array(ASIN_STEPS + 1);
const asin2 = new Float64Array(ASIN_STEPS + 1);
const asin3 = new Float64Array(ASIN_STEPS + 1);
const asin4 = new Float64Array(ASIN_STEPS + 1);
const diameters = new Float64Array(DIAMETERS);

for (let i = 0; i <= COS_STEPS; i++) {
  const angle = i * COS_DELTA_HI + i * COS_DELTA_LO;
  // Exact zeros make results near zero much more accurate.
  sinTable[i] = i === COS_STEPS / 2 || i === COS_STEPS ? 0 : Math.sin(angle);
  cosTable[i] = i === COS_STEPS / 4 || i === (3 * COS_STEPS) / 4 ? 0 : Math.cos(angle);
}

for (let i = 0; i <= ASIN_STEPS; i++) {
  const x = i * ASIN_DELTA;
  const inverse = 1 / (1 - x * x);
  const half = Math.sqrt(inverse);
  const threeHalves = half * inverse;
  const fiveHalves = threeHalves * inverse;
  const sevenHalves = fiveHalves * inverse;
  asinTable[i] = Math.asin(x);
  asin1[i] = half;
  asin2[i] = x * threeHalves * (1 / 2);
  asin3[i] = (1 + 2 * x * x) * fiveHalves * (1 / 6);
  asin4[i] = (5 + 2 * x * (2 + x * (5 - 2 * x))) * sevenHalves * (1 / 24);
}

for (let i = 0; i < DIAMETERS; i++) diameters[i] = (2 * radiusAt(i)) / 1000;

function radiusAt(i: number): number {
  if (i === 0) return EQUATOR_RADIUS;
  if (i === DIAMETERS - 1) return POLE_RADIUS;
  const latitude = (Math.PI * i) / (2 * DIAMETERS - 1);
  const cosine = Math.cos(latitude);
  const sine = Math.sin(latitude);
  const one = (EQUATOR_RADIUS * EQUATOR_RADIUS * cosine) ** 2;
  const two = (POLE_RADIUS * POLE_RADIUS * sine) ** 2;
  const three = (EQUATOR_RADIUS * cosine) ** 2;
  const four = (POLE_RADIUS * sine) ** 2;
  return Math.sqrt((one + two) / (three + four));
}

/** The cosine of an angle in radians. */
export function sloppyCos(angle: number): number {
  const a = Math.abs(angle);
  if (a > COS_LIMIT) return Math.cos(a);
  const step = Math.trunc(a * COS_INDEXER + 0.5);
  const delta = a - step * COS_DELTA_HI - step * COS_DELTA_LO;
  const index = step & (COS_STEPS - 1);
  const cosine = cosTable[index]!;
  const sine = sinTable[index]!;
  return (
    cosine +
    delta *
      (-sine + delta * (-cosine * (1 / 2) + delta * (sine * (1 / 6) + delta * cosine * (1 / 24))))
  );
}

/** The arc sine of a number from 0 to 1. */
export function sloppyAsin(a: number): number {
  if (a > ASIN_LIMIT || Number.isNaN(a)) return Math.asin(a);
  const index = Math.trunc(a * ASIN_INDEXER + 0.5);
  const delta = a - index * ASIN_DELTA;
  return (
    asinTable[index]! +
    delta *
      (asin1[index]! + delta * (asin2[index]! + delta * (asin3[index]! + delta * asin4[index]!)))
  );
}

/** The diameter in kilometers of the earth at a latitude in radians. */
export function earthDiameter(latitude: number): number {
  const index = Math.trunc(Math.abs(latitude) * DIAMETER_INDEXER + 0.5);
  return diameters[index] ?? NaN;
}

function fromBits(high: number, low: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, high);
  view.setUint32(4, low);
  return view.getFloat64(0);
}
