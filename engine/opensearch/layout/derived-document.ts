// A document as OpenSearch gets it: what facetd's own parser and analyzers made of it. OpenSearch decides
// nothing: values are converted, distinct and under the ids of their fields.

import { type JsonOutput, writeJson } from '../../json/index';
import type {
  DocumentEnvelope,
  DocumentMapper,
  FieldSink,
  IndexedField,
} from '../../mapping/index';
import { MAX_TERM_BYTES } from '../../segment/index';
import type { Similarities } from '../../similarity/index';
import { definitionsOf, isMeasured, isText, measuresOf, NESTED_DEFINITION } from './definitions';
import { writeEnvelope } from './envelope';
import {
  ENVELOPE,
  latitudeField,
  longitudeField,
  nestedField,
  normField,
  PRESENT,
  SOURCE,
  termField,
  tokensField,
  valueField,
  within,
} from './names';
import { TokenText } from './token-text';
import { UnsupportedError } from './unsupported';

/** A document for OpenSearch. */
export interface DerivedDocument {
  /** JSON text. */
  readonly body: string;
  /** What it needs to be defined, by path from the root. */
  readonly definitions: ReadonlyMap<string, object>;
}

/**
 * Derives a document from its source.
 *
 * @param similarities of the index
 * @param known definitions that there are already; only others are told of
 * @throws EngineError when the document does not fit the mapping, or has what cannot be had in OpenSearch
 */
export function deriveDocument(
  mapper: DocumentMapper,
  source: Buffer,
  envelope: DocumentEnvelope,
  similarities: Similarities,
  known: ReadonlySet<string>,
): DerivedDocument {
  const sink = new DerivingSink(similarities, known);
  const outcome = mapper.parse(source, envelope, sink);
  if (outcome.error !== null) throw outcome.error;
  const members = sink.root.members();
  members.set(SOURCE, outcome.source.toString());
  members.set(ENVELOPE, writeEnvelope(envelope));
  return { body: writeJson(members), definitions: sink.definitions };
}

/** What a field of an object holds. */
interface Values {
  readonly field: IndexedField;
  readonly text: TokenText;
  readonly terms: Set<string>;
  readonly numbers: Set<number | bigint>;
  readonly points: (readonly [latitude: number, longitude: number])[];
  hasText: boolean;
  /** Its similarity is another than the default one. */
  isMeasured: boolean;
}

/** A document, or a nested object of it. */
class DerivedObject {
  private readonly fields = new Map<number, Values>();
  private readonly nested = new Map<string, DerivedObject[]>();

  /** @param path of OpenSearch; null: the document itself */
  constructor(readonly path: string | null) {}

  values(field: IndexedField): Values {
    let values = this.fields.get(field.id);
    if (values === undefined) {
      values = {
        field,
        text: new TokenText(),
        terms: new Set(),
        numbers: new Set(),
        points: [],
        hasText: false,
        isMeasured: false,
      };
      this.fields.set(field.id, values);
    }
    return values;
  }

  addNested(name: string, object: DerivedObject): void {
    const known = this.nested.get(name);
    if (known === undefined) this.nested.set(name, [object]);
    else known.push(object);
  }

  members(): Map<string, JsonOutput> {
    const members = new Map<string, JsonOutput>();
    const present: string[] = [];
    for (const [id, { field, text, terms, numbers, points, isMeasured }] of this.fields) {
      present.push(String(id));
      const countsOverlaps = field.countsOverlaps === true;
      if (isMeasured && !text.isEmpty) {
        members.set(normField(id), text.norm(countsOverlaps));
        members.set(tokensField(id), text.tokens);
      }
      if (field.norms) text.fill(countsOverlaps);
      if (!text.isEmpty) members.set(valueField(id), text.toString());
      if (terms.size > 0) members.set(termField(id), [...terms]);
      if (numbers.size > 0) members.set(valueField(id), [...numbers]);
      if (points.length > 0) {
        members.set(
          valueField(id),
          points.map(([lat, lon]) => ({ lat: within90(lat), lon: within180(lon) })),
        );
        members.set(
          latitudeField(id),
          points.map(([lat]) => lat),
        );
        members.set(
          longitudeField(id),
          points.map(([, lon]) => lon),
        );
      }
    }
    if (present.length > 0) members.set(PRESENT, present);
    for (const [name, objects] of this.nested) {
      members.set(
        name,
        objects.map((object) => object.members()),
      );
    }
    return members;
  }
}

class DerivingSink implements FieldSink {
  readonly root = new DerivedObject(null);
  readonly definitions = new Map<string, object>();
  private readonly open: DerivedObject[] = [this.root];

  constructor(
    private readonly similarities: Similarities,
    private readonly known: ReadonlySet<string>,
  ) {}

  text(field: IndexedField, value: string, boost: number): void {
    if (boost !== 1) throw new UnsupportedError('boosts of fields or documents at index time are');
    const values = this.valuesOf(field);
    if (values === null) return;
    const { analyzer, positionGap } = field;
    const { text, terms } = values;
    if (isText(field)) {
      if (values.hasText) text.skip(positionGap);
      values.hasText = true;
      this.measure(field, values);
    }
    let owed = 0;
    const emit = (term: string, increment: number): void => {
      // Too long for a term: its place stays empty.
      if (Buffer.byteLength(term) > MAX_TERM_BYTES) {
        owed += increment;
        return;
      }
      terms.add(term);
      if (isText(field)) text.add(term, increment + owed);
      owed = 0;
    };
    if (analyzer === null) emit(value, 1);
    else owed += analyzer.forEachTerm(value, emit) ?? 0;
    if (isText(field)) text.skip(owed);
  }

  number(field: IndexedField, value: number): void {
    this.valuesOf(field)?.numbers.add(value);
  }

  long(field: IndexedField, value: bigint): void {
    const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
    this.valuesOf(field)?.numbers.add(isSafe ? Number(value) : value);
  }

  geo(field: IndexedField, latitude: number, longitude: number): void {
    this.valuesOf(field)?.points.push([latitude, longitude]);
  }

  completion(): void {
    throw new UnsupportedError('completion fields are');
  }

  present(field: IndexedField): void {
    this.object().values(field);
  }

  beginNested(path: string): void {
    const name = nestedField(path);
    const outer = this.object();
    const object = new DerivedObject(within(outer.path, name));
    outer.addNested(name, object);
    this.define(object.path!, NESTED_DEFINITION);
    this.open.push(object);
  }

  endNested(): void {
    this.open.pop();
  }

  private object(): DerivedObject {
    return this.open.at(-1)!;
  }

  /** Null: the field is neither searched nor counted by. */
  private valuesOf(field: IndexedField): Values | null {
    if (!field.indexed && !field.docValues) return null;
    const object = this.object();
    const definitions = definitionsOf(field);
    for (const name of Object.keys(definitions)) {
      this.define(within(object.path, name), definitions[name]!);
    }
    return object.values(field);
  }

  /** Lengths that the default similarity does not know of are kept beside the text. */
  private measure(field: IndexedField, values: Values): void {
    if (values.isMeasured || !isMeasured(this.similarities, field.id)) return;
    values.isMeasured = true;
    const { path } = this.object();
    for (const [name, definition] of Object.entries(measuresOf(field))) {
      this.define(within(path, name), definition);
    }
  }

  private define(path: string, definition: object): void {
    if (!this.known.has(path)) this.definitions.set(path, definition);
  }
}

function within90(latitude: number): number {
  return Math.max(-90, Math.min(90, latitude));
}

function within180(longitude: number): number {
  return Math.max(-180, Math.min(180, longitude));
}
