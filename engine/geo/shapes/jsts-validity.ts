// The judgement of JSTS on polygons, a port of the library that the reference server asks: the same words,
// and the same point of several. It is loaded when it is first needed, on the thread that checks documents.

import { createRequire } from 'node:module';
import type { PolygonFault } from './polygon-fault';

interface Coordinate {
  readonly x: number;
  readonly y: number;
}

interface Jsts {
  readonly Coordinate: new (x: number, y: number) => Coordinate;
  readonly GeometryFactory: new () => {
    createLinearRing(points: readonly Coordinate[]): unknown;
    createPolygon(shell: unknown, holes: readonly unknown[]): unknown;
  };
  readonly IsValidOp: new (polygon: unknown) => {
    isValid(): boolean;
    getValidationError(): { getMessage(): string; getCoordinate(): Coordinate | null };
  };
}

let jsts: Jsts | null = null;

function load(): Jsts {
  const require = createRequire(__filename);
  const part = (path: string): unknown =>
    (require(`jsts/org/locationtech/jts/${path}.js`) as { default: unknown }).default;
  return {
    Coordinate: part('geom/Coordinate') as Jsts['Coordinate'],
    GeometryFactory: part('geom/GeometryFactory') as Jsts['GeometryFactory'],
    IsValidOp: part('operation/valid/IsValidOp') as Jsts['IsValidOp'],
  };
}

/** What is wrong with the rings of a polygon, the outer one first; null: nothing. */
export function jstsFault(rings: readonly Float64Array[]): PolygonFault | null {
  const { Coordinate, GeometryFactory, IsValidOp } = (jsts ??= load());
  const factory = new GeometryFactory();
  const [shell, ...holes] = rings.map((ring) => {
    const points: Coordinate[] = [];
    for (let i = 0; i < ring.length; i += 2) points.push(new Coordinate(ring[i]!, ring[i + 1]!));
    return factory.createLinearRing(points);
  });
  const check = new IsValidOp(factory.createPolygon(shell, holes));
  if (check.isValid()) return null;
  const error = check.getValidationError();
  const point = error.getCoordinate();
  return { text: error.getMessage(), point: point === null ? null : [point.x, point.y] };
}
