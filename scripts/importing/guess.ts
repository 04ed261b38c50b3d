// A mapping for documents that come without one, guessed from all their values.

import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
} from '../../engine/json/index';

/** Strings up to this length may be keywords, and are counted by a facet. */
const MAX_KEYWORD = 256;
/** Different values that are remembered. */
const MAX_VALUES = 1000;
/** Strings with so few different values are keywords, whatever is in them. */
const FEW_VALUES = 50;
/** A tenth as many different values as values, or fewer. */
const REPEATED = 10;
/** Objects in one another that are looked into. */
const MAX_DEPTH = 20;

const ISO_DATE =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const SQL_DATE = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const SQL_FORMAT = 'yyyy-MM-dd HH:mm:ss';

/** What the values of a field are; each kind that was seen. */
type Kind = 'boolean' | 'long' | 'double' | 'date' | 'sqlDate' | 'string' | 'object' | 'point';

/** What is known of a field. */
class Field {
  readonly kinds = new Set<Kind>();
  readonly members = new Map<string, Field>();
  private count = 0;
  private longest = 0;
  private withBlanks = 0;
  private readonly values = new Set<string>();

  add(value: JsonValue, depth: number): void {
    if (value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) this.add(one, depth);
    } else if (isJsonObject(value)) this.addObject(value, depth);
    else if (typeof value === 'boolean') this.kinds.add('boolean');
    else if (value instanceof JsonNumber) this.kinds.add(isLong(value) ? 'long' : 'double');
    else this.addString(value);
  }

  /** The mapping; null where nothing is known. */
  mapping(): JsonOutput | null {
    const { kinds } = this;
    const only = (...allowed: readonly Kind[]): boolean =>
      kinds.size > 0 && [...kinds].every((kind) => allowed.includes(kind));
    if (only('object')) return { properties: properties(this.members) };
    if (only('point')) return { type: 'geo_point' };
    if (only('object', 'point')) return { properties: properties(this.members) };
    if (only('boolean')) return { type: 'boolean' };
    if (only('long')) return { type: 'long' };
    if (only('long', 'double')) return { type: 'double' };
    if (only('date')) return { type: 'date', format: 'dateOptionalTime' };
    if (only('sqlDate', 'date')) return { type: 'date', format: `${SQL_FORMAT}||dateOptionalTime` };
    if (kinds.size === 0 || kinds.has('object') || kinds.has('point')) return null;
    return this.isKeyword()
      ? { type: 'string', index: 'not_analyzed' }
      : {
          type: 'string',
          fields: { raw: { type: 'string', index: 'not_analyzed', ignore_above: MAX_KEYWORD } },
        };
  }

  private addObject(value: JsonObject, depth: number): void {
    const isNumber = (name: string): boolean => value.get(name) instanceof JsonNumber;
    const isPoint = value.size === 2 && isNumber('lat') && isNumber('lon');
    this.kinds.add(isPoint ? 'point' : 'object');
    if (depth < MAX_DEPTH) addMembers(this.members, value, depth + 1);
  }

  private addString(value: string): void {
    if (value === '') return;
    this.kinds.add(ISO_DATE.test(value) ? 'date' : SQL_DATE.test(value) ? 'sqlDate' : 'string');
    this.count++;
    this.longest = Math.max(this.longest, value.length);
    if (/\s/.test(value)) this.withBlanks++;
    if (this.values.size < MAX_VALUES) this.values.add(value);
  }

  private isKeyword(): boolean {
    if (this.longest > MAX_KEYWORD) return false;
    const { size } = this.values;
    const isRepeated = size < MAX_VALUES && size * REPEATED <= this.count;
    return isRepeated || (size <= FEW_VALUES && this.count > FEW_VALUES) || this.withBlanks === 0;
  }
}

/** Guesses the mapping of a type while documents pass. */
export class MappingGuess {
  private readonly fields = new Map<string, Field>();

  /** Looks at a document. */
  add(document: JsonObject): void {
    addMembers(this.fields, document, 0);
  }

  /** The mapping: every value that was seen can be indexed by it. */
  mapping(): JsonOutput {
    return { properties: properties(this.fields) };
  }
}

/** Whether a number fits into 64 bits, with certainty. */
function isLong({ isInteger, text }: JsonNumber): boolean {
  return isInteger && text.length <= 18;
}

function addMembers(fields: Map<string, Field>, value: JsonObject, depth: number): void {
  for (const [name, member] of value) {
    let field = fields.get(name);
    if (field === undefined) fields.set(name, (field = new Field()));
    field.add(member, depth);
  }
}

function properties(fields: ReadonlyMap<string, Field>): JsonOutput {
  const all = new Map<string, JsonOutput>();
  for (const [name, field] of fields) {
    const mapping = field.mapping();
    if (mapping !== null) all.set(name, mapping);
  }
  return all;
}
