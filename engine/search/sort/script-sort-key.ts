// Sorting by what a script gives (`_script`).

import { bindScript, type BoundScript, textOf } from '../../script/index';
import {
  compareUtf8,
  liveRoots,
  type NestedChildren,
  NO_MORE_DOCS,
  type SegmentReader,
} from '../../segment/index';
import { EngineError } from '../../errors';
import { NO_SCRIPT_VALUE, type ScriptRun, type SortKey, type SortValue } from '../plan/search-plan';
import { foreignLane } from './foreign-lane';
import type { SegmentSortKey } from './segment-sort-key';

/**
 * Opens a key on a segment.
 *
 * @param children nested documents that the script runs over instead of the documents around them; null: none
 * @throws EngineError when the script does not compile
 */
export function openScriptKey(
  key: SortKey,
  { plan, now }: ScriptRun,
  children: NestedChildren | null,
  segment: SegmentReader,
): SegmentSortKey {
  const script = bindScript(plan, { now, variables: ['_score'] });
  script.open(segment);
  return key.fieldKind === 'string'
    ? new ScriptTextKey(key, script, children, segment)
    : new ScriptNumberKey(key, script, children);
}

class ScriptNumberKey implements SegmentSortKey {
  readonly lanes = 1;

  readonly descending: boolean;

  constructor(
    private readonly key: SortKey,
    private readonly script: BoundScript,
    private readonly children: NestedChildren | null,
  ) {
    this.descending = key.descending;
  }

  load(doc: number, score: number, into: Float64Array, at: number): void {
    into[at] = this.value(doc, score);
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    into[at] = foreignLane(this.key, value);
  }

  value(doc: number, score: number): number {
    const { script, children } = this;
    script.score = score;
    if (children === null) return script.number(doc);
    const { mode } = this.key;
    let result = 0;
    let count = 0;
    let child = children.first(doc);
    while (child !== NO_MORE_DOCS) {
      const value = script.number(child);
      if (mode === 'sum' || mode === 'avg') result += value;
      else if (count === 0 || (mode === 'min' ? value < result : value > result)) result = value;
      count++;
      child = children.next(child + 1, doc);
    }
    if (count === 0) return NO_SCRIPT_VALUE;
    return mode === 'avg' ? result / count : result;
  }
}

/** Texts have no number to compare by: all of the segment are ranked before the first is asked for. */
class ScriptTextKey implements SegmentSortKey {
  readonly lanes = 1;
  private ranks: Map<string, number> | null = null;
  /** The texts of the segment in order, as they were ranked. */
  private texts: readonly string[] = [];

  readonly descending: boolean;

  constructor(
    private readonly key: SortKey,
    private readonly script: BoundScript,
    private readonly children: NestedChildren | null,
    private readonly segment: SegmentReader,
  ) {
    this.descending = key.descending;
  }

  load(doc: number, score: number, into: Float64Array, at: number): void {
    const text = this.value(doc, score);
    if (text === null) {
      into[at] = foreignLane(this.key, null);
      return;
    }
    this.ranks ??= this.rank(score);
    // A script that depends on scores or time may give a text that was not seen while topK.
    into[at] = this.ranks.get(text) ?? -1;
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    this.ranks ??= this.rank(0);
    if (typeof value !== 'string') {
      into[at] = value === null ? foreignLane(this.key, value) : -1;
      return;
    }
    const { texts } = this;
    let low = 0;
    let high = texts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUtf8(texts[middle]!, value) < 0) low = middle + 1;
      else high = middle;
    }
    into[at] = texts[low] === value ? low : low - 0.5;
  }

  /** Null: there is no nested document to run over. */
  value(doc: number, score: number): string | null {
    const { children } = this;
    this.script.score = score;
    if (children === null) return this.text(doc);
    let result: string | null = null;
    let child = children.first(doc);
    while (child !== NO_MORE_DOCS) {
      const text = this.text(child);
      const order = result === null ? 0 : compareUtf8(text, result);
      if (result === null || (this.key.mode === 'max' ? order > 0 : order < 0)) result = text;
      child = children.next(child + 1, doc);
    }
    return result;
  }

  private text(doc: number): string {
    const value = this.script.value(doc);
    if (value === null) throw new EngineError('NullPointerException', 'the script gave null');
    return textOf(value);
  }

  private rank(score: number): Map<string, number> {
    const roots = liveRoots(this.segment);
    const texts = new Set<string>();
    const end = this.segment.docCount;
    for (let doc = 0; doc < end; doc++) {
      if (roots !== null) {
        doc = roots.next(doc);
        if (doc === NO_MORE_DOCS) break;
      }
      try {
        const text = this.value(doc, score);
        if (text !== null) texts.add(text);
      } catch (error) {
        // Documents that do not match may fail; one that does will say so itself.
        if (!(error instanceof EngineError)) throw error;
      }
    }
    this.texts = [...texts].sort(compareUtf8);
    return new Map(this.texts.map((text, i) => [text, i]));
  }
}
