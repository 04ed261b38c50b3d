// Documents for which a script gives something true, constant score.

import { bindScript, type BoundScript } from '../../script/index';
import { NO_MORE_DOCS, type Bitset, type SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import { ConstantWeight } from './query-weight';
import type { DocTest, Scorer } from '../scoring/weight';

export class ScriptWeight extends ConstantWeight<QueryOf<'script'>> {
  cost(segment: SegmentReader): number {
    return segment.docCount;
  }

  count(): number {
    return -1;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const scorer = this.scorer(segment);
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) into.add(doc);
  }

  override scorer(segment: SegmentReader): ScriptScorer {
    const script = bindScript(this.query.script, { now: this.query.now });
    script.open(segment);
    return new ScriptScorer(script, segment, this.value);
  }

  test(segment: SegmentReader): DocTest {
    return this.scorer(segment);
  }
}

/** Runs the script on one live document after the other: deleted ones may lack what it asks for. */
class ScriptScorer implements Scorer, DocTest {
  doc = -1;
  readonly cost: number;
  private readonly liveDocs: Bitset | null;

  constructor(
    private readonly script: BoundScript,
    segment: SegmentReader,
    private readonly value: number,
  ) {
    this.cost = segment.docCount;
    this.liveDocs = segment.liveDocs;
  }

  nextDoc(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    for (let doc = target; doc < this.cost; doc++) {
      if (this.has(doc)) return (this.doc = doc);
    }
    return (this.doc = NO_MORE_DOCS);
  }

  has(doc: number): boolean {
    return (this.liveDocs === null || this.liveDocs.has(doc)) && this.script.truth(doc);
  }

  score(): number {
    return this.value;
  }
}
