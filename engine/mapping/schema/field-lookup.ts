// How a name in a request finds its field, over all types of an index.
//
// Behaviour as on the reference server. With types in the URL only their fields count, unless
// the name itself begins with a type. Otherwise, in this order: a type name before the first dot, the full
// path, the indexed name, the last segment; and of several types the one added first.

import { patternTest } from '../../common/index';
import { NAMES_IN_ORDER, type ObjectMapper, type TypeMapper } from './type-mapper';
import type { FieldMatch, MappedField } from '../fields/mapped-field';

/** Finds fields of an index by the names of requests. */
export class FieldLookup {
  /** Fields of all types by the names queries may use, best match first. */
  private readonly byName = new Map<string, MappedField>();

  /** @param mappers types in the order in which they were added */
  constructor(private readonly mappers: ReadonlyMap<string, TypeMapper>) {
    for (const nameOf of NAMES_IN_ORDER) {
      for (const mapper of mappers.values()) {
        for (const field of mapper.fields) {
          const name = nameOf(field);
          if (!this.byName.has(name)) this.byName.set(name, field);
        }
      }
    }
    this.preferChildTypes();
  }

  /** `_parent` means that of a type which has parents. */
  private preferChildTypes(): void {
    for (const mapper of this.mappers.values()) {
      const parent = mapper.meta.get('_parent');
      if (parent && mapper.mapping.meta.has('_parent')) {
        this.byName.set('_parent', parent);
        return;
      }
    }
  }

  find(name: string, types: readonly string[]): FieldMatch | null {
    if (restricts(types)) {
      for (const type of types) {
        const mapped = this.mappers.get(type)?.find(name) ?? null;
        if (mapped !== null) return { mapped, restrictToType: null };
      }
      return this.findPrefixed(name);
    }
    const prefixed = this.findPrefixed(name);
    if (prefixed !== null) return prefixed;
    const mapped = this.byName.get(name);
    return mapped === undefined ? null : { mapped, restrictToType: null };
  }

  /** `type.field` */
  private findPrefixed(name: string): FieldMatch | null {
    const dot = name.indexOf('.');
    if (dot < 0) return null;
    const type = name.slice(0, dot);
    const mapped = this.mappers.get(type)?.find(name.slice(dot + 1)) ?? null;
    return mapped === null ? null : { mapped, restrictToType: type };
  }

  match(pattern: string, types: readonly string[]): readonly MappedField[] {
    if (!pattern.includes('*')) {
      const found = this.find(pattern, types);
      return found === null ? [] : [found.mapped];
    }
    const matches = patternTest(pattern);
    return this.select(types, (field) => NAMES_IN_ORDER.some((nameOf) => matches(nameOf(field))));
  }

  leavesOf(objectPath: string, types: readonly string[]): readonly MappedField[] {
    const prefix = `${this.stripType(objectPath)}.`;
    return this.select(types, (field) => field.type !== 'meta' && field.path.startsWith(prefix));
  }

  /** Indexed fields of the given types (none: all types) that pass; of one path the first type's. */
  private select(
    types: readonly string[],
    accept: (field: MappedField) => boolean,
  ): readonly MappedField[] {
    const found = new Map<string, MappedField>();
    for (const [type, mapper] of this.mappers) {
      if (restricts(types) && !types.includes(type)) continue;
      for (const field of mapper.fields) {
        if (field.field === null || found.has(field.path) || !accept(field)) continue;
        found.set(field.path, field);
      }
    }
    return [...found.values()];
  }

  nestedObject(
    path: string,
    types: readonly string[],
  ): { readonly path: string; readonly parent: string | null } | 'plain' | null {
    const object = this.findObject(path, types);
    if (object === null) return null;
    return object.nested === null ? 'plain' : { path: object.path, parent: object.outerNestedPath };
  }

  private findObject(path: string, types: readonly string[]): ObjectMapper | null {
    const mappers = restricts(types)
      ? types.flatMap((type) => this.mappers.get(type) ?? [])
      : this.mappers.values();
    for (const mapper of mappers) {
      const object = mapper.objects.get(path);
      if (object) return object;
    }
    const stripped = this.stripType(path);
    return stripped === path ? null : this.findObject(stripped, [path.slice(0, path.indexOf('.'))]);
  }

  private stripType(path: string): string {
    const dot = path.indexOf('.');
    return dot > 0 && this.mappers.has(path.slice(0, dot)) ? path.slice(dot + 1) : path;
  }
}

/** `_all` stands for no restriction. */
function restricts(types: readonly string[]): boolean {
  return types.length > 0 && !(types.length === 1 && types[0] === '_all');
}
