// Text tables of `_cat` (reference server): every column is as wide as its widest cell, the last one
// too, and is followed by a blank; numeric columns stand right.

import { illegalArgument, splitCommas, greatestOf } from '../../engine/index';
import type { JsonOutput } from '../../engine/index';
import { json, text, type ApiResponse, type Params } from '../request/index';

/** A column of a `_cat` table. */
export interface CatColumn {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly documentation: string;
  /** Right-aligned. */
  readonly isNumeric?: true;
  /** Only shown when named in `h`. */
  readonly isHidden?: true;
}

/** A cell without a value is blank. */
export type CatRow = readonly (string | null)[];

/** `help`: one line per column, no data. */
export function catHelp(columns: readonly CatColumn[]): ApiResponse {
  const cells = columns.map(({ name, aliases, documentation }) => [
    name,
    aliases.join(','),
    documentation,
  ]);
  const widths = [0, 1, 2].map((i) => greatestOf(cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | '));
  return text(lines.map((line) => `${line}\n`).join(''));
}

/** A column may be asked for again and again. */
const MAX_CELLS = 500_000;

/**
 * The table, with the columns, header and format that the parameters choose.
 * @throws EngineError ElasticsearchIllegalArgumentException (400) for too many cells
 */
export function catTable(
  params: Params,
  columns: readonly CatColumn[],
  rows: readonly CatRow[],
): ApiResponse {
  const chosen = chooseColumns(params, columns);
  if (chosen.length * rows.length > MAX_CELLS) {
    throw illegalArgument(
      `[${chosen.length}] columns of [${rows.length}] rows are more than [${MAX_CELLS}] cells`,
    );
  }
  if (['json', 'yaml'].includes(params.get('format') ?? '')) {
    return json(
      rows.map(
        (row) =>
          new Map<string, JsonOutput>(
            chosen.map(({ index, header }) => [header, row[index] ?? null]),
          ),
      ),
    );
  }
  const lines = rows.map((row) => chosen.map(({ index }) => row[index] ?? ''));
  if (params.flag('v')) lines.unshift(chosen.map(({ header }) => header));
  const widths = chosen.map((_column, i) =>
    greatestOf(
      lines.map((line) => line[i]?.length ?? 0),
      0,
    ),
  );
  const pad = (cell: string, i: number) => {
    const width = widths[i] ?? 0;
    return `${chosen[i]?.isNumeric === true ? cell.padStart(width) : cell.padEnd(width)} `;
  };
  return text(lines.map((line) => `${line.map(pad).join('')}\n`).join(''));
}

interface ChosenColumn {
  readonly index: number;
  /** As typed in `h`, else the column's name. */
  readonly header: string;
  readonly isNumeric: boolean;
}

/**
 * The columns named in `h`, by name or alias, unknown ones skipped; all visible ones without `h`. `pri` adds
 * the twin that counts primaries only.
 */
function chooseColumns(params: Params, columns: readonly CatColumn[]): ChosenColumn[] {
  const wanted = params.get('h');
  if (wanted === undefined) {
    return columns.flatMap(({ name, isNumeric, isHidden }, index) =>
      isHidden === true ? [] : [{ index, header: name, isNumeric: isNumeric === true }],
    );
  }
  return splitCommas(wanted).flatMap((header) => {
    // compat: of columns that share an alias the last one has it (`t` of health is `shards`).
    const index = columns.findLastIndex(
      ({ name, aliases }) => name === header || aliases.includes(header),
    );
    const column = columns[index];
    if (column === undefined) return [];
    const chosen = [{ index, header, isNumeric: column.isNumeric === true }];
    const twin = columns.findIndex(({ name }) => name === `pri.${column.name}`);
    if (twin >= 0 && params.flag('pri')) {
      chosen.push({ index: twin, header: `pri.${header}`, isNumeric: true });
    }
    return chosen;
  });
}
