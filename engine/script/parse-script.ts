// How request bodies spell a script: `script`, `params`, `lang` and the names of stored ones.

import { illegalArgument, type EngineError } from '../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json';

import { DEFAULT_LANGUAGE, type ScriptSource } from './plan';

/** Members of a request that describe a script, as they are read one after the other. */
export class ScriptMembers {
  private source: string | null = null;
  private lang: string | null = null;
  private params: JsonObject | null = null;
  private stored: { readonly id: string; readonly isFile: boolean } | null = null;

  /** @param names further names that the source goes by here */
  constructor(private readonly names: readonly string[] = []) {}

  /** Takes a member if it is one of a script's. */
  read(name: string, value: JsonValue): boolean {
    if (name === 'params') {
      if (isJsonObject(value)) this.params = value;
      return isJsonObject(value);
    }
    if (value === null || isJsonObject(value) || Array.isArray(value)) return false;
    const text = String(value);
    if (name === 'script' || this.names.includes(name)) this.source = text;
    else if (name === 'lang') this.lang = text;
    else if (name === 'script_id' || name === 'scriptId' || name === 'id')
      this.stored = { id: text, isFile: false };
    else if (name === 'script_file' || name === 'scriptFile' || name === 'file')
      this.stored = { id: text, isFile: true };
    else return false;
    return true;
  }

  /**
   * The script, or null when none was given.
   *
   * @throws EngineError when a stored script is named that does not exist
   */
  result(): ScriptSource | null {
    const { source, lang, params, stored } = this;
    if (source !== null) return { source, lang, params };
    if (stored === null) return null;
    throw stored.isFile
      ? illegalArgument(`Unable to find on disk script ${stored.id}`)
      : missingStored(lang ?? DEFAULT_LANGUAGE, stored.id);
  }
}

/** 400: there is no stored script of that name. */
function missingStored(lang: string, id: string): EngineError {
  return illegalArgument(`Unable to find script [.scripts/${lang}/${id}]`);
}
