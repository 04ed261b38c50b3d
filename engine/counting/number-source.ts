// Where counting gets numbers from: the values of a field, or a script that gives one for each document.

import type { ValueExtent } from './bucketing';
import { DocumentScript, type ScoresOf } from './document-script';
import { ColumnReader, type NumberReader } from './number-reader';
import { WINDOW_DOCS } from './windows';
import type { ScriptPlan } from '../script/index';
import type { SegmentReader } from '../segment/index';
import type { FieldId } from '../metadata/index';

/** A script that counting runs. Plain data. */
interface NumberScript {
  readonly plan: ScriptPlan;
  /** Epoch milliseconds that the script takes for the present. */
  readonly now: number;
}

/** Where numbers come from; field null: it indexes nothing. Plain data. */
export type NumberOrigin =
  | { readonly kind: 'field'; readonly field: FieldId | null }
  | { readonly kind: 'script'; readonly script: NumberScript };

/** What is known of a script's numbers beforehand. */
const UNKNOWN_EXTENT: ValueExtent = { min: NaN, max: NaN, valueCount: 0 };

/** Numbers of one shard's documents, segment by segment. */
export class NumberSource {
  private readonly run: DocumentScript | null;

  /** @param scoresOf for scripts that ask for scores */
  constructor(
    private readonly origin: NumberOrigin,
    scoresOf: ScoresOf,
  ) {
    this.run =
      origin.kind === 'script'
        ? new DocumentScript(origin.script.plan, origin.script.now, scoresOf)
        : null;
  }

  /** The numbers of a segment, until the next one is opened; null: there are none. */
  open(segment: SegmentReader): NumberReader | null {
    if (this.run !== null) {
      this.run.open(segment);
      return new ScriptReader(this.run);
    }
    const column = this.column(segment);
    return column === null ? null : new ColumnReader(column);
  }

  /** The numbers that a segment may have. */
  extent(segment: SegmentReader): ValueExtent {
    return this.column(segment) ?? UNKNOWN_EXTENT;
  }

  private column(segment: SegmentReader) {
    const { origin } = this;
    return origin.kind === 'script' || origin.field === null ? null : segment.numeric(origin.field);
  }
}

/** Runs a script for the documents of a window. */
class ScriptReader implements NumberReader {
  readonly values = new Float64Array(WINDOW_DOCS);
  readonly isComputed = true;
  readonly offsets = null;
  readonly present = null;
  readonly firstValue = 0;
  firstDoc = 0;

  constructor(private readonly run: DocumentScript) {}

  load(words: Uint32Array, from: number, to: number): void {
    const { values, run } = this;
    const { script } = run;
    const firstDoc = from << 5;
    this.firstDoc = firstDoc;
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
        run.seek(doc);
        values[doc - firstDoc] = script.number(doc);
      }
    }
  }
}
