// Notes the values of some fields of a document on their way to another sink: contexts of completion fields
// are taken from other fields.

import { encodeGeohash } from '../../geo/index';
import type { CompletionEntry, FieldSink, IndexedField } from './field-sink';

/** Length of the geohashes that stand for points. */
const GEOHASH_LENGTH = 12;

/** Passes everything on, and keeps what the root document has in the fields that are watched. */
export class WatchingSink implements FieldSink {
  private readonly values = new Map<string, string[]>();
  private nested = 0;

  readonly isChecking: boolean;

  constructor(
    private readonly target: FieldSink,
    private readonly names: ReadonlySet<string>,
  ) {
    this.isChecking = target.isChecking === true;
  }

  /** The texts, or geohashes of points, that the document has in a watched field. */
  valuesOf(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  text(field: IndexedField, value: string, boost: number): void {
    this.note(field, value);
    this.target.text(field, value, boost);
  }
  number(field: IndexedField, value: number): void {
    this.target.number(field, value);
  }
  long(field: IndexedField, value: bigint): void {
    this.target.long(field, value);
  }
  geo(field: IndexedField, latitude: number, longitude: number): void {
    this.note(field, encodeGeohash({ latitude, longitude }, GEOHASH_LENGTH));
    this.target.geo(field, latitude, longitude);
  }
  completion(field: IndexedField, entry: CompletionEntry): void {
    this.target.completion(field, entry);
  }
  present(field: IndexedField): void {
    this.target.present(field);
  }
  beginNested(path: string): void {
    this.target.beginNested(path);
    this.nested++;
  }
  endNested(): void {
    this.target.endNested();
    this.nested--;
  }

  private note({ name }: IndexedField, value: string): void {
    if (this.nested > 0 || !this.names.has(name)) return;
    const known = this.values.get(name);
    if (known === undefined) this.values.set(name, [value]);
    else known.push(value);
  }
}
