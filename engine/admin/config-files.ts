// Index templates, mappings and scripts from files of the configuration folder:
//
//   templates/*.json               one template each, bare or wrapped by its name; the file's name otherwise
//   mappings/{index}/{type}.json   a mapping for one index
//   mappings/_default/{type}.json  a mapping for all indices
//   scripts/**/*.{lang}            a script, named after its folders and itself: `a/b.groovy` is `a_b`
//
// A file that cannot be used is reported and left out (reference server), so that a typing error does not
// keep the node from starting; so is one that every user may write, as nobody knows whose it is.

import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import glob from 'fast-glob';
import { isJsonObject, type JsonObject, decodeUtf8, parseJsonObject } from '../json/index';
import { FILE_LANGUAGES, checkSource } from '../script/index';
import {
  parseTemplate,
  withoutTypeName,
  type ConfiguredDefaults,
  type ScriptFiles,
  type ScriptLanguage,
} from '../metadata/index';
import { type EngineLogger, isWrittenByAll } from '../common/index';
import { illegalArgument } from '../errors';

/**
 * Reads all template, mapping and script files below a folder, which may be missing. Logs what it leaves
 * out.
 */
export async function readConfiguredDefaults(
  folder: string,
  logger: EngineLogger,
): Promise<ConfiguredDefaults> {
  const templates = new Map<string, JsonObject>();
  for (const path of await find(folder, 'templates/*.json')) {
    await useJson(path, logger, (body) => {
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
    await useJson(path, logger, (body) => {
      const index = basename(dirname(path));
      const type = basename(path, '.json');
      const ofIndex = mappings.get(index) ?? new Map<string, JsonObject>();
      mappings.set(index, ofIndex.set(type, withoutTypeName(type, body)));
    });
  }
  return { templates, mappings, scripts: await readScripts(folder, logger) };
}

async function readScripts(folder: string, logger: EngineLogger): Promise<ScriptFiles> {
  const scripts = new Map<ScriptLanguage, Map<string, string>>();
  for (const lang of FILE_LANGUAGES) {
    const sources = new Map<string, string>();
    for (const path of await find(folder, `scripts/**/*.${lang}`)) {
      const file = relative(join(folder, 'scripts'), path);
      const name = file.slice(0, -lang.length - 1).replaceAll('/', '_');
      await useFile(path, logger, (source) => {
        checkSource(lang, source);
        sources.set(name, source);
      });
    }
    scripts.set(lang, sources);
  }
  return scripts;
}

async function find(folder: string, pattern: string): Promise<string[]> {
  const paths = await glob(pattern, { cwd: folder, suppressErrors: true });
  return paths.sort().map((path) => join(folder, path));
}

function useJson(
  path: string,
  logger: EngineLogger,
  use: (body: JsonObject) => void,
): Promise<void> {
  return useFile(path, logger, (text) => {
    use(parseJsonObject(text));
  });
}

async function useFile(
  path: string,
  logger: EngineLogger,
  use: (text: string) => void,
): Promise<void> {
  try {
    if (isWrittenByAll(path)) throw illegalArgument('every user may write it');
    use(decodeUtf8(await readFile(path)));
  } catch (error) {
    logger.warn({ path, err: error }, 'configuration file left out');
  }
}
