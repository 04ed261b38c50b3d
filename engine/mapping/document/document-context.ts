// The state of parsing one document: where values go, what goes into `_all`, and the fields that dynamic
// mapping adds.
//
// Nested objects are written while they are read, so values that belong to a document around them
// (copy_to, include_in_parent, include_in_root) are held back until that document is at hand again.

import { type EngineError, illegalArgument } from '../../errors';
import { type JsonObject, type JsonToken, type JsonScanner, mapperParsing } from '../../json/index';
import type { FieldSink } from '../fields/field-sink';
import { DynamicMapping, type AdditionLimit } from './dynamic-mapping';
import { TYPE_FIELD, UID_FIELD } from '../schema/meta-mappers';
import type { ObjectMapper, TypeMapper } from '../schema/type-mapper';
import type { ValueContext } from '../types/field-mapper';
import { VALIDATE_ONLY } from '../fields/dropping-sink';
import { WatchingSink } from '../fields/watching-sink';
import { CopyingSink, ValueBuffer } from '../fields/value-buffer';

/** A document being written: the root, or a nested object. */
interface OpenDocument {
  readonly sink: FieldSink;
  /** Full path with a dot; empty for the root. */
  readonly prefix: string;
  /** The nested document's own values, when they also belong elsewhere. */
  readonly copy: ValueBuffer | null;
  /** Values held back until this document is at hand again. */
  held: ValueBuffer | null;
}

/** The state of parsing one document. */
export class DocumentContext implements ValueContext {
  sink: FieldSink;
  shapePointsLeft: number;
  documentBoost = 1;
  secondary = 0;
  /** Few documents add fields. */
  private additions: DynamicMapping | null = null;
  private readonly open: OpenDocument[];
  /** Texts for `_all`, with their boosts. */
  private readonly allTexts: string[] = [];
  private readonly allBoosts: number[] = [];
  private readonly last: ((valuesOf: (field: string) => readonly string[]) => void)[] = [];

  constructor(
    readonly mapper: TypeMapper,
    readonly scanner: JsonScanner,
    sink: FieldSink,
    private readonly index: string,
    /** `type#id`, which nested documents have as well. */
    private readonly uid: string,
    private readonly limit: AdditionLimit,
    private readonly maxShapePoints: number,
  ) {
    this.shapePointsLeft = maxShapePoints;
    this.sink = sink;
    this.open = [{ sink, prefix: '', copy: null, held: null }];
  }

  tooManyPoints(): EngineError {
    return illegalArgument(
      `shapes of the document have more than [${this.maxShapePoints}] points (index.max_shape_points)`,
    );
  }

  /** What the document adds to the mapping. */
  get dynamic(): DynamicMapping {
    return (this.additions ??= new DynamicMapping(this.mapper, this.index, this.limit));
  }

  /** What the document has added so far as a mapping of the type, or null. */
  get mappingUpdate(): JsonObject | null {
    return this.additions?.update ?? null;
  }

  addToAll(text: string, boost: number): void {
    // What only a dynamic update knows is not indexed yet.
    if (this.sink === VALIDATE_ONLY) return;
    this.allTexts.push(text);
    this.allBoosts.push(boost);
  }

  atEnd(write: (valuesOf: (field: string) => readonly string[]) => void): void {
    this.last.push(write);
  }

  /** Writes what waited for the end of the document; to be called when the root is at hand again. */
  finish(): void {
    const root = this.open[0]!.sink;
    const valuesOf = (field: string) => (root instanceof WatchingSink ? root.valuesOf(field) : []);
    for (const write of this.last) write(valuesOf);
  }

  /** Writes the collected texts into `_all`; to be called when the root is at hand again. */
  writeAll(): void {
    const field = this.mapper.meta.get('_all')?.field;
    if (!field) return;
    for (let i = 0; i < this.allTexts.length; i++) {
      this.sink.text(field, this.allTexts[i] ?? '', this.allBoosts[i] ?? 1);
    }
  }

  /** Begins a nested document; a no-op while values are only checked. */
  beginNested(object: ObjectMapper): void {
    if (object.nested === null || this.sink === VALIDATE_ONLY) return;
    const { includeInParent, includeInRoot } = object.nested;
    this.sink.beginNested(object.path);
    // compat: found by the id of their root, and by a type that no root has; never part of a copy.
    this.sink.text(UID_FIELD, this.uid, 1);
    this.sink.text(TYPE_FIELD, `__${object.path}`, 1);
    const copy = includeInParent || includeInRoot ? new ValueBuffer() : null;
    if (copy !== null) this.sink = new CopyingSink(this.sink, copy);
    this.open.push({ sink: this.sink, prefix: `${object.path}.`, copy, held: null });
  }

  endNested(object: ObjectMapper): void {
    if (object.nested === null || this.sink === VALIDATE_ONLY) return;
    const closed = this.open.pop();
    const outer = this.open[this.open.length - 1];
    const root = this.open[0];
    if (closed === undefined || outer === undefined || root === undefined) return;
    closed.sink.endNested();
    this.sink = outer.sink;
    const { includeInParent, includeInRoot } = object.nested;
    if (closed.copy !== null) {
      const values = closed.copy;
      if (includeInRoot && !(includeInParent && outer === root)) {
        if (outer === root) values.copyTo(root.sink);
        else values.copyTo((root.held ??= new ValueBuffer()));
      }
      if (includeInParent) values.copyTo(outer.sink);
    }
    if (outer.held !== null) {
      outer.held.copyTo(outer.sink);
      outer.held = null;
    }
  }

  /**
   * Hands a scalar to other fields as if the document held it there. Fields that do not exist are added
   * where the mapping allows it.
   *
   * @throws EngineError MapperParsingException, StrictDynamicMappingException
   */
  copyTo(targets: readonly string[], token: JsonToken, text: string): void {
    for (const name of targets) {
      const target = this.mapper.target(name);
      if (target !== null) {
        const before = this.sink;
        if (before !== VALIDATE_ONLY) this.sink = this.sinkFor(name);
        target.accept(this, token, text, 1);
        this.sink = before;
        continue;
      }
      const object = this.parentOf(name);
      const added = this.dynamic.copyTarget(object, name, token, text);
      if (added === null) continue;
      const before = this.sink;
      this.sink = VALIDATE_ONLY;
      added.accept(this, token, text, 1);
      this.sink = before;
    }
  }

  /** The innermost open document that a field of this name belongs to. */
  private sinkFor(name: string): FieldSink {
    for (let i = this.open.length - 1; i >= 0; i--) {
      const document = this.open[i];
      if (document === undefined || !name.startsWith(document.prefix)) continue;
      if (i === this.open.length - 1) return document.sink;
      return (document.held ??= new ValueBuffer());
    }
    return this.sink;
  }

  private parentOf(name: string): ObjectMapper {
    const dot = name.lastIndexOf('.');
    if (dot < 0) return this.mapper.root;
    const path = name.slice(0, dot);
    const object = this.mapper.objects.get(path) ?? this.dynamic.object(path);
    if (object) return object;
    throw mapperParsing(`attempt to copy value to non-existing object [${name}]`);
  }
}
