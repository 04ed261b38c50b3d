// Tables of the pages that are made from tables in the source.

/** A table as Prettier lays it out. Cells have no line breaks; `|` is escaped. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, i) =>
    lines.reduce((width, row) => Math.max(width, row[i]!.length), 3),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const [first, ...others] = lines;
  return [first!, widths.map((width) => '-'.repeat(width)), ...others].map(line).join('\n');
}
