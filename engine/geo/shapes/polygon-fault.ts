// What is found wrong with a polygon.

/** What is wrong with a polygon: what is wrong, and where if that can be told. */
export interface PolygonFault {
  readonly text: string;
  readonly point: readonly [x: number, y: number] | null;
}
