// How the bodies of facets are walked (reference server): member by member, with scalars of lists taken one
// after the other, so that the last one holds, and with nulls left out.

import type { JsonNumber, JsonObject, JsonValue } from '../../json/index';
import { type ScriptName, scriptName, type ScriptParameter } from '../../script/index';

/** A value that is written in one piece and is not null. */
export type ScalarValue = string | boolean | JsonNumber;

/**
 * The scalar members of a body in order. An object other than `params` ends the body, after its own members
 * were read as if they stood in the body itself (reference server).
 */
function* scalarMembers(body: JsonObject): Generator<readonly [string, ScalarValue]> {
  let rest: JsonObject | null = body;
  while (rest !== null) {
    const members: JsonObject = rest;
    rest = null;
    for (const [name, value] of members) {
      for (const piece of pieces(value)) {
        if (piece === null) continue;
        if (!(piece instanceof Map)) yield [name, piece];
        else if (name !== 'params') {
          rest = piece;
          break;
        }
      }
      if (rest !== null) break;
    }
  }
}

/** A value, or what is in a list and in lists within it. */
export function pieces(value: JsonValue): readonly (null | ScalarValue | JsonObject)[] {
  return (Array.isArray(value) ? value.flat(16) : [value]) as (null | ScalarValue | JsonObject)[];
}

/** What a facet's members set: names in snake_case, which are taken in camelCase, too. */
type MemberRow<M> = readonly [
  names: readonly string[],
  set: (members: M, value: ScalarValue) => void,
];

/** What a script of a facet sets, by the parameter that it belongs to. */
type ScriptRow<M> = readonly [
  parameter: ScriptParameter,
  set: (members: M, script: ScriptName) => void,
];

/** The scalar members that a facet type knows, each with all its spellings. */
export class MemberTable<M> {
  private readonly setters: ReadonlyMap<string, MemberRow<M>[1]>;

  constructor(
    rows: readonly MemberRow<M>[],
    private readonly scripts: readonly ScriptRow<M>[],
  ) {
    this.setters = new Map(
      rows.flatMap(([names, set]) =>
        names.flatMap((name) => [[name, set] as const, [camelCase(name), set] as const]),
      ),
    );
  }

  /**
   * Takes one member.
   *
   * @returns false: the facet type does not know it
   * @throws EngineError for a value that the member cannot have
   */
  read(members: M, name: string, value: ScalarValue): boolean {
    const set = this.setters.get(name);
    if (set !== undefined) {
      set(members, value);
      return true;
    }
    for (const [parameter, setScript] of this.scripts) {
      const script = scriptName(parameter, name, String(value));
      if (script === null) continue;
      setScript(members, script);
      return true;
    }
    return false;
  }

  /** Takes all scalar members of a body ({@link scalarMembers}); those it does not know are passed over. */
  readAll(members: M, body: JsonObject): M {
    for (const [name, value] of scalarMembers(body)) this.read(members, name, value);
    return members;
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The fields that facets with a key and values name. */
interface KeyAndValue {
  field: string | null;
  valueField: string | null;
}

/** How histograms and ranges name their fields. */
export const KEY_AND_VALUE: readonly MemberRow<KeyAndValue>[] = [
  [['field', 'key_field'], (members, value) => (members.field = String(value))],
  [['value_field'], (members, value) => (members.valueField = String(value))],
];

/** The scripts that make keys and values. */
export const KEY_AND_VALUE_SCRIPTS: readonly ScriptRow<{
  keyScript: ScriptName | null;
  valueScript: ScriptName | null;
}>[] = [
  ['key_script', (members, script) => (members.keyScript = script)],
  ['value_script', (members, script) => (members.valueScript = script)],
];
