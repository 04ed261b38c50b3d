// How request bodies spell a script: `script`, `script_id`, `script_file`, `params` and `lang`.

import { EngineError } from '../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/index';
import type { ScriptLibrary, ScriptRequest } from './library';
import type { ScriptName } from './template/script-name';
import type { ScriptSource } from './plan';

/** The parameters that name scripts. */
export type ScriptParameter =
  | 'script'
  | 'key_script'
  | 'value_script'
  | 'init_script'
  | 'map_script'
  | 'combine_script'
  | 'reduce_script';

type Spellings = ReadonlyMap<string, ScriptName['kind']>;

/** How the members of each parameter are spelled (reference server). */
const SPELLINGS: Readonly<Record<ScriptParameter, Spellings>> = {
  script: new Map([
    ...spellingsOf('script'),
    ['script_field', 'inline'],
    ['scriptField', 'inline'],
    ['id', 'stored'],
    ['file', 'file'],
  ]),
  key_script: spellingsOf('key_script'),
  value_script: spellingsOf('value_script'),
  init_script: spellingsOf('init_script'),
  map_script: spellingsOf('map_script'),
  combine_script: spellingsOf('combine_script'),
  reduce_script: spellingsOf('reduce_script'),
};

function spellingsOf(parameter: ScriptParameter): Spellings {
  const camelCase = parameter.replace('_script', 'Script');
  return new Map(
    [parameter, camelCase].flatMap((name): [string, ScriptName['kind']][] => [
      [name, 'inline'],
      [`${name}_id`, 'stored'],
      [`${name}Id`, 'stored'],
      [`${name}_file`, 'file'],
      [`${name}File`, 'file'],
    ]),
  );
}

/** What a member of a body says of a script; null: it is no member of that parameter. */
export function scriptName(
  parameter: ScriptParameter,
  member: string,
  text: string,
): ScriptName | null {
  const kind = SPELLINGS[parameter].get(member);
  return kind === undefined ? null : { kind, text };
}

/** Members of a request that describe a script, as they are read one after the other. */
export class ScriptMembers {
  private name: ScriptName | null = null;
  private lang: string | null = null;
  private params: JsonObject | null = null;

  /**
   * Takes a member if it is one of a script's.
   *
   * @throws EngineError ScriptParameterParseException (500) for a second source
   */
  read(member: string, value: JsonValue): boolean {
    if (member === 'params') {
      if (isJsonObject(value)) this.params = value;
      return isJsonObject(value);
    }
    if (value === null || isJsonObject(value) || Array.isArray(value)) return false;
    const text = String(value);
    if (member === 'lang' || member === 'script_lang') {
      this.lang = text;
      return true;
    }
    const name = scriptName('script', member, text);
    if (name === null) return false;
    if (this.name !== null) {
      throw new EngineError(
        'ScriptParameterParseException',
        'Only one of [script, script_file, script_id] is allowed.',
      );
    }
    this.name = name;
    return true;
  }

  /** The script as it was named, or null when none was. */
  request(): ScriptRequest | null {
    const { name, lang, params } = this;
    return name === null ? null : { name, lang, params };
  }

  /**
   * The script, or null when none was named.
   *
   * @throws EngineError when there is no script of that name
   */
  result(scripts: ScriptLibrary): ScriptSource | null {
    const request = this.request();
    return request === null ? null : scripts.resolve(request);
  }
}
