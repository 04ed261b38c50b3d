// Objects as a mapping declares them, nested ones included, and the properties they hold.

import { EngineError } from '../../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  javaText,
  mapperParsing,
  optionBoolean,
  underscoreCase,
} from '../../json/index';
import { isObjectType } from './field-types';
import { FieldMapping } from '../types/field-mapping';
import { optionNode, type MappingContext, type OptionNode } from '../types/options';
import { parseJustName } from '../types/parse-options';

/** What happens to fields that the mapping does not know: added, ignored or refused. */
export type Dynamic = 'true' | 'false' | 'strict';

/** How an object is nested. */
export interface NestedOptions {
  readonly includeInParent: boolean;
  readonly includeInRoot: boolean;
}

interface ObjectOptions {
  readonly enabled: boolean;
  /** Null: as the type says. */
  readonly dynamic: Dynamic | null;
  /** Fields are indexed under their bare name (`path: just_name`). */
  readonly justName: boolean;
  /** Null: not said. */
  readonly includeInAll: boolean | null;
  /** Null: not nested. */
  readonly nested: NestedOptions | null;
}

/** What stands under a name in `properties`. */
export type PropertyMapping = ObjectMapping | FieldMapping;

/** An object of a mapping. Immutable. */
export class ObjectMapping {
  private constructor(
    readonly name: string,
    readonly options: ObjectOptions,
    readonly properties: ReadonlyMap<string, PropertyMapping>,
  ) {}

  /** @throws EngineError for bad options and fields, as the reference words it */
  static parse(name: string, node: OptionNode, context: MappingContext): ObjectMapping {
    const nested = underscoreCase(javaText(node.get('type') ?? 'object')) === 'nested';
    const flag = (option: string): boolean => optionBoolean(node.get(option) ?? false);
    const options: ObjectOptions = {
      enabled: node.has('enabled') ? flag('enabled') : true,
      dynamic: parseDynamic(node.get('dynamic')),
      justName: parseJustName(name, node),
      includeInAll: node.has('include_in_all') ? flag('include_in_all') : null,
      nested: nested
        ? { includeInParent: flag('include_in_parent'), includeInRoot: flag('include_in_root') }
        : null,
    };
    return ObjectMapping.of(name, options, parseProperties(node.get('properties'), context));
  }

  /** An object whose properties take over what it says about `_all`. */
  static of(
    name: string,
    options: ObjectOptions,
    properties: ReadonlyMap<string, PropertyMapping>,
  ): ObjectMapping {
    const { includeInAll } = options;
    if (includeInAll === null) return new ObjectMapping(name, options, properties);
    const inherited = [...properties].map(
      ([key, property]) => [key, inheritInAll(property, includeInAll)] as const,
    );
    return new ObjectMapping(name, options, new Map(inherited));
  }

  withProperties(properties: ReadonlyMap<string, PropertyMapping>): ObjectMapping {
    return ObjectMapping.of(this.name, this.options, properties);
  }

  /** Canonical options in the reference's order; properties as they were added. */
  render(): JsonObject {
    const out: JsonObject = new Map<string, JsonValue>();
    const { nested } = this.options;
    if (nested) {
      out.set('type', 'nested');
      if (nested.includeInParent) out.set('include_in_parent', true);
      if (nested.includeInRoot) out.set('include_in_root', true);
    } else if (this.properties.size === 0) {
      out.set('type', 'object');
    }
    this.renderOptions(out);
    if (this.properties.size > 0) out.set('properties', this.renderProperties());
    return out;
  }

  renderOptions(out: JsonObject): void {
    const { dynamic, enabled, justName, includeInAll } = this.options;
    if (dynamic !== null) out.set('dynamic', dynamic);
    if (!enabled) out.set('enabled', false);
    if (justName) out.set('path', 'just_name');
    if (includeInAll !== null) out.set('include_in_all', includeInAll);
  }

  renderProperties(): JsonObject {
    return new Map([...this.properties].map(([name, property]) => [name, property.render()]));
  }

  /**
   * This object with a newer declaration merged in.
   *
   * @param prefix path of this object with a dot, or empty for the root
   * @param conflicts receives what cannot be merged
   */
  merge(next: ObjectMapping, prefix: string, conflicts: string[]): ObjectMapping {
    const nested = this.options.nested !== null;
    if (nested !== (next.options.nested !== null)) {
      const [from, to] = nested ? ['nested', 'non-nested'] : ['non-nested', 'nested'];
      conflicts.push(`object mapping [${this.name}] can't be changed from ${from} to ${to}`);
      return this;
    }
    const properties = new Map(this.properties);
    for (const [name, property] of next.properties) {
      const known = properties.get(name);
      properties.set(
        name,
        known ? mergeProperty(known, property, prefix + name, conflicts) : property,
      );
    }
    const options = { ...this.options, dynamic: next.options.dynamic ?? this.options.dynamic };
    return ObjectMapping.of(this.name, options, properties);
  }
}

function mergeProperty(
  current: PropertyMapping,
  next: PropertyMapping,
  path: string,
  conflicts: string[],
): PropertyMapping {
  if (current instanceof ObjectMapping) {
    if (next instanceof ObjectMapping) return current.merge(next, `${path}.`, conflicts);
    conflicts.push(
      `Can't merge a non object mapping [${next.name}] with an object mapping [${current.name}]`,
    );
    return current;
  }
  if (next instanceof FieldMapping) return current.merge(next, path, conflicts);
  conflicts.push(
    `mapper [${path}] of different type, current_type [${current.type}], merged_type [ObjectMapper]`,
  );
  return current;
}

function inheritInAll(property: PropertyMapping, includeInAll: boolean): PropertyMapping {
  if (property instanceof FieldMapping) {
    return property.common.includeInAll === null
      ? property.withIncludeInAll(includeInAll)
      : property;
  }
  if (property.options.includeInAll !== null) return property;
  return ObjectMapping.of(
    property.name,
    { ...property.options, includeInAll },
    property.properties,
  );
}

/** `strict`, or a boolean; undefined: not said. */
function parseDynamic(value: JsonValue | undefined): Dynamic | null {
  if (value === undefined) return null;
  if (javaText(value).toLowerCase() === 'strict') return 'strict';
  return optionBoolean(value) ? 'true' : 'false';
}

function parseProperties(
  value: JsonValue | undefined,
  context: MappingContext,
): Map<string, PropertyMapping> {
  const properties = new Map<string, PropertyMapping>();
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return properties;
  if (!isJsonObject(value)) {
    throw new EngineError('ElasticsearchParseException', 'properties must be a map type');
  }
  for (const [name, body] of value) {
    if (Array.isArray(body) && body.length === 0) continue;
    if (!isJsonObject(body)) {
      // compat: whatever the value is, the text calls it a string.
      throw mapperParsing(
        `Expected map for property [fields] on field [${name}] but got a class java.lang.String`,
      );
    }
    properties.set(name, parseProperty(name, body, context));
  }
  return properties;
}

/**
 * Reads one property, object or field.
 *
 * @throws EngineError MapperParsingException and what the field's type throws
 */
export function parseProperty(
  name: string,
  body: JsonObject,
  context: MappingContext,
): PropertyMapping {
  const node = optionNode(body);
  const type = node.get('type') ?? null;
  if (type !== null) {
    return isObjectType(javaText(type))
      ? ObjectMapping.parse(name, node, context)
      : context.parseField(name, node);
  }
  const isObject =
    (node.get('properties') ?? null) !== null || (node.size === 1 && node.has('enabled'));
  if (!isObject) throw mapperParsing(`No type specified for property [${name}]`);
  return ObjectMapping.parse(name, node, context);
}
