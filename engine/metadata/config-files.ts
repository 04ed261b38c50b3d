// Index templates and mappings from files of the configuration folder:
//
//   templates/*.json               one template each, bare or wrapped by its name; the file's name otherwise
//   mappings/{index}/{type}.json   a mapping for one index
//   mappings/_default/{type}.json  a mapping for all indices
//
// A file that cannot be used is reported and left out (reference server), so that a typing error does not
// keep the node from starting.

import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import glob from 'fast-glob';
import { isJsonObject, type JsonObject } from '../json/json';
import { decodeUtf8, parseJsonObject } from '../json/parse';
import type { EngineLogger } from '../node-settings';
import { parseTemplate, type ConfiguredDefaults } from './templates';

/** Reads all template and mapping files below a folder, which may be missing. Logs what it leaves out. */
export async function readConfiguredDefaults(
  folder: string,
  logger: EngineLogger,
): Promise<ConfiguredDefaults> {
  const templates = new Map<string, JsonObject>();
  for (const path of await find(folder, 'templates/*.json')) {
    await useFile(path, logger, (body) => {
      const name = basename(path, '.json');
      const [wrapper] = [...body];
      const [wrapped, inner] = wrapper ?? [];
      const isWrapped = body.size === 1 && wrapped !== undefined && isJsonObject(inner);
      if (isWrapped) templates.set(wrapped, parseTemplate(wrapped, inner));
      else templates.set(name, parseTemplate(name, body));
    });
  }
  const mappings = new Map<string, Map<string, JsonObject>>();
  for (const path of await find(folder, 'mappings/*/*.json')) {
    await useFile(path, logger, (body) => {
      const index = basename(dirname(path));
      const type = basename(path, '.json');
      const inner = body.size === 1 ? body.get(type) : undefined;
      const ofIndex = mappings.get(index) ?? new Map<string, JsonObject>();
      mappings.set(index, ofIndex.set(type, isJsonObject(inner) ? inner : body));
    });
  }
  return { templates, mappings };
}

async function find(folder: string, pattern: string): Promise<string[]> {
  const paths = await glob(pattern, { cwd: folder, suppressErrors: true });
  return paths.sort().map((path) => join(folder, path));
}

async function useFile(
  path: string,
  logger: EngineLogger,
  use: (body: JsonObject) => void,
): Promise<void> {
  try {
    use(parseJsonObject(decodeUtf8(await readFile(path))));
  } catch (error) {
    logger.warn({ path, err: error }, 'configuration file left out');
  }
}
