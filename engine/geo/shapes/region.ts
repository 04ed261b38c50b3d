// How a cell of a prefix tree and a shape lie to each other (reference server). Borders belong to both.

import { CircleRegion } from './circle-region';
import { regionOfPaths } from './path-region';
import { type CellRegion, COVERS, DISJOINT, INTERSECTS, type Relation } from './relation';
import { relateBoxes } from './relate-boxes';
import type { Box, Shape } from './shape';

/** The region of a shape. */
export function regionOf(shape: Shape): CellRegion {
  switch (shape.kind) {
    case 'point':
      return new BoxRegion({ west: shape.x, east: shape.x, south: shape.y, north: shape.y });
    case 'box':
      return new BoxRegion(shape);
    case 'circle':
      return new CircleRegion(shape.x, shape.y, shape.radius);
    case 'paths':
      return regionOfPaths(shape);
    case 'collection':
      return new PartsRegion(shape.shapes.map(regionOf));
  }
}

class BoxRegion implements CellRegion {
  constructor(private readonly box: Box) {}

  relate(cell: Box): Relation {
    return relateBoxes(this.box, cell);
  }

  within(): CellRegion {
    return this;
  }
}

class PartsRegion implements CellRegion {
  constructor(private readonly parts: readonly CellRegion[]) {}

  /** compat: the first part that has something of the cell decides whether all of it is covered. */
  relate(cell: Box): Relation {
    for (const part of this.parts) {
      const relation = part.relate(cell);
      if (relation !== DISJOINT) return relation === COVERS ? COVERS : INTERSECTS;
    }
    return DISJOINT;
  }

  within(cell: Box): CellRegion {
    const parts = this.parts.filter((part) => part.relate(cell) !== DISJOINT);
    return new PartsRegion(parts.map((part) => part.within(cell)));
  }
}
