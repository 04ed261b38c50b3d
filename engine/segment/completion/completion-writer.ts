// Writes the entries of a completion field: a term dictionary of them, and their weights by ordinal.

import type { FieldId } from '../../metadata/index';
import { widthFor, PART } from '../format/format';
import { PartBuffer } from '../format/part-buffer';
import type { SegmentWriter } from '../format/segment-writer';
import type { StepClock } from '../format/steps';
import { PostingsWriter } from '../postings/postings-writer';
import { TermWriter } from '../dictionary/term-writer';
import { compareBytes } from '../dictionary/utf8-order';
import { isFirstAt, keyEnd, MAX_WEIGHT, weightAt } from './completion-entry';

/** The number under which the dictionary of entries stands beside that of the field's terms. */
export const ENTRIES = 1;

/** Takes entries in the order of their terms. */
export class CompletionWriter extends TermWriter {
  private readonly weights: number[] = [];
  /** The key of the entries at hand, and which of them get its number of documents as weight. */
  private key = new Uint8Array(64);
  private keyLength = 0;
  private keyDocs = 0;
  private unweighted: number[] = [];

  constructor() {
    super(new PostingsWriter(false, false, null), ENTRIES);
  }

  override finishTerm(bytes: Uint8Array, from: number, to: number): void {
    const end = keyEnd(bytes, from, to);
    if (compareBytes(bytes, from, end, this.key, 0, this.keyLength) !== 0) {
      this.finishKey();
      this.startKey(bytes, from, end);
    }
    const weight = weightAt(bytes, end);
    if (weight < 0) this.unweighted.push(this.weights.length);
    this.weights.push(Math.max(0, weight));
    super.finishTerm(bytes, from, to);
    if (isFirstAt(bytes, to)) this.keyDocs += this.postings.docFreq;
  }

  override *finishInSteps(
    field: FieldId,
    segment: SegmentWriter,
    turns: StepClock,
  ): Generator<void, void> {
    this.finishKey();
    yield* super.finishInSteps(field, segment, turns);
    if (this.weights.length === 0) return;
    yield* segment.addLongPart(field, PART.completion, writeWeights(this.weights), turns);
  }

  private startKey(bytes: Uint8Array, from: number, end: number): void {
    const length = end - from;
    if (length > this.key.length) this.key = new Uint8Array(length * 2);
    for (let i = 0; i < length; i++) this.key[i] = bytes[from + i]!;
    this.keyLength = length;
    this.keyDocs = 0;
  }

  private finishKey(): void {
    const weight = Math.min(MAX_WEIGHT, this.keyDocs);
    for (const ordinal of this.unweighted) this.weights[ordinal] = weight;
    this.unweighted.length = 0;
  }
}

function writeWeights(weights: readonly number[]): PartBuffer {
  let max = 0;
  for (const weight of weights) if (weight > max) max = weight;
  const width = widthFor(max);
  const out = new PartBuffer();
  out.u8(width);
  for (let i = 0; i < 3; i++) out.u8(0);
  out.u32(weights.length);
  for (const weight of weights) {
    if (width === 4) out.u32(weight);
    else {
      out.u8(weight & 0xff);
      if (width === 2) out.u8(weight >>> 8);
    }
  }
  return out;
}

/** The weights of all entries by ordinal. */
export function readWeights(bytes: Uint8Array): Uint32Array {
  const width = bytes[0]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const weights = new Uint32Array(view.getUint32(4, true));
  for (let i = 0, at = 8; i < weights.length; i++, at += width) {
    weights[i] =
      width === 1 ? bytes[at]! : width === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
  }
  return weights;
}
