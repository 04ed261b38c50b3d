// Notes the values of some fields of a document on their way to another sink: contexts of completion fields
// are taken from other fields.

import { encodeGeohash } from '../../geo/index';
import { DroppingSink } from './dropping-sink';
import type { FieldSink, IndexedField } from './field-sink';
import { CopyingSink } from './value-buffer';

/** Length of the geohashes that stand for points. */
const GEOHASH_LENGTH = 12;

/** Keeps what a document has in some fields. */
class WatchedValues extends DroppingSink {
  private readonly values = new Map<string, string[]>();

  constructor(private readonly names: ReadonlySet<string>) {
    super();
  }

  of(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  override text({ name }: IndexedField, value: string): void {
    this.note(name, value);
  }

  override geo({ name }: IndexedField, latitude: number, longitude: number): void {
    this.note(name, encodeGeohash({ latitude, longitude }, GEOHASH_LENGTH));
  }

  private note(name: string, value: string): void {
    if (!this.names.has(name)) return;
    const known = this.values.get(name);
    if (known === undefined) this.values.set(name, [value]);
    else known.push(value);
  }
}

/** Passes everything on, and keeps what the root document has in the fields that are watched. */
export class WatchingSink extends CopyingSink {
  readonly isChecking: boolean;
  private readonly watched: WatchedValues;

  constructor(target: FieldSink, names: ReadonlySet<string>) {
    const watched = new WatchedValues(names);
    super(target, watched);
    this.isChecking = target.isChecking === true;
    this.watched = watched;
  }

  /** The texts, or geohashes of points, that the document has in a watched field. */
  valuesOf(name: string): readonly string[] {
    return this.watched.of(name);
  }
}
