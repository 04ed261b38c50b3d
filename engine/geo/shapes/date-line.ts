// Lines that go over the date line, cut there.

/** The parts of a line on either side of the date line, each within -180 and 180 degrees. */
export function cutAtDateLine(line: Float64Array): Float64Array[] {
  const parts: Float64Array[] = [];
  let part: number[] = [];
  let turn = turnOf(line[0]!, line[2]!);
  part.push(line[0]! - 360 * turn, line[1]!);
  for (let i = 2; i < line.length; i += 2) {
    let [x, y] = [line[i - 2]!, line[i - 1]!];
    const [toX, toY] = [line[i]!, line[i + 1]!];
    for (;;) {
      const border = turn * 360 + (toX > x ? 180 : -180);
      if (toX > x ? toX <= border : toX >= border) break;
      const share = (border - x) / (toX - x);
      y += share * (toY - y);
      x = border;
      part.push(border - 360 * turn, y);
      parts.push(Float64Array.from(part));
      turn += toX > x ? 1 : -1;
      part = [x - 360 * turn, y];
    }
    part.push(toX - 360 * turn, toY);
  }
  parts.push(Float64Array.from(part));
  return parts.filter((path) => path.some((value, i) => value !== path[i % 2]));
}

/** How often the first point of a line is around the earth; on the date line it belongs to what follows. */
function turnOf(x: number, next: number): number {
  const turn = Math.floor((x + 180) / 360);
  return (x + 180) % 360 === 0 && (turn > 0 ? next <= x : next < x) ? turn - 1 : turn;
}
