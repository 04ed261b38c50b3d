// A type compiled: its tree of objects and fields as documents walk it, and its names as queries look
// them up.

import { appendAll } from '../../common/index';
import type { IndexedField } from '../fields/field-sink';
import { countsOverlaps, type SimilarityRegistry } from '../../similarity/index';
import { compileMetaFields } from './meta-mappers';
import { mapperParsing } from '../../json/index';
import type { AnalyzerLookup } from './mapping-context';
import {
  ObjectMapping,
  type Dynamic,
  type NestedOptions,
  type PropertyMapping,
} from './object-mapping';
import type { TypeMapping } from './type-mapping';
import type { FieldMapper } from '../types/field-mapper';
import type { TypeSetup } from '../types/field-location';
import { numericDefaults } from '../types/number';
import type { MappingContext } from '../types/options';
import type { MappedField } from '../fields/mapped-field';

/** An object of a type, compiled. The root is one too. */
export class ObjectMapper {
  readonly children = new Map<string, ObjectMapper | FieldMapper>();
  readonly name: string;
  /** Full path; empty for the root. */
  readonly path: string;
  readonly enabled: boolean;
  readonly nested: NestedOptions | null;
  /** Path of the innermost nested object: this one, or one around it. */
  readonly nestedPath: string | null;
  /** Path of the nested object around this one. */
  readonly outerNestedPath: string | null;

  constructor(
    readonly mapping: ObjectMapping,
    readonly parent: ObjectMapper | null,
  ) {
    const { name, options } = mapping;
    this.name = name;
    this.path = parent === null ? '' : parent.prefix + name;
    this.enabled = options.enabled;
    this.nested = options.nested;
    this.outerNestedPath = parent?.nestedPath ?? null;
    this.nestedPath = options.nested ? this.path : this.outerNestedPath;
  }

  /** What the paths of children begin with. */
  get prefix(): string {
    return this.parent === null ? '' : `${this.path}.`;
  }

  /** What happens to unknown fields; objects that do not say follow the root of the type. */
  dynamic(root: ObjectMapper): Dynamic {
    return this.mapping.options.dynamic ?? root.mapping.options.dynamic ?? 'true';
  }
}

/** Compiles a property below `parent` and, for objects, everything in it. */
export function compileProperty(
  property: PropertyMapping,
  parent: ObjectMapper,
  docType: string,
  setup: TypeSetup,
): ObjectMapper | FieldMapper {
  if (property instanceof ObjectMapping) {
    const object = new ObjectMapper(property, parent);
    compileChildren(object, docType, setup);
    return object;
  }
  const ownName = property.common.indexName ?? property.name;
  return property.compile({
    docType,
    path: parent.prefix + property.name,
    indexName: parent.mapping.options.justName ? ownName : parent.prefix + ownName,
    nestedPath: parent.nestedPath,
    setup,
  });
}

function compileChildren(object: ObjectMapper, docType: string, setup: TypeSetup): void {
  for (const [name, property] of object.mapping.properties) {
    object.children.set(name, compileProperty(property, object, docType, setup));
  }
}

/** Gives out physical fields: equal definitions of one index share one object. */
export class FieldRegistry {
  /** By name. */
  private readonly shared = new Map<string, IndexedField[]>();

  /** @param idOf the id of a (name, kind) */
  constructor(private readonly idOf: (name: string, kind: IndexedField['kind']) => number) {}

  readonly field = (definition: Omit<IndexedField, 'id'>): IndexedField => {
    const { name, kind } = definition;
    const known = this.shared.get(name);
    const same = known?.find((each) => isSameField(each, definition));
    if (same !== undefined) return same;
    const field = { id: this.idOf(name, kind), ...definition };
    if (known === undefined) this.shared.set(name, [field]);
    else known.push(field);
    return field;
  };
}

/** Whether two definitions of a name are equal. */
function isSameField(a: Omit<IndexedField, 'id'>, b: Omit<IndexedField, 'id'>): boolean {
  return (
    a.kind === b.kind &&
    a.indexed === b.indexed &&
    a.norms === b.norms &&
    (a.countsOverlaps === true) === (b.countsOverlaps === true) &&
    a.docValues === b.docValues &&
    a.indexOptions === b.indexOptions &&
    a.positionGap === b.positionGap &&
    (a.analyzer === null) === (b.analyzer === null) &&
    a.analyzer?.name === b.analyzer?.name
  );
}

/** What compiling needs of the index. */
export interface CompileContext {
  readonly analysis: AnalyzerLookup;
  /** Reads the fields that documents add. */
  readonly reading: MappingContext;
  readonly settings: ReadonlyMap<string, string | readonly string[]>;
  readonly fields: FieldRegistry;
  readonly similarities: SimilarityRegistry;
}

/** One type, compiled. */
export class TypeMapper {
  readonly type: string;
  readonly root: ObjectMapper;
  readonly setup: TypeSetup;
  readonly context: MappingContext;
  /** Metadata fields by name, enabled or not. */
  readonly meta: ReadonlyMap<string, MappedField>;
  /** All fields, metadata first, in the order in which they are declared. */
  readonly fields: readonly MappedField[];
  /** Indexed names of the fields whose values others depend on. */
  readonly watched: ReadonlySet<string>;
  /** Objects by full path. */
  readonly objects: ReadonlyMap<string, ObjectMapper>;
  /** Fields by the names a query may use, best match first: path, indexed name, last segment. */
  private readonly byName = new Map<string, MappedField>();
  /** Fields that values can be copied to: by indexed name, else by path. */
  private readonly mappers = new Map<string, FieldMapper>();

  constructor(
    readonly mapping: TypeMapping,
    context: CompileContext,
  ) {
    const { analysis, fields, settings, similarities } = context;
    this.type = mapping.type;
    this.context = context.reading;
    const { indexAnalyzer } = mapping.options;
    const analyzer = (name: string) => {
      const found = analysis.analyzer(name);
      if (found === null) throw mapperParsing(`Analyzer [${name}] not found`);
      return found;
    };
    this.setup = {
      field: fields.field,
      analyzer,
      indexAnalyzer: indexAnalyzer === null ? analysis.defaultIndex : analyzer(indexAnalyzer),
      searchAnalyzer: analysis.defaultSearch,
      lengthsOf: (name) => {
        const similarity = (name === null ? null : similarities.named.get(name)) ?? null;
        return countsOverlaps(similarity ?? similarities.standard) ? { countsOverlaps: true } : {};
      },
      allEnabled: mapping.metaOption('_all', 'enabled') !== false,
      ...numericDefaults(settings),
    };
    this.root = new ObjectMapper(mapping.root, null);
    compileChildren(this.root, this.type, this.setup);
    this.meta = compileMetaFields(mapping, this.setup);
    const all: MappedField[] = [...this.meta.values()];
    const objects = new Map<string, ObjectMapper>();
    const mappers: FieldMapper[] = [];
    collect(this.root, mappers, objects);
    appendAll<MappedField>(all, mappers);
    for (const nameOf of NAMES_IN_ORDER.slice(0, 2).reverse()) {
      for (const mapper of mappers) {
        const name = nameOf(mapper);
        if (!this.mappers.has(name)) this.mappers.set(name, mapper);
      }
    }
    this.fields = all;
    this.watched = new Set(mappers.flatMap(({ watches }) => watches));
    this.objects = objects;
    this.nameFields();
  }

  private nameFields(): void {
    for (const nameOf of NAMES_IN_ORDER) {
      for (const field of this.fields) {
        const name = nameOf(field);
        if (!this.byName.has(name)) this.byName.set(name, field);
      }
    }
  }

  /** The field a name of this type stands for, or null. */
  find(name: string): MappedField | null {
    return this.byName.get(name) ?? null;
  }

  /** The field that values copied to `name` go to, or null. */
  target(name: string): FieldMapper | null {
    return this.mappers.get(name) ?? null;
  }
}

/** The names of a field, the most exact first. */
export const NAMES_IN_ORDER: readonly ((field: MappedField) => string)[] = [
  (field) => field.path,
  (field) => field.indexName,
  (field) => field.path.slice(field.path.lastIndexOf('.') + 1),
];

function collect(
  object: ObjectMapper,
  fields: FieldMapper[],
  objects: Map<string, ObjectMapper>,
): void {
  const add = (mapper: FieldMapper): void => {
    fields.push(mapper);
    for (const part of mapper.parts) add(part);
    for (const sub of mapper.subFields) add(sub);
  };
  for (const child of object.children.values()) {
    if (child instanceof ObjectMapper) {
      objects.set(child.path, child);
      collect(child, fields, objects);
    } else {
      add(child);
    }
  }
}
