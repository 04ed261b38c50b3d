// The roots of a script's data: `doc`, `_source`, `_fields` and `ctx`.

import { missingProperty, runtimeError } from './errors';
import { openField, type DocField, type ScriptField } from './doc-fields';
import type { Frame } from './frame';
import { HostObject, textOf, type ScriptMap, type ScriptValue } from './values';

/** The failure of asking for a field that is not mapped. */
function noField(name: string): Error {
  return runtimeError(
    'ElasticsearchIllegalArgumentException',
    `No field found for [${name}] in mapping with types []`,
  );
}

/** `doc`: fields by name. */
export class DocLookup extends HostObject {
  readonly javaClass = 'org.elasticsearch.search.lookup.DocLookup';
  private readonly open = new Map<string, DocField>();

  constructor(
    private readonly fields: ReadonlyMap<string, ScriptField>,
    private readonly frame: Frame,
  ) {
    super();
  }

  /** @throws EngineError for a name that is not mapped */
  field(name: string): DocField {
    const known = this.open.get(name);
    if (known !== undefined) return known;
    const field = this.fields.get(name);
    if (field === undefined) throw noField(name);
    const opened = openField(field, this.frame.now);
    this.open.set(name, opened);
    this.frame.add(opened);
    return opened;
  }

  override property(name: string): ScriptValue {
    return this.field(name);
  }

  override method(name: string, args: readonly ScriptValue[]): ScriptValue | undefined {
    const [first] = args;
    if (first !== undefined && args.length === 1) {
      if (name === 'get') return this.field(textOf(first));
      if (name === 'containsKey') return this.fields.has(textOf(first));
    }
    return super.method(name, args);
  }

  plain(): ScriptValue {
    throw runtimeError('UnsupportedOperationException', 'null');
  }
}

/** `_source`: the document as it was sent; it cannot be changed. */
export class SourceLookup extends HostObject {
  readonly javaClass = 'org.elasticsearch.search.lookup.SourceLookup';

  constructor(private readonly frame: Frame) {
    super();
  }

  override property(name: string): ScriptValue {
    return this.frame.currentSource().get(name) ?? null;
  }

  plain(): ScriptMap {
    return this.frame.currentSource();
  }
}

/** `_fields`: stored fields by name. */
export class FieldsLookup extends HostObject {
  readonly javaClass = 'org.elasticsearch.search.lookup.FieldsLookup';

  constructor(
    private readonly fields: ReadonlyMap<string, ScriptField>,
    private readonly frame: Frame,
  ) {
    super();
  }

  /** @throws EngineError for names that are not mapped, or not stored in this document */
  override property(name: string): ScriptValue {
    const field = this.fields.get(name);
    if (field === undefined) throw noField(name);
    const values = this.frame.storedValues(field);
    if (values.length === 0)
      throw runtimeError('NullPointerException', `null value in entry: ${name}=null`);
    return new StoredField(values);
  }

  plain(): ScriptValue {
    throw runtimeError('UnsupportedOperationException', 'null');
  }
}

/** `_fields['f']` */
class StoredField extends HostObject {
  readonly javaClass = 'org.elasticsearch.search.lookup.FieldLookup';

  constructor(private readonly list: readonly ScriptValue[]) {
    super();
  }

  override property(name: string): ScriptValue {
    switch (name) {
      case 'value':
        return this.list[0] ?? null;
      case 'values':
        return [...this.list];
      case 'empty':
        return this.list.length === 0;
      default:
        throw missingProperty(name, this.javaClass);
    }
  }

  override method(name: string, args: readonly ScriptValue[]): ScriptValue | undefined {
    if (args.length > 0) return super.method(name, args);
    if (name === 'getValue') return this.property('value');
    if (name === 'getValues') return this.property('values');
    return name === 'isEmpty' ? this.list.length === 0 : super.method(name, args);
  }

  plain(): ScriptValue {
    return [...this.list];
  }
}
