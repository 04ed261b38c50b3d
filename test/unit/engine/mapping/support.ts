// What mapping tests share: an index without documents, and a sink that writes down what it is handed.

import { buildAnalysis, type AnalysisRegistry } from '../../../../engine/analysis/registry';
import { EngineError } from '../../../../engine/errors';
import { parseJson } from '../../../../engine/json/parse';
import type { JsonObject } from '../../../../engine/json/json';
import { writeJson } from '../../../../engine/json/write';
import { compileMapping } from '../../../../engine/mapping/compile';
import type {
  CompletionEntry,
  FieldSink,
  IndexedField,
} from '../../../../engine/mapping/fields/field-sink';
import type {
  DocumentEnvelope,
  IndexMapping,
} from '../../../../engine/mapping/schema/index-mapping';
import { mergeDynamic, putMapping } from '../../../../engine/mapping/merge';
import { renderMapping } from '../../../../engine/mapping/render';
import { VALIDATE_ONLY } from '../../../../engine/mapping/fields/dropping-sink';
import { NO_MAPPING_LIMITS, type MappingLimits } from '../../../../engine/metadata/limits';
import type { IndexMetadata } from '../../../../engine/metadata/state';

export const ENVELOPE: DocumentEnvelope = {
  id: '1',
  routing: null,
  parent: null,
  timestamp: null,
  expiry: null,
};

/** An object or JSON text as JsonObject. */
export function json(value: unknown): JsonObject {
  return parseJson(typeof value === 'string' ? value : JSON.stringify(value)) as JsonObject;
}

/** The wire text of the error that `run` fails with, or null. */
export function errorOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error.toWireString();
    throw error;
  }
}

/** Mapping metadata of one index that changes as a server would change it. */
export class TestIndex {
  metadata: IndexMetadata;
  readonly analysis: AnalysisRegistry;
  limits: MappingLimits = NO_MAPPING_LIMITS;

  constructor(mappings: object = {}, settings: Record<string, string> = {}) {
    this.metadata = {
      id: 1,
      name: 'i',
      uuid: 'u',
      state: 'open',
      settings: new Map(Object.entries(settings)),
      mappings: new Map(),
      aliases: new Map(),
      warmers: new Map(),
      shardIds: [1],
      fields: new Map(),
      version: 1,
    };
    this.analysis = buildAnalysis(this.metadata.settings);
    for (const [type, body] of Object.entries(mappings)) this.put(type, body);
  }

  put(type: string, body: unknown, ignoreConflicts = false): void {
    const inner = typeof body === 'string' ? body : JSON.stringify(body);
    this.metadata = putMapping(
      this.metadata,
      type,
      json(`{${JSON.stringify(type)}:${inner}}`),
      this.analysis,
      { ignoreConflicts, limits: this.limits },
    );
  }

  compile(): IndexMapping {
    return compileMapping(this.metadata, this.analysis, this.limits);
  }

  /** Checks a document and applies the mapping it brings, as a write does. The error text, or null. */
  check(source: string, type = 't', envelope: Partial<DocumentEnvelope> = {}): string | null {
    if (!this.metadata.mappings.has(type)) {
      this.metadata = mergeDynamic(this.metadata, type, new Map(), this.analysis, this.limits);
    }
    return this.run(source, type, envelope, VALIDATE_ONLY);
  }

  /** Checks a document, then writes it with the mapping of then, as a segment build does. */
  index(source: string, type = 't', envelope: Partial<DocumentEnvelope> = {}): string[] {
    const error = this.check(source, type, envelope);
    if (error !== null) throw new Error(error);
    const sink = new RecordingSink();
    this.run(source, type, envelope, sink);
    return sink.calls.filter((call) => !/^_(uid|type)=/.test(call));
  }

  private run(
    source: string,
    type: string,
    envelope: Partial<DocumentEnvelope>,
    sink: FieldSink,
  ): string | null {
    const mapper = this.compile().documentMapper(type);
    if (mapper === null) throw new Error(`type ${type} is not mapped`);
    const { mappingUpdate, error } = mapper.parse(
      Buffer.from(source),
      { ...ENVELOPE, ...envelope },
      sink,
    );
    if (mappingUpdate !== null) {
      this.metadata = mergeDynamic(this.metadata, type, mappingUpdate, this.analysis, this.limits);
    }
    return error?.toWireString() ?? null;
  }

  /** A type's mapping as GET prints it. */
  get(type = 't'): unknown {
    const canonical = this.metadata.mappings.get(type);
    return canonical === undefined ? undefined : JSON.parse(writeJson(renderMapping(canonical)));
  }

  getProperties(type = 't'): unknown {
    return (this.get(type) as { properties: unknown }).properties;
  }
}

/** Writes every call down as text. */
export class RecordingSink implements FieldSink {
  readonly calls: string[] = [];

  text(field: IndexedField, value: string, boost: number): void {
    this.add(field, boost === 1 ? JSON.stringify(value) : `${JSON.stringify(value)}^${boost}`);
  }
  number(field: IndexedField, value: number): void {
    this.add(field, String(value));
  }
  long(field: IndexedField, value: bigint): void {
    this.add(field, `${value}n`);
  }
  geo(field: IndexedField, latitude: number, longitude: number): void {
    this.add(field, `${latitude},${longitude}`);
  }
  completion(field: IndexedField, { key, surface, weight, payload }: CompletionEntry): void {
    this.add(field, `${JSON.stringify(key)}>${JSON.stringify(surface)}/${weight}/${payload}`);
  }
  present(field: IndexedField): void {
    this.add(field, 'present');
  }
  beginNested(path: string): void {
    this.calls.push(`<${path}>`);
  }
  endNested(): void {
    this.calls.push('</>');
  }

  private add(field: IndexedField, value: string): void {
    this.calls.push(`${field.name}=${value}`);
  }
}
