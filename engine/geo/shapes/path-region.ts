// Lines and areas against cells. The deeper the cell, the fewer edges are left to look at.

import { orientation } from './orientation';
import { type CellRegion, COVERS, DISJOINT, INTERSECTS, type Relation } from './relation';
import { type Box, boxOfPaths, type PathShape } from './shape';

/** Numbers of an edge: x and y of both ends. */
const EDGE = 4;

/** The region of lines or areas; what goes on beyond the date line is looked at where it comes out again. */
export function regionOfPaths({ paths, hasArea }: PathShape): CellRegion {
  const edges = edgesOf(paths);
  const { west, east } = boxOfPaths(paths);
  const turns: PathRegion[] = [];
  const first = west < -180 ? Math.floor((west + 180) / 360) : 0;
  const last = east > 180 ? Math.ceil((east - 180) / 360) : 0;
  for (let turn = first; turn <= last; turn++) {
    // A turn that only ends at the date line has nothing on the other side.
    if (turn > 0 ? east <= turn * 360 - 180 : turn < 0 && west >= turn * 360 + 180) continue;
    if (turn === 0 && (west >= 180 || east <= -180) && first !== last) continue;
    turns.push(new PathRegion(turn === 0 ? edges : shifted(edges, -360 * turn), hasArea));
  }
  const [only] = turns;
  return turns.length === 1 ? only! : new TurnsRegion(turns);
}

function edgesOf(paths: readonly Float64Array[]): Float64Array {
  let count = 0;
  for (const path of paths) count += Math.max(path.length / 2 - 1, 0);
  const edges = new Float64Array(count * EDGE);
  let at = 0;
  for (const path of paths) {
    for (let i = 2; i < path.length; i += 2) {
      edges[at] = path[i - 2]!;
      edges[at + 1] = path[i - 1]!;
      edges[at + 2] = path[i]!;
      edges[at + 3] = path[i + 1]!;
      at += EDGE;
    }
  }
  return edges;
}

function shifted(edges: Float64Array, by: number): Float64Array {
  return edges.map((value, i) => (i % 2 === 0 ? value + by : value));
}

/** The turns of one shape around the earth: they do not overlap. */
class TurnsRegion implements CellRegion {
  constructor(private readonly turns: readonly CellRegion[]) {}

  relate(cell: Box): Relation {
    let most: Relation = DISJOINT;
    for (const turn of this.turns) {
      const relation = turn.relate(cell);
      if (relation > most) most = relation;
    }
    return most;
  }

  within(cell: Box): CellRegion {
    return new TurnsRegion(this.turns.map((turn) => turn.within(cell)));
  }
}

class PathRegion implements CellRegion {
  constructor(
    private readonly edges: Float64Array,
    private readonly hasArea: boolean,
  ) {}

  relate(cell: Box): Relation {
    const { edges } = this;
    let touches = false;
    for (let at = 0; at < edges.length; at += EDGE) {
      const contact = contactOf(edges, at, cell);
      if (contact === CROSSES || (contact === TOUCHES && !this.hasArea)) return INTERSECTS;
      touches ||= contact === TOUCHES;
    }
    // No edge goes through the cell: it is inside or outside as a whole, but for its border.
    if (this.hasArea && this.hasMiddle(cell)) return COVERS;
    return touches ? INTERSECTS : DISJOINT;
  }

  /** Keeps the edges that cells within this one meet, and those that a line from them to the east meets. */
  within({ west, east, south, north }: Box): CellRegion {
    const { edges, hasArea } = this;
    const kept = new Float64Array(edges.length);
    let count = 0;
    for (let at = 0; at < edges.length; at += EDGE) {
      const [x1, y1, x2, y2] = [edges[at]!, edges[at + 1]!, edges[at + 2]!, edges[at + 3]!];
      if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) continue;
      if (x1 < west && x2 < west) continue;
      if (!hasArea && x1 > east && x2 > east) continue;
      kept[count] = x1;
      kept[count + 1] = y1;
      kept[count + 2] = x2;
      kept[count + 3] = y2;
      count += EDGE;
    }
    return new PathRegion(kept.slice(0, count), hasArea);
  }

  /** Counts the edges east of the middle of a cell that no edge goes through. */
  private hasMiddle({ west, east, south, north }: Box): boolean {
    const { edges } = this;
    const x = west + (east - west) / 2;
    const y = south + (north - south) / 2;
    let isInside = false;
    for (let at = 0; at < edges.length; at += EDGE) {
      const x1 = edges[at]!;
      const y1 = edges[at + 1]!;
      const x2 = edges[at + 2]!;
      const y2 = edges[at + 3]!;
      if (y1 > y === y2 > y || (x1 < x && x2 < x)) continue;
      const side = orientation(x1, y1, x2, y2, x, y);
      if (y2 > y1 ? side > 0 : side < 0) isInside = !isInside;
    }
    return isInside;
  }
}

const APART = 0;
const TOUCHES = 1;
const CROSSES = 2;

/** Whether an edge has a point in the cell, and whether one that is not on its border. */
function contactOf(edges: Float64Array, at: number, { west, east, south, north }: Box): number {
  const x1 = edges[at]!;
  const x2 = edges[at + 2]!;
  if ((x1 < west && x2 < west) || (x1 > east && x2 > east)) return APART;
  const y1 = edges[at + 1]!;
  const y2 = edges[at + 3]!;
  if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) return APART;
  const isInX = (x1 > west || x2 > west) && (x1 < east || x2 < east);
  const isInY = (y1 > south || y2 > south) && (y1 < north || y2 < north);
  // The corners that lie farthest to the left and to the right of the edge.
  const rises = x1 < x2 === y1 < y2;
  const a = orientation(x1, y1, x2, y2, west, rises ? north : south);
  const b = orientation(x1, y1, x2, y2, east, rises ? south : north);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return APART;
  return isInX && isInY && a !== 0 && b !== 0 ? CROSSES : TOUCHES;
}
