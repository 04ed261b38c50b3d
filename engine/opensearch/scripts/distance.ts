// Distances between points in Painless, by the arithmetic of the embedded engine (engine/geo). Coordinates of
// users are parameters.

import type { DistanceType } from '../../geo/index';

/** A function `arc(latitude, longitude, latitude, longitude)`: meters, on an ellipsoid (WGS84). */
export const ARC_DISTANCE =
  'double arc(double lat1, double lon1, double lat2, double lon2) { ' +
  'double r = Math.PI / 180; double x1 = lat1 * r; double x2 = lat2 * r; ' +
  'double h1 = 1 - Math.cos(x1 - x2); double h2 = 1 - Math.cos((lon1 - lon2) * r); ' +
  'double h = (h1 + Math.cos(x1) * Math.cos(x2) * h2) / 2; ' +
  'int i = (int) (Math.abs((x1 + x2) / 2) * (2048 / Math.PI) + 0.5); double radius; ' +
  'if (i <= 0) { radius = 6378137.0 } else if (i >= 1024) { radius = 6356752.3142 } else { ' +
  'double l = Math.PI * i / 2049; double c = Math.cos(l); double s = Math.sin(l); ' +
  'double a = 6378137.0; double b = 6356752.3142; ' +
  'double t1 = a * a * c; double t2 = b * b * s; double t3 = a * c; double t4 = b * s; ' +
  'radius = Math.sqrt((t1 * t1 + t2 * t2) / (t3 * t3 + t4 * t4)) } ' +
  'return 2 * radius * Math.asin(Math.min(1.0, Math.sqrt(h))) } ';

/** The same in a plane of degrees. */
const PLANE_DISTANCE =
  'double plane(double lat1, double lon1, double lat2, double lon2) { ' +
  'double x = lon2 - lon1; double y = lat2 - lat1; ' +
  'return Math.sqrt(x * x + y * y) * (2 * Math.PI * 6378137.0 / 360) } ';

/** The cosine of the angle between points. */
const FACTOR =
  'double factor(double lat1, double lon1, double lat2, double lon2) { ' +
  'double r = Math.PI / 180; double a = (90 - lat1) * r; double c = (90 - lat2) * r; ' +
  'return Math.cos(a) * Math.cos(c) + Math.sin(a) * Math.sin(c) * Math.cos((lon2 - lon1) * r) } ';

/** How a kind of distance is measured: a function, and its name. */
export interface Measure {
  readonly declaration: string;
  readonly name: string;
}

/** In meters, but for `factor`. */
export function measureOf(type: DistanceType): Measure {
  switch (type) {
    case 'arc':
    case 'sloppy_arc':
      return { declaration: ARC_DISTANCE, name: 'arc' };
    case 'plane':
      return { declaration: PLANE_DISTANCE, name: 'plane' };
    case 'factor':
      return { declaration: FACTOR, name: 'factor' };
  }
}

/**
 * Begins a script that walks the points of a document: `n` of them. Latitudes and longitudes are listed each
 * for itself, in order; where there are several the pairs come from the field of points, which is rounded.
 */
export const POINTS =
  'int n = doc.containsKey(params.lat) ? doc[params.lat].size() : 0; ' +
  'int m = doc.containsKey(params.lon) ? doc[params.lon].size() : 0; ' +
  'boolean one = n == 1 && m == 1; ' +
  'if (!one) { n = doc.containsKey(params.point) ? doc[params.point].size() : 0 } ';

/** The coordinates of point `i` there. */
export const POINT =
  'one ? doc[params.lat].get(0) : doc[params.point].get(i).getLat(), ' +
  'one ? doc[params.lon].get(0) : doc[params.point].get(i).getLon()';
