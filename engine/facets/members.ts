// How the bodies of facets are walked (reference server): member by member, with scalars of lists taken one
// after the other, so that the last one holds, and with nulls left out.

import type { JsonNumber, JsonObject, JsonValue } from '../json/json';

/** A value that is written in one piece and is not null. */
export type ScalarValue = string | boolean | JsonNumber;

/**
 * The scalar members of a body in order. An object other than `params` ends the body, after its own members
 * were read as if they stood in the body itself (reference server).
 */
export function* scalarMembers(body: JsonObject): Generator<readonly [string, ScalarValue]> {
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
