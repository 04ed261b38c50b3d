// A field as a mapping declares it: one class per field type. It reads and prints its options, merges
// with a newer declaration, and compiles to a FieldMapper.

import type { JsonObject, JsonValue } from '../../json/index';
import type { Analyzer } from '../../analysis/index';
import type { IndexedField } from '../fields/field-sink';
import type { FieldMapper } from './field-mapper';
import { mergeCommon, renderCommon, type CommonOptions, type TypeDefaults } from './options';
import type { FieldKind } from '../../metadata/index';
import type { MappedTypeName } from '../fields/mapped-field';
import type { FieldLocation } from './field-location';

/** A field of a mapping. Immutable. */
export abstract class FieldMapping {
  abstract readonly type: MappedTypeName;

  constructor(
    readonly name: string,
    readonly common: CommonOptions,
  ) {}

  /** The type's defaults for a field that is indexed like this. */
  protected abstract defaults(indexed: boolean, tokenized: boolean): TypeDefaults;
  /** Writes the options of the type itself. */
  protected abstract renderOwn(out: JsonObject): void;
  /** The same field with other shared options. */
  protected abstract withCommon(common: CommonOptions): FieldMapping;
  /** A field with these shared options and the own options of the current and the next declaration merged. */
  protected abstract mergeOwn(
    common: CommonOptions,
    next: this,
    path: string,
    conflicts: string[],
  ): FieldMapping;
  abstract compile(location: FieldLocation): FieldMapper;

  /** Name of the analyzer that indexes the field, as far as the mapping says. */
  protected get indexAnalyzerName(): string | null {
    return null;
  }

  /** The canonical options, defaults left out. */
  render(): JsonObject {
    const out: JsonObject = new Map<string, JsonValue>([['type', this.type]]);
    const { indexed, tokenized, includeInAll } = this.common;
    renderCommon(out, this.common, this.defaults(true, true), this.defaults(indexed, tokenized));
    this.renderOwn(out);
    if (includeInAll !== null) out.set('include_in_all', includeInAll);
    return out;
  }

  /** Declares `include_in_all`, or takes the declaration back (null). No-op for types never in `_all`. */
  withIncludeInAll(includeInAll: boolean | null): FieldMapping {
    if (this.common.includeInAll === includeInAll || !this.defaults(true, true).inAll) return this;
    return this.withCommon({ ...this.common, includeInAll });
  }

  /**
   * This field with a newer declaration merged in.
   *
   * @param conflicts receives what cannot be merged; then the result is of no use
   */
  merge(next: FieldMapping, path: string, conflicts: string[]): FieldMapping {
    if (next.type !== this.type) {
      conflicts.push(
        `mapper [${path}] of different type, current_type [${this.type}], merged_type [${next.type}]`,
      );
      return this;
    }
    const same = next as this;
    const analyzers = [this.indexAnalyzerName, same.indexAnalyzerName] as const;
    const common = mergeCommon(path, this.common, same.common, analyzers, conflicts);
    return this.mergeOwn(common, same, path, conflicts);
  }

  /** The physical field, or null when nothing of it is ever written. */
  protected physicalField(
    location: FieldLocation,
    kind: FieldKind,
    analyzer: Analyzer | null,
    positionGap = 0,
  ): IndexedField | null {
    const { indexed, docValues, store, indexOptions, omitNorms, similarity } = this.common;
    if (!indexed && !docValues && !store) return null;
    return location.setup.field({
      name: location.indexName,
      kind,
      indexed,
      analyzer,
      indexOptions,
      norms: kind === 'string' && indexed && !omitNorms,
      ...location.setup.lengthsOf(similarity),
      docValues: docValues || (indexed && analyzer === null),
      positionGap,
    });
  }

  /** A physical field that only marks which documents have a value. */
  protected markerField(location: FieldLocation): IndexedField {
    return location.setup.field({
      name: location.indexName,
      kind: 'string',
      indexed: false,
      analyzer: null,
      indexOptions: 'docs',
      norms: false,
      docValues: false,
      positionGap: 0,
    });
  }

  /** Compiles the sub-fields below `location`. */
  compileSubFields(location: FieldLocation): FieldMapper[] {
    const sourcePath = location.sourcePath ?? location.path;
    return [...this.common.subFields.values()].map((sub) => {
      const path = `${location.path}.${sub.name}`;
      const ownName = sub.common.indexName ?? sub.name;
      const indexName = this.common.subFieldsJustName ? ownName : `${location.path}.${ownName}`;
      return sub.compile({ ...location, path, indexName, sourcePath });
    });
  }
}
