// The fields that one document adds to its type: found by template or by the value's type, compiled at
// once so that the rest of the document is checked against them, and collected as a mapping update.

import { PatternWork } from '../../common/index';
import { EngineError } from '../../errors';
import {
  type JsonObject,
  type JsonValue,
  JsonToken,
  javaText,
  mapperParsing,
} from '../../json/index';
import { detectType } from './dynamic-detection';
import { mappingFor } from '../schema/dynamic-templates';
import { isKnownType } from '../schema/field-types';
import { ObjectMapping, parseProperty, type PropertyMapping } from '../schema/object-mapping';
import { sizeOfProperty, tooDeep, tooManyFields, tooManyTemplates } from '../schema/mapping-size';
import { compileProperty, ObjectMapper, type TypeMapper } from '../schema/type-mapper';
import { FieldMapper } from '../types/field-mapper';
import { FieldMapping } from '../types/field-mapping';
import { type TypeSetup } from '../types/field-location';
import type { MappingContext } from '../types/options';
import { NO_MAPPING_LIMITS, type MappingLimits } from '../../metadata/index';

/** What a new name turned out to be. */
export type NewProperty = ObjectMapper | FieldMapper;

/** What a document may add to the mapping of its index. */
export interface AdditionLimit {
  readonly limits: MappingLimits;
  /** Objects and fields that there is room for. */
  readonly room: () => number;
}

export const NO_ADDITION_LIMIT: AdditionLimit = {
  limits: NO_MAPPING_LIMITS,
  room: () => Infinity,
};

/** The mappings of fields that a document adds. */
export class DynamicMapping {
  /** Fields and objects added so far, by the object they were added to. */
  private readonly added = new Map<ObjectMapper, Map<string, NewProperty>>();
  /** Added objects by path. */
  private readonly objects = new Map<string, ObjectMapper>();
  /** The `properties` of the update that belong to an object. */
  private readonly updates = new Map<ObjectMapper, JsonObject>();
  private readonly context: MappingContext;
  private readonly setup: TypeSetup;
  /** Comparisons with templates; regular expressions count once for each character of a path. */
  private readonly templateWork: PatternWork;

  /** Objects and fields that may still be added. */
  private room: number;

  /** @param index its name, for refusals */
  constructor(
    private readonly mapper: TypeMapper,
    private readonly index: string,
    private readonly limit: AdditionLimit,
  ) {
    this.room = limit.room();
    this.templateWork = new PatternWork((most) => tooManyTemplates(index, most));
    this.context = mapper.context;
    // Fields that exist in the update only have no id yet, and nothing is written to them.
    this.setup = { ...mapper.setup, field: (definition) => ({ id: 0, ...definition }) };
  }

  /** The update so far as a mapping of the type, or null. */
  get update(): JsonObject | null {
    const properties = this.updates.get(this.mapper.root);
    if (properties === undefined || properties.size === 0) return null;
    return new Map([['properties', properties]]);
  }

  /** What an earlier value of this document added under a name. */
  find(object: ObjectMapper, name: string): NewProperty | undefined {
    return this.added.get(object)?.get(name);
  }

  /** An object that this document added. */
  object(path: string): ObjectMapper | undefined {
    return this.objects.get(path);
  }

  /**
   * Whether an unknown field is added (true) or ignored (false).
   *
   * @throws EngineError StrictDynamicMappingException
   */
  allows(object: ObjectMapper, name: string): boolean {
    const dynamic = object.dynamic(this.mapper.root);
    if (dynamic !== 'strict') return dynamic === 'true';
    const within = object.parent === null ? this.mapper.type : object.path;
    throw new EngineError(
      'StrictDynamicMappingException',
      `mapping set to strict, dynamic introduction of [${name}] within [${within}] is not allowed`,
    );
  }

  /** Adds an object. @throws EngineError */
  addObject(parent: ObjectMapper, name: string): NewProperty {
    const { dynamic } = parent.mapping.options;
    const property =
      this.fromTemplate(parent, name, 'object') ??
      ObjectMapping.of(
        name,
        {
          enabled: true,
          // The root's setting holds for all that do not say; an inner object's is handed down.
          dynamic: parent.parent === null ? null : dynamic,
          justName: parent.mapping.options.justName,
          // Merging hands down what the objects around it say.
          includeInAll: null,
          nested: null,
        },
        new Map(),
      );
    return this.add(parent, name, property);
  }

  /** Adds a field for a scalar. @throws EngineError */
  addField(parent: ObjectMapper, name: string, token: JsonToken, text: string): NewProperty {
    const { type, format } = detectType(token, text, this.mapper.mapping.options);
    const body = new Map<string, JsonValue>([['type', type]]);
    if (format !== null) body.set('format', format);
    const property =
      this.fromTemplate(parent, name, type) ?? parseProperty(name, body, this.context);
    return this.add(parent, name, property);
  }

  /**
   * A field for an array as a whole, when a template makes it one of a type that reads arrays itself;
   * else null, and the elements decide.
   */
  addArray(parent: ObjectMapper, name: string): FieldMapper | null {
    const property = this.fromTemplate(parent, name, 'object');
    if (!(property instanceof FieldMapping)) return null;
    const compiled = compileProperty(property, parent, this.mapper.type, this.setup);
    if (!(compiled instanceof FieldMapper) || !compiled.readsArrays) return null;
    const added = this.add(parent, name, property);
    return added instanceof FieldMapper ? added : null;
  }

  /**
   * The field that a copied scalar goes to: added before, or now, or null where unknown fields are ignored.
   */
  copyTarget(
    object: ObjectMapper,
    path: string,
    token: JsonToken,
    text: string,
  ): FieldMapper | null {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const known = object.children.get(name) ?? this.find(object, name);
    if (known instanceof FieldMapper) return known;
    if (token === JsonToken.Null) return null;
    if (known !== undefined) {
      throw mapperParsing(
        `object mapping for [${this.mapper.type}] tried to parse field [${path}] as object, but got EOF, has a concrete value been provided to it?`,
      );
    }
    if (!this.allows(object, name)) return null;
    const added = this.addField(object, name, token, text);
    return added instanceof FieldMapper ? added : null;
  }

  /** Takes back what was added last under a name: its first value did not fit it. */
  drop(parent: ObjectMapper, name: string): void {
    this.added.get(parent)?.delete(name);
    this.updates.get(parent)?.delete(name);
  }

  private fromTemplate(
    parent: ObjectMapper,
    name: string,
    dynamicType: string,
  ): PropertyMapping | null {
    const path = parent.prefix + name;
    const { dynamicTemplates } = this.mapper.mapping.options;
    const template = dynamicTemplates.find((each) => {
      this.templateWork.add(each.isRegex ? path.length : 1);
      return each.matches(path, name, dynamicType);
    });
    if (template === undefined) return null;
    const body = mappingFor(template, name, dynamicType);
    const type = javaText(body.get('type') ?? null);
    if (!isKnownType(type))
      throw mapperParsing(`failed to find type parsed [${type}] for [${name}]`);
    return parseProperty(name, body, this.context);
  }

  /** @throws MappingLimitError when the mapping would become too large */
  private add(parent: ObjectMapper, name: string, property: PropertyMapping): NewProperty {
    const { fields, depth } = sizeOfProperty(property);
    this.room -= fields;
    if (this.room < 0) throw tooManyFields(this.index, this.limit.limits);
    if (levelsOf(parent) + depth > this.limit.limits.mappingDepth) {
      throw tooDeep(this.index, this.limit.limits);
    }
    const compiled = compileProperty(property, parent, this.mapper.type, this.setup);
    let siblings = this.added.get(parent);
    if (siblings === undefined) {
      siblings = new Map<string, NewProperty>();
      this.added.set(parent, siblings);
    }
    siblings.set(name, compiled);
    const body = property.render();
    this.propertiesOf(parent).set(name, body);
    if (compiled instanceof ObjectMapper) {
      this.objects.set(compiled.path, compiled);
      // Later fields of the new object join its properties in the same update.
      const inner = body.get('properties');
      if (inner instanceof Map) this.updates.set(compiled, inner);
    }
    return compiled;
  }

  /** The update's `properties` of an object, with the objects around it as far as needed. */
  private propertiesOf(object: ObjectMapper): JsonObject {
    const known = this.updates.get(object);
    if (known !== undefined) return known;
    const properties: JsonObject = new Map<string, JsonValue>();
    this.updates.set(object, properties);
    if (object.parent !== null) {
      const siblings = this.propertiesOf(object.parent);
      let body = siblings.get(object.name);
      if (!(body instanceof Map)) {
        body = new Map<string, JsonValue>([['type', object.nested === null ? 'object' : 'nested']]);
        siblings.set(object.name, body);
      }
      body.set('properties', properties);
    }
    return properties;
  }
}

/** How many names lead to an object; none to the root. */
function levelsOf(object: ObjectMapper): number {
  let levels = 0;
  for (let each = object; each.parent !== null; each = each.parent) levels++;
  return levels;
}
