// What a path holds, as things to load.

import { existsSync, statSync } from 'node:fs';
import type { JsonObject } from '../../engine/json/index';
import type { IndexDefinition } from './definition';
import { listDump, readDefinition, readTemplates } from './dump-folder';
import type { LoadItem } from './load';
import { matches } from './old-server';
import { openFile, readDump, readLines, type Placing } from './records';

/** What may be said of files. */
export interface FileOptions extends Placing {
  /** Names of indices of a folder, with `*`. */
  readonly indices: string;
}

/**
 * The files of a folder, or one.
 *
 * @throws Error for what cannot be read
 */
export function filesOf(
  path: string,
  options: FileOptions,
): { readonly items: readonly LoadItem[]; readonly templates: JsonObject } {
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  const nothing: JsonObject = new Map();
  if (!statSync(path).isDirectory()) {
    return { items: [lineItem(path, null, options)], templates: nothing };
  }
  const dumped = listDump(path).filter(({ name }) => matches(options.indices, name));
  if (dumped.length === 0) throw new Error(`there is no dump of [${options.indices}] in ${path}`);
  const items = dumped.map(({ name, data }) => dumpItem(readDefinition(path, name), data));
  return { items, templates: readTemplates(path) };
}

/** The documents of an index in a dump. */
export function dumpItem(definition: IndexDefinition, path: string): LoadItem {
  return lineItem(path, definition, { index: definition.name });
}

function lineItem(path: string, definition: IndexDefinition | null, placing: Placing): LoadItem {
  return {
    path,
    definition,
    open: () => {
      const file = openFile(path);
      return { file, records: readDump(readLines(file.bytes), placing) };
    },
  };
}
