// Reads what was stored as JSON, member by member, and names what is damaged.

import { EngineError } from '../errors';
import {
  type JsonObject,
  type JsonValue,
  parseJson,
  decodeUtf8,
  isJsonObject,
  JsonNumber,
} from '../json/index';

/** Nesting of what has been accepted once is not limited again. */
export const MAX_DEPTH = 100_000;

/** An object of a stored value, with checked access to its members. */
export class Reader {
  private constructor(
    private readonly path: string,
    readonly value: JsonObject,
  ) {}

  /** @throws EngineError CorruptIndexException for what is no JSON object; likewise all that follow. */
  static of(name: string, bytes: Buffer): Reader {
    let value: JsonValue;
    try {
      value = parseJson(decodeUtf8(bytes), MAX_DEPTH);
    } catch (error) {
      throw unreadable(name, error);
    }
    return Reader.at(name, value);
  }

  static at(path: string, value: JsonValue | undefined): Reader {
    if (!isJsonObject(value)) throw unreadable(path);
    return new Reader(path, value);
  }

  at(value: JsonValue | undefined, name: string): Reader {
    return Reader.at(`${this.path}.${name}`, value);
  }

  member(name: string): Reader {
    return this.at(this.value.get(name), name);
  }

  integer(name: string): number {
    const value = this.value.get(name);
    if (!(value instanceof JsonNumber) || !Number.isSafeInteger(value.value)) {
      throw this.damaged(name);
    }
    return value.value;
  }

  /** All members, which have to be integers. */
  integers(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.value.keys(), (name) => [name, this.integer(name)]));
  }

  text(name: string): string {
    const value = this.value.get(name);
    if (typeof value !== 'string') throw this.damaged(name);
    return value;
  }

  optionalText(name: string): string | null {
    return this.value.get(name) === null ? null : this.text(name);
  }

  array(name: string): readonly JsonValue[] {
    const value = this.value.get(name);
    if (!Array.isArray(value)) throw this.damaged(name);
    return value;
  }

  objects(): Map<string, JsonObject> {
    const result = new Map<string, JsonObject>();
    for (const [name, value] of this.value) result.set(name, this.at(value, name).value);
    return result;
  }

  texts(): Map<string, string> {
    return new Map([...this.value.keys()].map((name) => [name, this.text(name)]));
  }

  textsOrLists(): Map<string, string | readonly string[]> {
    const result = new Map<string, string | readonly string[]>();
    for (const [name, value] of this.value) {
      result.set(name, Array.isArray(value) ? value.map(String) : this.text(name));
    }
    return result;
  }

  damaged(member: string): EngineError {
    return unreadable(`${this.path}.${member}`);
  }
}

/** What stored metadata that is damaged is refused with. */
export function unreadable(name: string, cause?: unknown): EngineError {
  return new EngineError('CorruptIndexException', `cluster metadata [${name}] cannot be read`, {
    cause,
  });
}
