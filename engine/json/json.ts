// JSON without losses: what requests and documents parse to, and what responses are built from.
//
// JavaScript's own objects move integer-like keys to the front, treat `__proto__` specially and round
// 64-bit integers. So objects are Maps in source order and numbers keep their spelling.

/** A number as spelled in the text. */
export class JsonNumber {
  constructor(readonly text: string) {}

  /** The nearest double. */
  get value(): number {
    return Number(this.text);
  }

  /** True when the text has neither fraction nor exponent. */
  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }

  /** For template strings and concatenation: the spelling. */
  toString(): string {
    return this.text;
  }
}

/** A parsed JSON value. Objects keep member order; of duplicate members the last value wins. */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;
/** A JSON object; members keep their order. */
export type JsonObject = Map<string, JsonValue>;

/** Whether a parsed value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return value instanceof Map;
}

/** A 64-bit float printed the reference's way: `4.0`, `1.0E7`, `"NaN"`. */
export class Double {
  constructor(readonly value: number) {}
}

/** A 32-bit float printed with the shortest digits that round-trip to the same float. */
export class Float {
  constructor(readonly value: number) {}
}

/** JSON text that is spliced into the output as it stands. */
export class RawJson {
  constructor(readonly text: string | Buffer) {}
}

/**
 * What responses are built from. Plain numbers must be integers; use {@link Double} or {@link Float} for
 * fractions. User-named members go into a Map (or an entries list), never into an object literal.
 */
export type JsonOutput =
  | null
  | boolean
  | string
  | number
  | bigint
  | JsonNumber
  | Double
  | Float
  | RawJson
  | readonly JsonOutput[]
  | ReadonlyMap<string, JsonOutput>
  | { readonly [name: string]: JsonOutput | undefined };
