// Where the values of an aggregation come from, as requests say it: a field, a script, or a script over
// the values of a field (reference server).

import { EngineError } from '../../errors';
import type { JsonValue } from '../../json/index';
import { DEFAULT_DATE_FORMAT, type MappedField } from '../../mapping/index';
import type { FieldId, FieldKind } from '../../metadata/index';
import { ElementFailure, tokenName } from '../../query/index';
import { planScript, ScriptMembers, type ScriptPlan } from '../../script/index';
import type { AggregationParseContext, AggregationReads } from './aggregation';
import { formatOf, RAW, type ValueFormat } from './value-format';

/** What values are. */
export type ValueClass = 'numbers' | 'texts' | 'points';

/** Where values come from. Plain data. */
export interface ValuesSpec {
  readonly kind: ValueClass;
  /** False: the field is not mapped here, so that this index has no say in how values look. */
  readonly isMapped: boolean;
  /** Null: there is no field, or it indexes nothing. */
  readonly field: FieldId | null;
  readonly fieldKind: FieldKind | null;
  /** The one text that every document has (`_index`), or null. */
  readonly constant: string | null;
  /** Gives values of documents, or of each value of the field; null: none. */
  readonly script: { readonly plan: ScriptPlan; readonly now: number } | null;
  /** A field was named, so that the script is about its values. */
  readonly hasField: boolean;
  readonly format: ValueFormat;
}

/** What an aggregation wants: one class of values, or whatever a field has. */
export type WantedValues = ValueClass | 'any';

/** What an aggregation lets requests say of its values. */
interface ValuesOptions {
  /** No scripts. */
  readonly takesScripts?: boolean;
  /** No `format`. */
  readonly takesFormat?: boolean;
  /** The type of what no field has the type of. */
  readonly type?: 'date' | 'ip';
}

/** The members that say where values come from, as they are read one after the other. */
export class ValuesMembers {
  private field: string | null = null;
  private format: string | null = null;
  private valueType: string | null;
  private readonly script = new ScriptMembers();

  constructor(private readonly options: ValuesOptions = {}) {
    this.valueType = options.type ?? null;
  }

  /** Takes a member if it is one of these. */
  read(member: string, value: JsonValue): boolean {
    const { takesScripts = true, takesFormat = true } = this.options;
    if (typeof value === 'string') {
      switch (member) {
        case 'field':
          this.field = value;
          return true;
        case 'format':
          if (!takesFormat) return false;
          this.format = value;
          return true;
        case 'value_type':
        case 'valueType':
          if (!takesScripts) return false;
          this.valueType = value;
          return true;
      }
    }
    if (!takesScripts) return false;
    if (member === 'script_values_sorted') return typeof value === 'boolean';
    return this.script.read(member, value);
  }

  /**
   * @param name of the aggregation, for errors
   * @throws EngineError AggregationExecutionException (400) where neither is named, nor an aggregation
   *   around it has values of this class; ClassCastException (500) where the field has others
   */
  resolve(name: string, wanted: WantedValues, context: AggregationParseContext): ValuesSpec {
    const { search } = context;
    const request = this.script.request();
    if (this.field === null && request === null) return inherited(name, wanted, context);
    let script: ValuesSpec['script'] = null;
    if (request !== null) {
      const { scripts, now } = search.services;
      search.meter.add('scripts', 1);
      const index = { indexName: search.index.name, mapping: search.mapping, types: search.types };
      script = { plan: planScript(scripts().resolve(request), index), now: now() };
    }
    const typed = classOfType(this.valueType);
    if (wanted === 'numbers' && this.valueType !== null && typed !== 'numbers') {
      throw new ElementFailure(
        `Aggregation [${name}] was configured with an incompatible value type [${this.valueType}]. It can only work on value of type [numeric]`,
      );
    }
    const { field: path } = this;
    const unmapped: ValuesSpec = {
      kind: wanted === 'any' ? (typed ?? 'texts') : wanted,
      isMapped: false,
      field: null,
      fieldKind: null,
      constant: null,
      script,
      hasField: path !== null,
      format: formatOfType(this.valueType, this.format),
    };
    if (path === null) {
      const format = unmapped.kind === 'numbers' ? unmapped.format : RAW;
      return { ...unmapped, isMapped: true, format };
    }
    if (path === '_index' && wanted !== 'numbers') {
      const constant = search.index.name;
      return { ...unmapped, kind: 'texts', isMapped: true, constant, format: RAW };
    }
    const mapped = leafNamed(path, context);
    if (mapped === null) return unmapped;
    const kind = classOfField(mapped);
    if (wanted !== 'any' && wanted !== kind) throw castFailure(mapped, wanted);
    return {
      ...unmapped,
      kind,
      isMapped: true,
      field: mapped.field?.id ?? null,
      fieldKind: mapped.field?.kind ?? null,
      format: formatOf(mapped, this.format),
    };
  }
}

/** The first spec with a mapped field: it knows how values look. */
export function leadOf<S extends { readonly values: ValuesSpec }>(specs: readonly S[]): S {
  return specs.find(({ values }) => values.isMapped) ?? specs[0]!;
}

/** What counting values reads besides the documents of a segment; null: a script may read anything. */
export function readsOfValues({
  values: { script, field },
}: {
  readonly values: ValuesSpec;
}): AggregationReads | null {
  return script === null ? { queries: [], fields: field === null ? [] : [field] } : null;
}

/** The same of kinds that add values up in arrays. */
export function quickReads(spec: { readonly values: ValuesSpec }): AggregationReads | null {
  const reads = readsOfValues(spec);
  return reads === null ? null : { ...reads, isQuick: true };
}

/** The values of the nearest aggregation around it that has any of this class. */
function inherited(
  name: string,
  wanted: WantedValues,
  { parents }: AggregationParseContext,
): ValuesSpec {
  for (let i = parents.length - 1; i >= 0; i--) {
    const { values } = parents[i]!.spec as { readonly values?: ValuesSpec };
    if (values !== undefined && (wanted === 'any' || values.kind === wanted)) return values;
  }
  throw new EngineError(
    'AggregationExecutionException',
    `could not find the appropriate value context to perform aggregation [${name}]`,
    { status: 400 },
  );
}

function classOfType(type: string | null): ValueClass | null {
  switch (type) {
    case null:
    case 'string':
      return type === null ? null : 'texts';
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
    case 'double':
    case 'float':
    case 'date':
    case 'ip':
      return 'numbers';
    default:
      return null;
  }
}

/** compat: a pattern counts for dates only where no field says what values are. */
function formatOfType(type: string | null, pattern: string | null): ValueFormat {
  if (type === 'date') return { kind: 'date', pattern: pattern ?? DEFAULT_DATE_FORMAT };
  return type === 'ip' ? { kind: 'ip' } : RAW;
}

/**
 * The field under a name, of whatever type; null when there is none, or an object. compat: the types of
 * the URL do not restrict it.
 */
export function leafNamed(path: string, { search }: AggregationParseContext): MappedField | null {
  const mapped = search.mapping.find(path, [])?.mapped;
  return mapped === undefined || mapped.type === 'object' || mapped.type === 'nested'
    ? null
    : mapped;
}

function classOfField({ type, field }: MappedField): ValueClass {
  switch (type) {
    case 'geo_point':
      return 'points';
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
    case 'date':
    case 'ip':
    case 'token_count':
    case 'murmur3':
      return 'numbers';
    case 'meta':
      return field === null || field.kind === 'string' ? 'texts' : 'numbers';
    case 'binary':
    case 'boolean':
    case 'completion':
    case 'geo_shape':
    case 'nested':
    case 'object':
    case 'string':
      return 'texts';
  }
}

const CLASS_OF: Readonly<Record<ValueClass, string>> = {
  numbers: 'PackedArrayIndexFieldData',
  texts: 'PagedBytesIndexFieldData',
  points: 'GeoPointDoubleArrayIndexFieldData',
};
const WANTED_CLASS: Readonly<Record<ValueClass, string>> = {
  numbers: 'IndexNumericFieldData',
  texts: 'IndexFieldData',
  points: 'IndexGeoPointFieldData',
};

function castFailure(mapped: MappedField, wanted: ValueClass): RunFailure {
  const held = CLASS_OF[classOfField(mapped)];
  return new RunFailure(
    new EngineError(
      'ClassCastException',
      `class org.elasticsearch.index.fielddata.plain.${held} cannot be cast to class org.elasticsearch.index.fielddata.${WANTED_CLASS[wanted]}`,
    ),
  );
}

/**
 * What an aggregation fails with when it runs, though its body is well formed: a failure of the shard
 * as it is.
 */
export class RunFailure extends Error {
  constructor(override readonly cause: EngineError) {
    super(cause.message);
  }
}

/** Calls a function whose errors are failures to run. @throws RunFailure */
export function atRun<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError) throw new RunFailure(error);
    throw error;
  }
}

/** The complaint about a member that an aggregation does not know. */
export function unknownMember(name: string, member: string, value: JsonValue): ElementFailure {
  return new ElementFailure(`Unknown key for a ${tokenName(value)} in [${name}]: [${member}].`);
}
