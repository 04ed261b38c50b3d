// Sorting by what a script gives (`_script`).

import { bindScript, type BoundScript, textOf } from '../../script/index';
import { NO_MORE_DOCS, type SegmentReader, compareUtf8, liveRoots } from '../../segment/index';
import { EngineError } from '../../errors';
import type { ScriptRun, SortValue } from '../plan/search-plan';
import { foreignLane } from './foreign-lane';
import type { SegmentSortKey } from './segment-sort-key';

/** Opens a key on a segment. @throws EngineError when the script does not compile */
export function openScriptKey(
  { plan, now }: ScriptRun,
  isText: boolean,
  descending: boolean,
  segment: SegmentReader,
): SegmentSortKey {
  const script = bindScript(plan, { now, variables: ['_score'] });
  script.open(segment);
  return isText
    ? new ScriptTextKey(script, descending, segment)
    : new ScriptNumberKey(script, descending);
}

class ScriptNumberKey implements SegmentSortKey {
  readonly lanes = 1;

  constructor(
    private readonly script: BoundScript,
    readonly descending: boolean,
  ) {}

  load(doc: number, score: number, into: Float64Array, at: number): void {
    this.script.score = score;
    into[at] = this.script.number(doc);
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    into[at] = foreignLane({ missing: '_last', descending: this.descending }, value);
  }

  value(doc: number, score: number): SortValue {
    this.script.score = score;
    return this.script.number(doc);
  }
}

/** Texts have no number to compare by: all of the segment are ranked before the first is asked for. */
class ScriptTextKey implements SegmentSortKey {
  readonly lanes = 1;
  private ranks: Map<string, number> | null = null;
  /** The texts of the segment in order, as they were ranked. */
  private texts: readonly string[] = [];

  constructor(
    private readonly script: BoundScript,
    readonly descending: boolean,
    private readonly segment: SegmentReader,
  ) {}

  load(doc: number, score: number, into: Float64Array, at: number): void {
    const text = this.value(doc, score);
    this.ranks ??= this.rank(score);
    // A script that depends on scores or time may give a text that was not seen while topK.
    into[at] = this.ranks.get(text) ?? -1;
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    this.ranks ??= this.rank(0);
    if (typeof value !== 'string') {
      into[at] = -1;
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

  value(doc: number, score: number): string {
    this.script.score = score;
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
        texts.add(this.value(doc, score));
      } catch (error) {
        // Documents that do not match may fail; one that does will say so itself.
        if (!(error instanceof EngineError)) throw error;
      }
    }
    this.texts = [...texts].sort(compareUtf8);
    return new Map(this.texts.map((text, i) => [text, i]));
  }
}
