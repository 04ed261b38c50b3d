// What all `_cat` tables are made of.

import type { ApiRequest, Handler, RouteContext } from '../request/index';
import { catHelp, catTable, type CatColumn, type CatRow } from '../render/index';

/** A table: its columns, and the rows of a request. */
interface CatTable {
  readonly columns: readonly CatColumn[];
  readonly rows: (
    request: ApiRequest,
    context: RouteContext,
  ) => readonly CatRow[] | Promise<readonly CatRow[]>;
  /** Takes `master_timeout`. */
  readonly asksMaster?: true;
}

/** The handler of a table: help, or rows in the layout that the parameters choose. */
export function table({ columns, rows, asksMaster }: CatTable): Handler {
  return async (request, context) => {
    if (request.params.flag('help')) return catHelp(columns);
    // compat: what the reference asks the master for may wait for it; here nothing does.
    if (asksMaster === true) request.params.timeMs('master_timeout');
    return catTable(request.params, columns, await rows(request, context));
  };
}

/** @param aliases separated by commas */
export function column(name: string, aliases: string, documentation: string): CatColumn {
  return { name, aliases: aliases.split(',').filter((alias) => alias !== ''), documentation };
}

/** A right-aligned {@link column}. */
export function numeric(name: string, aliases: string, documentation: string): CatColumn {
  return { ...column(name, aliases, documentation), isNumeric: true };
}
